import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { md5, sha256 } from './hash.ts';
import { metaEntry, packageId, ruleNumber } from './publication.ts';
import { severity } from './sample.ts';
import { tag, tlpLevel } from './tag.ts';

const count = z.number().int().nonnegative();
/** As a package or a service has it: untrusted text. */
const ruleName = z.string().max(1000);

/** The scanner of a file: the rule editor, with its published rules, or this computer, with the active package. */
export const scanSide = z.enum(['service', 'local']);
export type ScanSide = z.infer<typeof scanSide>;

export const scanEngines = z.enum(['service', 'local', 'both']);
export type ScanEngines = z.infer<typeof scanEngines>;

/** The local engine: native code if there is some for this machine, else WebAssembly. */
export const localEngine = z.enum(['native', 'wasm']);
export type LocalEngine = z.infer<typeof localEngine>;

/** The rules that were used, as far as that is known: a service need not say. */
export const scanPackage = z.object({
  /** null: not of a package that is kept here. */
  sha256: packageId.nullable(),
  version: z.string().max(200).nullable(),
  /** How many rules there were; null when unknown. */
  rules: count.nullable(),
});
export type ScanPackage = z.infer<typeof scanPackage>;

export const mostMatchData = 64;
/** One place where a string matched. */
const stringMatch = z.object({
  /** In bytes from the beginning of the file. */
  offset: count,
  /** null: the service did not say. */
  length: count.nullable(),
  /** The first bytes there, at most 64, as lower-case hexadecimal digits; null: not known. */
  data: z
    .string()
    .regex(/^(?:[0-9a-f]{2}){0,64}$/)
    .nullable(),
});
export type StringMatch = z.infer<typeof stringMatch>;

export const mostMatchesShown = 1000;
export const matchedString = z.object({
  /** As `$a`; a service may send any text. */
  id: z.string().max(200),
  /** By offset, the first thousand of them. */
  matches: z.array(stringMatch),
  /** How many there are. */
  total: count,
  /** There are at least so many: the engine stopped counting. */
  isAtLeast: z.boolean(),
});
export type MatchedString = z.infer<typeof matchedString>;

export const ruleHit = z.object({
  rule: ruleName,
  namespace: z.string().max(200).nullable(),
  tags: z.array(z.string().max(200)),
  meta: z.array(metaEntry),
  family: z.string().max(200).nullable(),
  strings: z.array(matchedString),
  /** The place of the rule in the package of the scan; null when it is not from one that is kept here. */
  place: z.object({ number: ruleNumber, file: z.string(), line: count }).nullable(),
});
export type RuleHit = z.infer<typeof ruleHit>;

/**
 * One side's result for a file. `failed`: it could not, `failure` is why. `not-understood`: the service answered in an
 * unknown shape; that is neither a hit nor an answer without hits, and `raw` is all there is.
 */
const scanResult = z.object({
  side: scanSide,
  state: z.enum(['scanned', 'failed', 'not-understood']),
  /** Of the local side. */
  engine: localEngine.nullable(),
  package: scanPackage.nullable(),
  elapsedMs: count,
  /** By name. */
  hits: z.array(ruleHit),
  /** Hits or matches are left out, because there were too many. */
  isCut: z.boolean(),
  /** Global rules that were left out: what they would have kept from hitting may be among the hits. */
  withoutGlobal: z.array(ruleName),
  /** Names of the file that rules which ask for one were not tried with, because it has too many; not there: none. */
  namesLeftOut: count.optional(),
  failure: failureSchema.nullable(),
  /** The service's reply as JSON text, at most 100,000 characters. */
  raw: z.string().nullable(),
});
export type ScanResult = z.infer<typeof scanResult>;

/** Rules that hit a sample elsewhere. Names and versions are untrusted text. */
const knownRules = z.object({
  count,
  /** The first three of them by name. */
  rules: z.array(ruleName),
  /** The side that found all of them; null: more than one. */
  side: scanSide.nullable(),
  /** The first three versions of their packages. */
  versions: z.array(z.string()),
});
export type KnownRules = z.infer<typeof knownRules>;

/**
 * What is known of a sample besides the hits that are shown, so that "no hits" is never read as an all-clear. Mutes
 * hold.
 */
export const knownBesides = z.object({
  /** In another scan, of any workspace. */
  hits: knownRules,
  /** In an earlier scan; a later scan with that rule, or with a package without it, did not find it again. */
  older: knownRules,
  /** The worst of the records of all workspaces, and the threat that record names. */
  severity: severity.nullable(),
  threat: z.string().nullable(),
});
export type KnownBesides = z.infer<typeof knownBesides>;

/** How many rules of this computer scanned a sample, and when the last of them did (UTC, ISO 8601; null: unknown). */
export const lastScan = z.object({ rules: count, time: z.string().nullable() });
export type LastScan = z.infer<typeof lastScan>;

/** A mute that holds for a hit. */
export const hitMute = z.object({ reason: z.string(), expires: z.string().nullable() });

/** Everything about one file of a scan. */
export const scannedFile = z.object({
  position: z.number().int().positive(),
  name: z.string().nullable(),
  md5: md5.nullable(),
  sha256,
  sizeBytes: count.nullable(),
  inVault: z.boolean(),
  tlp: tlpLevel.nullable(),
  /** Absolute, of the files on this computer that were scanned where they lie. */
  paths: z.array(z.string()),
  tags: z.array(tag),
  /** The local side first. */
  results: z.array(scanResult),
  /** Rules that were hit, with the mute that holds for them in this sample. */
  muted: z.array(hitMute.extend({ rule: ruleName })),
  /** In a hunt: hits that were not there the last time, and those that are no more. */
  added: z.array(ruleName),
  lost: z.array(ruleName),
  /** null: nothing is known. */
  known: knownBesides.nullable(),
});
export type ScannedFile = z.infer<typeof scannedFile>;

/** How the two sides compare over one file or one rule; null where only one of them looked. */
const agreement = z.enum(['same', 'differs']);

/** One row of a scan's results. Which fields mean something depends on `by`. */
const fileGroup = z.object({
  by: z.literal('file'),
  position: z.number().int().positive(),
  name: z.string().nullable(),
  sha256,
  sizeBytes: count.nullable(),
  /** As the item of the job has it. */
  state: z.string(),
  failure: failureSchema.nullable(),
  /** Some side answered in an unknown shape. */
  isNotUnderstood: z.boolean(),
  /** A global rule was left out when it was scanned: see `withoutGlobal` of its results. */
  isWithoutGlobal: z.boolean(),
  /**
   * Hits that are not muted, and the first three of their rules; where there are none, the first three that are lost.
   */
  hits: count,
  rules: z.array(ruleName),
  matches: count,
  muted: count,
  added: count,
  lost: count,
  agreement: agreement.nullable(),
  /**
   * The number of rules of each result, the local one first, null where a side does not say; a hunt keeps no result of
   * a file without hits.
   */
  looked: z.array(count.nullable()),
  /** Where `hits` is 0; null: nothing is known. */
  known: knownBesides.nullable(),
});
const ruleGroup = z.object({
  by: z.literal('rule'),
  rule: ruleName,
  tags: z.array(z.string()),
  family: z.string().nullable(),
  files: count,
  matches: count,
  /** Of the files, those in which it is muted. */
  muted: count,
  added: count,
  lost: count,
  /** In how many files each side found it. */
  service: count,
  local: count,
});
const familyGroup = z.object({
  by: z.literal('family'),
  /** null: rules that name none. */
  family: z.string().nullable(),
  rules: count,
  files: count,
  matches: count,
  muted: count,
  added: count,
  lost: count,
});
export const scanGroup = z.discriminatedUnion('by', [fileGroup, ruleGroup, familyGroup]);
export type FileGroup = z.infer<typeof fileGroup>;
export type RuleGroup = z.infer<typeof ruleGroup>;
export type FamilyGroup = z.infer<typeof familyGroup>;
export type ScanGroup = z.infer<typeof scanGroup>;

/** Which results are meant. All conditions hold together. */
export const scanFilter = z.object({
  /** A part of a rule's name, a family, a tag, a file's name or its SHA-256. */
  find: z.string().max(200, 'at most 200 characters'),
  /**
   * `hits`: files with a hit that is not muted. `clean`: scanned by every side that was asked, without one. `trouble`:
   * failed, or not understood.
   */
  show: z.enum(['all', 'hits', 'clean', 'trouble', 'differs', 'added', 'lost', 'muted']),
  /** Only files that this rule hit, or rules of this family. */
  rule: ruleName.nullable(),
  family: z.string().max(200).nullable(),
});
export type ScanFilter = z.infer<typeof scanFilter>;
export const everyResult: ScanFilter = { find: '', show: 'all', rule: null, family: null };

/**
 * Files of a job by what came of them; `files` is all of them, also those that wait. A file may be in `differs` and in
 * `withHits`.
 */
export const scanSummary = z.object({
  files: count,
  scanned: count,
  withHits: count,
  clean: count,
  trouble: count,
  differs: count,
  /** Rules and families that were hit, muted hits left out. */
  rules: count,
  families: count,
  hits: count,
  muted: count,
  added: count,
  lost: count,
});
export type ScanSummary = z.infer<typeof scanSummary>;

/** What can scan here and now. */
export const scanPlan = z.object({
  /**
   * null: the workspace has no rule editor that scans files. `host` is who would get the files; `isHere`: it is the lab
   * of this computer. `asksTlp`: the workspace's repository is asked for the TLP of a file that has no record here.
   */
  service: z.object({ host: z.string(), isHere: z.boolean(), asksTlp: z.boolean() }).nullable(),
  /** There is a rule editor, and it was seen not to scan files: `service` is null. */
  cannotScan: z.boolean(),
  /** The active package; null: none is installed. */
  package: scanPackage.nullable(),
  local: z.object({
    engine: localEngine,
    /** Why it is not the native one; null when it is, or when the other one was asked for. */
    nativeFailure: z.string().nullable(),
    /** The setting: chosen by itself, or one of them whatever there is. */
    chosen: z.enum(['auto', 'native', 'wasm']),
  }),
  /** Larger files are not scanned. */
  limitBytes: count,
  /** A file that takes longer is given up. */
  limitSeconds: count,
});
export type ScanPlan = z.infer<typeof scanPlan>;

/**
 * What a hunt looks at: `changed` every rule in the samples that it has not looked at as it is now, `engine` in those
 * that it looked at with an older engine, `all` all rules in all samples, `named` some rules in all samples.
 */
export const huntScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed') }),
  z.object({ kind: z.literal('engine') }),
  z.object({ kind: z.literal('all') }),
  z.object({
    kind: z.literal('named'),
    rules: z.array(ruleName.min(1)).min(1, 'a rule').max(1000, 'at most 1,000 rules'),
  }),
]);
export type HuntScope = z.infer<typeof huntScope>;

export const huntScopeKind = z.enum(['changed', 'engine', 'all', 'named']);

/** Pairs of a rule and a sample of the vault, and how many of each are in one. */
const huntShare = z.object({ rules: count, samples: count, pairs: count });
export type HuntShare = z.infer<typeof huntShare>;

/** What a hunt would be. */
export const huntEstimate = z.object({
  package: scanPackage,
  /** How many rules would be looked with, none where there is nothing to do, and the first twenty of their names. */
  rules: count,
  names: z.array(ruleName),
  /** Rules whose hits would be lost, because they are not in the package any more: the first twenty. */
  removed: z.array(ruleName),
  /** The last hunt: the version of its package, and when it ended; null: there was none. */
  against: z.object({ version: z.string(), hunted: z.string() }).nullable(),
  /** Samples that would be looked at, and their bytes. */
  samples: count,
  bytes: count,
  /** Of all rules of the package that can hit, and all samples of the vault. */
  total: z.object({ rules: count, samples: count }),
  /** What has not been looked at by a rule as it is now. */
  unseen: huntShare,
  /** What was looked at with an older version of the engine alone. */
  older: huntShare,
  /** Of this workspace it is not known yet what was looked at. */
  isFirst: z.boolean(),
  engine: localEngine,
  /** About so long, as scans on this computer took; null where none was made with this engine yet. */
  seconds: z.number().nonnegative().nullable(),
});
export type HuntEstimate = z.infer<typeof huntEstimate>;

/** A hit as the library keeps it. */
export const sampleHit = z.object({
  rule: ruleName,
  side: scanSide,
  version: z.string().nullable(),
  firstSeen: z.string(),
  lastSeen: z.string(),
  matches: count,
  /** The scan that saw it last; null when that job was taken out of the list. */
  jobId: z.number().int().positive().nullable(),
  position: z.number().int().positive().nullable(),
  mute: hitMute.nullable(),
});
export type SampleHit = z.infer<typeof sampleHit>;

export const vaultSample = z.object({
  sha256,
  md5: md5.nullable(),
  name: z.string().nullable(),
  sizeBytes: count,
  lastSeen: z.string(),
});
export type VaultSample = z.infer<typeof vaultSample>;
