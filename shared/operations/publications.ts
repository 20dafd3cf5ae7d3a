import { z } from 'zod';
import { exportResult, zipProtection } from '../domain/export.ts';
import { addedMute, mute, muteChange, muteDraft, muteId, muteStep } from '../domain/mute.ts';
import {
  costMeasurement,
  differenceCounts,
  differenceRow,
  listedRule,
  metaColumns,
  packageId,
  packageWithRule,
  publicationsState,
  ruleCost,
  ruleDifference,
  ruleFacts,
  ruleNumber,
  ruleOptions,
  ruleRow,
  ruleSort,
  ruleView,
} from '../domain/publication.ts';
import { ruleQueryText } from '../domain/rule-query.ts';
import { ruleToTry, ruleTrial, trialCheck, trialScope, trialSource } from '../domain/rule-trial.ts';
import { differenceFormat, reviewQuery, reviewWindow, ruleExplanation } from '../domain/rule-review.ts';
import { stagedUpload } from '../domain/upload.ts';
import { tokenChange, workspaceId } from '../domain/workspace.ts';
import { destination, nothing, operation, window } from './operation.ts';

/** Rules to look for: words of a name, tag, meta or text. */
/** Words, or the key of a rule. */
const findRules = z.string().max(1000, 'at most 1,000 characters');

const count = z.number().int().nonnegative();
const gatheredList = z.string().max(64);
/** Where a file lies in the package, with slashes. */
const filePath = z.string().min(1).max(4_096);
/** `unread`: files of rules that could not be staged, and why. */
const lastOfFiles = z.object({
  name: z.string().max(200),
  version: z.string().trim().min(1).max(200, 'at most 200 characters').nullable(),
  leftOut: count,
  links: count,
  unread: z.array(z.object({ path: filePath, text: z.string().max(500) })).max(2_000),
});

export const publicationsOperations = {
  'publications.state': operation({
    input: z.object({ workspaceId }),
    output: publicationsState,
    reads: true,
    refreshedBy: {
      'publications.changed': ['workspaceId'],
      'servers.changed': ['workspaceId'],
      'workspaces.changed': [],
    },
  }),
  /**
   * Begins a check; how it goes and comes out is in the state. Fails with `check-busy`, or where nothing can be asked.
   */
  'publications.check': operation({ input: z.object({ workspaceId }), output: nothing }),
  'publications.cancelCheck': operation({ input: z.object({ workspaceId }), output: nothing }),
  /** Opens a staged file as a candidate, as a check would what it fetched. `version`: for a file without one. */
  'publications.addFile': operation({
    input: z.object({
      workspaceId,
      stagedId: stagedUpload.shape.id,
      version: z.string().trim().max(200, 'at most 200 characters').nullable(),
    }),
    output: nothing,
  }),
  /**
   * Several staged files as one package: rules, and ZIPs that hold some. Named in several calls, at most 2,000 files
   * each, the first with `list` null; `last` comes with the last of them, and then they are opened as `addFile` does.
   * Other files below a folder are counted by who walks it, and not staged.
   */
  'publications.addFiles': operation({
    input: z.object({
      workspaceId,
      list: gatheredList.nullable(),
      files: z.array(z.object({ stagedId: stagedUpload.shape.id, path: filePath })).max(2_000),
      last: lastOfFiles.nullable(),
    }),
    output: z.object({ list: gatheredList }),
  }),
  /**
   * Makes a package with its files of Latin-1 and unmarked UTF-16 as UTF-8, as a candidate in its place. How it goes is
   * in the state.
   */
  'publications.convert': operation({ input: z.object({ workspaceId, sha256: packageId }), output: nothing }),
  /**
   * Makes a package the active one, in one step: an update or a rollback. Asks no service. Fails with
   * `package-removes-many` if more than a fifth of the rules in use would be removed, unless `removesMany` confirms
   * that.
   */
  'publications.activate': operation({
    input: z.object({ workspaceId, sha256: packageId, removesMany: z.boolean().optional() }),
    output: publicationsState,
  }),
  /** null: nothing is pinned. While the active package is pinned, no other is installed. */
  'publications.pin': operation({
    input: z.object({ workspaceId, sha256: packageId.nullable() }),
    output: publicationsState,
  }),
  /** Removes a package that is neither active nor pinned. */
  'publications.remove': operation({ input: z.object({ workspaceId, sha256: packageId }), output: publicationsState }),
  /** The package as it was received, in a password ZIP. */
  'publications.export': operation({
    input: z.object({ workspaceId, sha256: packageId, ...zipProtection, to: destination }),
    output: exportResult,
  }),
  'publications.setOptions': operation({
    input: z.object({ workspaceId, options: ruleOptions, password: tokenChange }),
    output: publicationsState,
  }),
  /** What the rules in use would become. `from` null: nothing is installed. One window of the rows. */
  'publications.difference': operation({
    input: z.object({ workspaceId, from: packageId.nullable(), to: packageId, ...window }),
    output: z.object({
      counts: differenceCounts,
      rows: z.array(differenceRow),
      total: z.number().int(),
      muted: z.array(z.string()),
    }),
  }),
  /**
   * The same as a person reviews it: found, sorted and grouped, with broken rules by their cause. One window of the
   * list.
   */
  'publications.review': operation({
    input: z.object({ workspaceId, from: packageId.nullable(), to: packageId, query: reviewQuery, ...window }),
    output: reviewWindow,
  }),
  /**
   * What turns the files of one package into those of another, as `git apply` takes it: some of it. It is live rule
   * text. `next`: where the rest begins.
   */
  'publications.patch': operation({
    input: z.object({ workspaceId, from: packageId.nullable(), to: packageId, at: z.number().int().nonnegative() }),
    output: z.object({ text: z.string(), next: z.number().int().nullable() }),
  }),
  /** The difference of two packages as a patch, or as JSON without rule text, in a password ZIP. */
  'publications.exportDifference': operation({
    input: z.object({
      workspaceId,
      from: packageId.nullable(),
      sha256: packageId,
      format: differenceFormat,
      ...zipProtection,
      to: destination,
    }),
    output: exportResult,
  }),
  /** One rule in two packages, line by line. */
  'publications.ruleDifference': operation({
    input: z.object({
      workspaceId,
      from: packageId.nullable(),
      to: packageId,
      old: ruleNumber.nullable(),
      new: ruleNumber.nullable(),
    }),
    output: ruleDifference,
  }),
  /**
   * Rules of the active package that a search finds: see rule-query.ts. `metaKeys`: the most frequent ones of the
   * package. Fails with `no-package`.
   */
  'publications.rules': operation({
    input: z.object({ workspaceId, find: ruleQueryText, sort: ruleSort, columns: metaColumns, ...window }),
    output: z.object({
      sha256: packageId,
      rows: z.array(listedRule),
      total: z.number().int(),
      metaKeys: z.array(z.string()),
    }),
    refreshedBy: { 'mutes.changed': ['workspaceId'] },
  }),
  /**
   * Why a rule does not compile, in the engine's words in whole: it is compiled again, and what is said is stored
   * nowhere.
   */
  'publications.explain': operation({
    input: z.object({ workspaceId, sha256: packageId, number: ruleNumber }),
    output: ruleExplanation,
  }),
  /**
   * Those that were meant, the best first: by their names before tags, by descriptions last and from four letters on.
   * Fails with `no-package`.
   */
  'publications.ruleNames': operation({
    input: z.object({ workspaceId, find: findRules, limit: window.limit }),
    output: z.object({ rows: z.array(ruleRow) }),
  }),
  'publications.rule': operation({
    input: z.object({ workspaceId, sha256: packageId, number: ruleNumber }),
    output: ruleView,
    refreshedBy: { 'mutes.changed': ['workspaceId'] },
  }),
  /** Its text with that of the rules that it uses, so that it compiles by itself. */
  'publications.ruleToTry': operation({
    input: z.object({ workspaceId, sha256: packageId, number: ruleNumber }),
    output: ruleToTry,
  }),
  /** Its hits on this computer, what it uses and what uses it. */
  'publications.ruleFacts': operation({
    input: z.object({ workspaceId, sha256: packageId, number: ruleNumber }),
    output: ruleFacts,
  }),
  /**
   * Packages kept here that have a rule of this key, newest first; each one is opened. `unread`: versions of those that
   * cannot be opened.
   */
  'publications.rulePackages': operation({
    input: z.object({ workspaceId, sha256: packageId, key: findRules }),
    output: z.object({ packages: z.array(packageWithRule), unread: z.array(z.string()) }),
  }),

  /** Compiles rules that a person is writing. Nothing is installed or kept. */
  'ruleTrials.check': operation({ input: z.object({ workspaceId, source: trialSource }), output: trialCheck }),
  /**
   * Runs them over samples of the vault, or over staged files. One trial runs at a time: the one before is cancelled.
   * No hit is recorded. Fails with `no-rules` where none can be used.
   */
  'ruleTrials.start': operation({
    input: z.object({ workspaceId, source: trialSource, scope: trialScope }),
    output: ruleTrial,
  }),
  /** null: there is no such trial any more. */
  'ruleTrials.state': operation({
    input: z.object({ id: z.string() }),
    output: z.object({ trial: ruleTrial.nullable() }),
  }),
  /**
   * Scans some samples of the vault with one rule of a package and without it, and stores what it costs. Takes seconds.
   * Fails with `rule-missing`, `vault-empty`, or where the engine fails on a sample.
   */
  'ruleTrials.cost': operation({
    input: z.object({ workspaceId, sha256: packageId, key: findRules }),
    output: ruleCost,
  }),
  'ruleTrials.cancel': operation({ input: z.object({ id: z.string() }), output: nothing }),
  /**
   * Measures the rules of the active package in groups, and the slowest ten alone, for at most two minutes. Fails with
   * `check-busy` while it does so, `no-package`, `no-rules`, `vault-empty`.
   */
  'ruleCosts.start': operation({ input: z.object({ workspaceId }), output: costMeasurement }),
  /** null: nothing was measured since the program started. */
  'ruleCosts.state': operation({
    input: z.object({ workspaceId }),
    output: z.object({ measurement: costMeasurement.nullable() }),
    reads: true,
    refreshedBy: { 'ruleCosts.changed': ['workspaceId'] },
  }),
  'ruleCosts.cancel': operation({ input: z.object({ workspaceId }), output: nothing }),

  'mutes.list': operation({
    input: z.object({ workspaceId }),
    output: z.object({ mutes: z.array(mute) }),
    reads: true,
    refreshedBy: { 'mutes.changed': ['workspaceId'] },
  }),
  'mutes.add': operation({ input: muteDraft, output: addedMute }),
  'mutes.change': operation({ input: z.object({ id: muteId, change: muteChange }), output: mute }),
  /** The rule was reviewed in its current state: the mute holds, and is no longer flagged. */
  'mutes.confirm': operation({ input: z.object({ id: muteId }), output: mute }),
  'mutes.remove': operation({ input: z.object({ id: muteId }), output: nothing }),
  /**
   * Leaves all as it was before a mute was added or removed: none, or the one that was there. Fails with `mute-changed`
   * where it is not as that left it, and with `nothing-to-undo` when that was undone, or a hundred others were added
   * and removed since.
   */
  'mutes.undo': operation({ input: muteStep, output: nothing }),
} as const;
