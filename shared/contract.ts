import { z } from 'zod';
import { bytePattern, byteMap, byteSource, byteWindow, readBytes } from './domain/byte-view.ts';
import { commentDraft, commentText, commentThread, listedComment, ownCommentId } from './domain/comment.ts';
import { connectionTest } from './domain/connection-test.ts';
import { download, downloadId } from './domain/download.ts';
import { exportAs, exportResult, exportSelection, zipProtection } from './domain/export.ts';
import { anyHash, md5, sha256 } from './domain/hash.ts';
import { hostDescription, labState, secretsState } from './domain/host.ts';
import { itemFilter, itemSort, job, jobId, jobItem, triableState } from './domain/job.ts';
import { journalRow, journalVerification } from './domain/journal.ts';
import { labPublication, specimen } from './domain/lab.ts';
import {
  libraryChange, libraryRow, librarySample, librarySelection, librarySort, libraryTotal, noteText, sampleLook, savedView, viewId,
} from './domain/library.ts';
import { lookupResult } from './domain/lookup.ts';
import { mute, muteChange, muteDraft, muteId } from './domain/mute.ts';
import {
  brokenRule, differenceCounts, differenceRow, packageId, publicationsState, ruleDifference, ruleNumber, ruleOptions, ruleRow, ruleView,
} from './domain/publication.ts';
import { queryTerms } from './domain/query-term.ts';
import { sampleFacts } from './domain/sample-facts.ts';
import { shellCommand } from './domain/shell-command.ts';
import { removedCopy, storageMove, storageState } from './domain/storage.ts';
import { huntEstimate, huntScope, sampleHit, scanEngines, scanFilter, scanGroup, scannedFile, scanPlan, scanSummary, vaultSample } from './domain/scan.ts';
import { settings, settingsChange } from './domain/settings.ts';
import { stagedUpload, uploadChange, uploadDraft, uploadFile, uploadFileId, uploadTarget } from './domain/upload.ts';
import { tag } from './domain/tag.ts';
import { tlpLevel } from './domain/tlp.ts';
import { tokenChange, workspaceDraft, workspaceId, workspaceView } from './domain/workspace.ts';

/**
 * THE table: what the page may ask of the host, and what the host tells the page.
 * Types are inferred from it; a row without a handler in `electron/handlers.ts` does not compile.
 */

const nothing = z.object({});
const operation = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });
const settingName = settings.keyof();

/** Hashes cross in pages: a call stays small however long the list is. */
const hashPage = z.array(anyHash).max(5000, 'at most 5,000 hashes a call');

/** What would become of a hash: fetched, here already, or not to be asked for because its MD5 is not known. */
export const bulkVerdict = z.enum(['fetch', 'already-here', 'needs-md5']);
export type BulkVerdict = z.infer<typeof bulkVerdict>;

const window = { offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(1000) };
/** Rules to look for: words of a name, tag, meta or text. */
const findRules = z.string().max(200, 'at most 200 characters');

export const operations = {
  'host.describe': operation(nothing, hostDescription),
  'host.openDataFolder': operation(nothing, nothing),
  'host.openLog': operation(nothing, nothing),
  'host.chooseExportFolder': operation(nothing, z.object({ path: z.string().nullable() })),

  /** `damaged` names the settings whose stored value could not be read and that are back at their default. */
  'settings.read': operation(nothing, z.object({ values: settings, damaged: z.array(settingName) })),
  'settings.change': operation(settingsChange, z.object({ values: settings })),

  'secrets.create': operation(z.object({ passphrase: z.string().max(1024, 'a passphrase of at most 1,024 characters') }), secretsState),
  'secrets.unlock': operation(z.object({ passphrase: z.string().max(1024, 'a passphrase of at most 1,024 characters') }), secretsState),
  /** Deletes a sealed file that is locked, with all that is in it; any other stays. */
  'secrets.forget': operation(nothing, secretsState),

  /** `damaged` are the ids of workspaces whose stored row cannot be read: they can only be removed. */
  'workspaces.list': operation(nothing, z.object({ workspaces: z.array(workspaceView), current: workspaceId, damaged: z.array(z.string()) })),
  'workspaces.add': operation(workspaceDraft, workspaceView),
  'workspaces.edit': operation(z.object({ id: workspaceId, draft: workspaceDraft }), workspaceView),
  'workspaces.remove': operation(z.object({ id: workspaceId, forgetLibrary: z.boolean() }), nothing),
  'workspaces.switch': operation(z.object({ id: workspaceId }), nothing),
  /** Tests a stored workspace, or a draft before it is saved (`id` then tells whose stored tokens `keep` means). */
  'workspaces.test': operation(
    z.object({ id: workspaceId.nullable(), draft: workspaceDraft.nullable() }),
    z.object({ tests: z.array(connectionTest) }),
  ),

  /** A SHA-1 or SHA-256 is resolved through the library, else the failure is `needs-md5`. */
  'samples.lookup': operation(z.object({ workspaceId, hash: anyHash }), lookupResult),
  /** What this desk did with a sample, newest first, at most 100 rows. */
  'samples.history': operation(z.object({ hash: anyHash }), z.object({ rows: z.array(journalRow) })),
  /** What rules found in it, as last seen, by name. */
  'samples.hits': operation(z.object({ workspaceId, sha256 }), z.object({ hits: z.array(sampleHit) })),
  /** Tags of this desk alone; a library's selection is tagged by `library.change`. @returns how many samples are not as they were */
  'samples.tag': operation(
    z.object({
      samples: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('named'), sha256s: z.array(sha256).min(1, 'a sample').max(5000, 'at most 5,000 samples a call') }),
        /** Of a scan or a hunt: the files that are meant. */
        z.object({ kind: z.literal('scan'), jobId, filter: scanFilter }),
      ]),
      add: z.array(tag).max(50, 'at most 50 tags'),
      remove: z.array(tag).max(50, 'at most 50 tags'),
    }),
    z.object({ changed: z.number().int() }),
  ),
  /** Samples in the vault that have every word of `find` in a name, hash, tag, comment or threat; seen last first. */
  'samples.inVault': operation(
    z.object({ find: z.string().max(200, 'at most 200 characters'), ...window }),
    z.object({ samples: z.array(vaultSample), total: z.number().int() }),
  ),
  'samples.exportZip': operation(
    z.object({
      sha256,
      ...zipProtection,
      to: z.enum(['folder', 'browser']),
    }),
    exportResult,
  ),

  /** Answers at once; `download.progress` events follow until a final state. */
  'downloads.start': operation(z.object({ workspaceId, md5 }), download),
  'downloads.cancel': operation(z.object({ id: downloadId }), nothing),
  'downloads.list': operation(nothing, z.object({ downloads: z.array(download) })),

  /** What would become of each hash, in the order of the hashes. Asks no service. */
  'bulk.check': operation(z.object({ hashes: hashPage }), z.object({ verdicts: z.array(bulkVerdict) })),
  /** A draft of a bulk download: filled by `bulk.add`, shown and run from `bulk.start` on, gone when it is never started. */
  'bulk.create': operation(z.object({ workspaceId }), z.object({ id: jobId })),
  /** Hashes the draft has already are not added again. */
  'bulk.add': operation(z.object({ id: jobId, hashes: hashPage }), z.object({ items: z.number().int() })),
  'bulk.start': operation(z.object({ id: jobId }), job),

  /** Each workspace has one draft: what was dropped, with its tags and flags, until it is sent or discarded. */
  'uploads.draft': operation(z.object({ workspaceId }), uploadDraft),
  /** One window of a draft, in the order the files came, members below their archive. */
  'uploads.files': operation(
    z.object({ workspaceId, offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(1000) }),
    z.object({ files: z.array(uploadFile), total: z.number().int() }),
  ),
  /** Puts staged files into the draft. They are hashed, archives are opened, and the repository is asked for each; `uploads.changed` tells. */
  'uploads.add': operation(
    z.object({ workspaceId, files: z.array(stagedUpload).min(1, 'a file').max(500, 'at most 500 files a call') }),
    z.object({ ids: z.array(uploadFileId) }),
  ),
  /** Opens an archive that is `locked` with one more password, which is kept nowhere. Fails with `archive-password` when it opens no member. */
  'uploads.openArchive': operation(z.object({ id: uploadFileId, password: z.string().max(128, 'a password of at most 128 characters') }), nothing),
  /** `refused`: flags that were not set, because the TLP forbids it. */
  'uploads.change': operation(z.object({ workspaceId, target: uploadTarget, change: uploadChange }), z.object({ changed: z.number().int(), refused: z.number().int() })),
  /** Takes files out of the draft, members with their archive; what was copied of them is removed. */
  'uploads.remove': operation(z.object({ workspaceId, target: uploadTarget }), nothing),
  'uploads.comment': operation(z.object({ workspaceId, text: commentText }), nothing),
  /** Asks the repository again for files whose presence is `unanswered`. */
  'uploads.ask': operation(z.object({ workspaceId }), nothing),
  /** Tags this desk knows that begin so, or whose value does, the most used first; at most twenty. */
  'uploads.tags': operation(z.object({ beginning: z.string().max(100, 'at most 100 characters') }), z.object({ tags: z.array(z.string()) })),
  /** Sends what is sendable, as a job. The draft keeps the rest. */
  'uploads.send': operation(z.object({ workspaceId }), job),

  'comments.thread': operation(z.object({ workspaceId, md5 }), commentThread),
  'comments.saveDraft': operation(z.object({ workspaceId, md5, draft: commentDraft }), nothing),
  /** Answers when it is settled; until then the thread shows it as pending. Fails only where nothing was begun. */
  'comments.send': operation(z.object({ workspaceId, md5, draft: commentDraft }), z.object({ id: ownCommentId })),
  /** Sends a `failed` one again. */
  'comments.sendAgain': operation(z.object({ id: ownCommentId }), nothing),
  /** Asks the service whether one that may have arrived did. */
  'comments.settle': operation(z.object({ id: ownCommentId }), nothing),
  /** Forgets one that is not on its way and was not confirmed. */
  'comments.discard': operation(z.object({ id: ownCommentId }), nothing),
  /** Over all samples of a workspace, latest first. `find` is words of the text or the author. */
  'comments.list': operation(
    z.object({ workspaceId, find: z.string().max(200, 'at most 200 characters'), offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(200) }),
    z.object({ comments: z.array(listedComment), total: z.number().int() }),
  ),

  /** Newest first: the newest 500 and whatever is not over; drafts are left out. */
  'jobs.list': operation(nothing, z.object({ jobs: z.array(job) })),
  /** One window of a job's items, and how many match in all. */
  'jobs.items': operation(
    z.object({ id: jobId, filter: itemFilter, sort: itemSort, offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(1000) }),
    z.object({ items: z.array(jobItem), total: z.number().int() }),
  ),
  /** Lets what is under way end; what waits stays waiting. */
  'jobs.pause': operation(z.object({ id: jobId }), nothing),
  'jobs.resume': operation(z.object({ id: jobId }), nothing),
  'jobs.cancel': operation(z.object({ id: jobId }), nothing),
  /** Items in these states wait again, and the job runs again. */
  'jobs.retry': operation(z.object({ id: jobId, states: z.array(triableState).min(1, 'a state') }), nothing),
  /** Takes a job that is over out of the list. Samples, library and journal stay. */
  'jobs.forget': operation(z.object({ id: jobId }), nothing),
  /** The list of items as a file. */
  'jobs.exportItems': operation(
    z.object({ id: jobId, filter: itemFilter, format: z.enum(['csv', 'json']), to: z.enum(['folder', 'browser']) }),
    exportResult,
  ),

  /** Into the export folder, as a job. */
  'exports.start': operation(z.object({ selection: exportSelection, as: exportAs }), job),
  /** One password ZIP through the browser. */
  'exports.prepare': operation(z.object({ selection: exportSelection, ...zipProtection }), exportResult),

  'publications.state': operation(z.object({ workspaceId }), publicationsState),
  /** Begins a check; how it goes and comes out is in the state. Fails with `check-busy`, or where nothing can be asked. */
  'publications.check': operation(z.object({ workspaceId }), nothing),
  'publications.cancelCheck': operation(z.object({ workspaceId }), nothing),
  /** Opens a staged file as a candidate, as a check would what it fetched. `version`: for a file that does not tell. */
  'publications.addFile': operation(z.object({ workspaceId, stagedId: stagedUpload.shape.id, version: z.string().trim().max(200, 'at most 200 characters').nullable() }), nothing),
  /** Makes a package the active one, in one step: an update or a rollback. Asks no service. */
  'publications.activate': operation(z.object({ workspaceId, sha256: packageId }), publicationsState),
  /** null: nothing is pinned. While the active package is pinned, no other is installed. */
  'publications.pin': operation(z.object({ workspaceId, sha256: packageId.nullable() }), publicationsState),
  /** Removes a package that is neither active nor pinned. */
  'publications.remove': operation(z.object({ workspaceId, sha256: packageId }), publicationsState),
  /** The package as it was received, in a password ZIP. */
  'publications.export': operation(z.object({ workspaceId, sha256: packageId, ...zipProtection, to: z.enum(['folder', 'browser']) }), exportResult),
  'publications.setOptions': operation(z.object({ workspaceId, options: ruleOptions, password: tokenChange }), publicationsState),
  /** What the rules in use would become. `from` null: nothing is installed. One window of the rows. */
  'publications.difference': operation(
    z.object({ workspaceId, from: packageId.nullable(), to: packageId, ...window }),
    /** `muted`: names of muted rules that are other ones, or none, in the newer package. */
    z.object({ counts: differenceCounts, rows: z.array(differenceRow), total: z.number().int(), muted: z.array(z.string()) }),
  ),
  /** One rule in two packages, line by line. */
  'publications.ruleDifference': operation(
    z.object({ workspaceId, from: packageId.nullable(), to: packageId, old: ruleNumber.nullable(), new: ruleNumber.nullable() }),
    ruleDifference,
  ),
  /** Rules of the active package, by file and line. Fails with `no-package`. */
  'publications.rules': operation(z.object({ workspaceId, find: findRules, ...window }), z.object({ sha256: packageId, rows: z.array(ruleRow), total: z.number().int() })),
  /** Those that were meant, the best first: by their names before tags, by descriptions last and from four letters on. Fails with `no-package`. */
  'publications.ruleNames': operation(z.object({ workspaceId, find: findRules, limit: window.limit }), z.object({ rows: z.array(ruleRow) })),
  'publications.rule': operation(z.object({ workspaceId, sha256: packageId, number: ruleNumber }), ruleView),

  'mutes.list': operation(z.object({ workspaceId }), z.object({ mutes: z.array(mute) })),
  'mutes.add': operation(muteDraft, mute),
  'mutes.change': operation(z.object({ id: muteId, change: muteChange }), mute),
  /** The rule was looked at as it is now: the mute holds on, and is not flagged any more. */
  'mutes.confirm': operation(z.object({ id: muteId }), mute),
  'mutes.remove': operation(z.object({ id: muteId }), nothing),

  /** What can scan here and now. */
  'scans.plan': operation(z.object({ workspaceId }), scanPlan),
  /**
   * Staged files, and samples of the vault, as a job. Each file is scanned once, however often it is named. `tlp` is that of the staged files,
   * as the person says it. Fails with `nothing-selected`, `no-package` where the local side is asked for, `service-not-set`, `native-engine-missing`.
   */
  'scans.start': operation(
    z.object({
      workspaceId,
      engines: scanEngines,
      files: z.array(stagedUpload.pick({ id: true })).max(500, 'at most 500 files a call'),
      samples: z.array(sha256).max(5000, 'at most 5,000 samples a call'),
      tlp: tlpLevel.nullable(),
    }),
    job,
  ),
  'scans.summary': operation(z.object({ jobId }), scanSummary),
  /** Rules and families: the most files first. Files: by position, those with new hits first, then those with hits. */
  'scans.groups': operation(
    z.object({ jobId, by: z.enum(['file', 'rule', 'family']), filter: scanFilter, ...window }),
    z.object({ groups: z.array(scanGroup), total: z.number().int() }),
  ),
  'scans.file': operation(z.object({ jobId, position: z.number().int().positive() }), scannedFile),
  /** One row a file and rule, with every match in JSON; one row a match in CSV. Muted hits are marked. */
  'scans.export': operation(z.object({ jobId, filter: scanFilter, format: z.enum(['csv', 'json']), to: z.enum(['folder', 'browser']) }), exportResult),
  /** Fails with `no-package`, `no-rules`. */
  'hunts.estimate': operation(z.object({ workspaceId, scope: huntScope }), huntEstimate),
  /** Fails as the estimate does, and with `vault-empty`, `native-engine-missing`. */
  'hunts.start': operation(z.object({ workspaceId, scope: huntScope }), job),

  'bytes.read': operation(z.object({ source: byteSource, window: byteWindow }), readBytes),
  /** The first place from `from` on (backwards: before it); null when there is none up to the end (the beginning). `search` names it, so that it can be given up. */
  'bytes.find': operation(
    z.object({ source: byteSource, pattern: bytePattern, from: z.number().int().nonnegative(), backwards: z.boolean(), search: z.string().min(1).max(64) }),
    z.object({ offset: z.number().int().nonnegative().nullable() }),
  ),
  'bytes.stopFind': operation(z.object({ search: z.string().min(1).max(64) }), nothing),
  'bytes.map': operation(z.object({ source: byteSource }), byteMap),

  /** What the lab's rule editor has published, newest first. */
  'lab.publications': operation(nothing, z.object({ publications: z.array(labPublication) })),
  /** Publishes staged `.yar` files in the lab. With broken rules nothing is published, and they are named. */
  'lab.publish': operation(
    z.object({
      files: z.array(z.object({ id: stagedUpload.shape.id, path: z.string().min(1).max(300, 'a path of at most 300 characters') })).min(1, 'a file').max(1000, 'at most 1,000 files'),
      version: labPublication.shape.version,
      group: labPublication.shape.group,
    }),
    z.object({ published: labPublication.nullable(), broken: z.array(brokenRule) }),
  ),

  /**
   * One window of what a query finds. Windows that name the same `moment` are of one list, as it was when the first of them was read;
   * whoever hears that the library changed names another one. At most 1,000 rows. An `asker` looks at one list at a time: a window that
   * waits for its turn fails with `cancelled` when its asker asks for one of another list.
   */
  'library.list': operation(
    z.object({ asker: z.string().min(1).max(64).optional(), terms: queryTerms, sort: librarySort, moment: z.string().min(1).max(64), ...window }),
    z.object({ rows: z.array(libraryRow), total: z.number().int(), elapsedMs: z.number().nonnegative() }),
  ),
  /** One total a query, in their order. */
  'library.totals': operation(z.object({ queries: z.array(queryTerms).max(50, 'at most 50 queries') }), z.object({ totals: z.array(libraryTotal) })),
  /** Fails with `not-in-library`. */
  'library.sample': operation(z.object({ hash: anyHash }), librarySample),
  /** What a selection's samples are, for copying and for going on with them: a page behind a mark, oldest first. `next` is null at the end. */
  'library.facts': operation(
    z.object({ selection: librarySelection, after: z.number().int().nonnegative(), limit: z.number().int().min(1).max(1000) }),
    z.object({ samples: z.array(sampleFacts), next: z.number().int().nullable() }),
  ),
  /**
   * `leftOut`: samples without a known SHA-256, and those whose note would become too long. What a query finds beyond 5,000 samples is
   * changed by a `job`, which goes on with those that were found at the call; the counts are 0 then.
   */
  'library.change': operation(z.object({ selection: librarySelection, change: libraryChange }), z.object({ changed: z.number().int(), leftOut: z.number().int(), job: jobId.optional() })),
  /** Replaces the note; without a text it is gone. */
  'library.note': operation(z.object({ sha256, text: noteText }), nothing),
  /**
   * `bytes`: the vault's copy alone. `all`: also what this desk knows of the samples; the journal keeps what was done. `expected` is how
   * many the person was told: fails with `selection-changed` when a query finds another number by now. A `job` beyond 2,000, as with `library.change`.
   */
  'library.forget': operation(z.object({ selection: librarySelection, what: z.enum(['bytes', 'all']), expected: z.number().int().nonnegative() }), z.object({ forgotten: z.number().int(), job: jobId.optional() })),
  /**
   * Known ones, at most twenty: tags that begin so, or whose value does, the most used first; rules that contain it, the shortest first;
   * types and threats that begin so, the most frequent first among the 50,000 samples seen last.
   */
  'library.suggest': operation(
    z.object({ kind: z.enum(['tag', 'rule', 'type', 'threat']), beginning: z.string().max(100, 'at most 100 characters') }),
    z.object({ choices: z.array(z.string()) }),
  ),
  /** How the bytes of samples look, in their order; made when it is asked for the first time. */
  'library.looks': operation(z.object({ sha256s: z.array(sha256).min(1).max(100, 'at most 100 samples a call') }), z.object({ looks: z.array(sampleLook) })),

  'views.list': operation(nothing, z.object({ views: z.array(savedView) })),
  /** Without an id a new one, at the end. Fails with `view-missing`, `view-name-taken`, `too-many-views`. */
  'views.save': operation(savedView.extend({ id: viewId.nullable() }), savedView),
  'views.remove': operation(z.object({ id: viewId }), nothing),
  /** Puts a view in front of another one; null: to the end. */
  'views.move': operation(z.object({ id: viewId, before: viewId.nullable() }), nothing),

  'storage.state': operation(nothing, storageState),
  /** Reads every sample of the vault and says which are missing or altered, as a job. Fails with `vault-empty`. */
  'storage.check': operation(nothing, job),
  /** Gives back the room of what nobody needs any more. Fails with `storage-busy`. */
  'storage.cleanUp': operation(nothing, z.object({ freedBytes: z.number().int().nonnegative() })),
  /** Asks the person for a folder, and says what a move there would do; null: they chose none. Writes nothing. Fails with `move-refused`, `disk-full`, `not-writable`. */
  'storage.planMove': operation(nothing, z.object({ plan: storageMove.nullable() })),
  /** Ends the host and starts it again: first of all it moves the data to the folder of the last plan. Fails with `move-refused`. */
  'storage.move': operation(nothing, nothing),
  /** Removes what a move left, and of that only what is as it was copied. Nothing is left: nothing is done. Fails with `data-in-use`. */
  'storage.removeOldCopy': operation(nothing, removedCopy),

  'library.count': operation(nothing, z.object({ samples: z.number().int(), inVault: z.number().int(), vaultBytes: z.number() })),
  'journal.verify': operation(nothing, journalVerification),

  /** The lab's own specimens, so that an empty desk has something to look up. */
  'lab.specimens': operation(nothing, z.object({ specimens: z.array(specimen) })),
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export const events = {
  'download.progress': download,
  /** A job as it stands, at most ten times a second each. */
  'job.changed': job,
  'job.forgotten': z.object({ id: jobId }),
  /** A draft is not as it was; at most four times a second. */
  'uploads.changed': z.object({ workspaceId }),
  'comments.changed': z.object({ workspaceId, md5 }),
  /** A comment that was sent did not arrive, or nobody knows whether it did. */
  'comments.lost': z.object({ workspaceId, md5, state: z.enum(['failed', 'may-have-arrived']) }),
  /** Packages, a check or mutes are not as they were; at most four times a second. */
  'publications.changed': z.object({ workspaceId }),
  /** What a check that nobody waits for came to. */
  'publications.news': z.object({ workspaceId, kind: z.enum(['found', 'installed', 'failed']), version: z.string().nullable(), counts: differenceCounts.nullable() }),
  'mutes.changed': z.object({ workspaceId }),
  /** Results of a scan or a hunt came; at most four times a second. */
  'scans.changed': z.object({ workspaceId }),
  /** What `host.describe` says is not as it was, or cannot be said any more. */
  'host.changed': nothing,
  'lab.changed': labState,
  'workspaces.changed': nothing,
  'secrets.changed': secretsState,
  /** Samples came or went, or are not as they were; at most four times a second. */
  'library.changed': nothing,
  'views.changed': nothing,
  /** A deep link's MD5: it fills the look-up field and sends nothing. */
  'lookup.prefill': z.object({ md5 }),
  /** Somebody chose something in a menu, a notification or the dock of the desktop. */
  'shell.command': shellCommand,
} as const satisfies Record<string, z.ZodType>;

export type OperationName = keyof typeof operations;
export type OperationInput<N extends OperationName> = z.input<(typeof operations)[N]['input']>;
export type OperationRequest<N extends OperationName> = z.output<(typeof operations)[N]['input']>;
export type OperationOutput<N extends OperationName> = z.output<(typeof operations)[N]['output']>;
export type EventName = keyof typeof events;
export type EventPayload<N extends EventName> = z.output<(typeof events)[N]>;

/** One function an operation. Failures are thrown as `FailureError`; anything else thrown is a defect. */
export type Handlers = { [N in OperationName]: (request: OperationRequest<N>) => Promise<OperationOutput<N>> };

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(events, name);
}
