import { z } from 'zod';
import { failureSchema } from '../failure-kinds.ts';
import { sha256 } from './hash.ts';
import { ruleVariables } from './rule-variable.ts';
import { workspaceId } from './workspace.ts';

const count = z.number().int().nonnegative();
/** As a service or a person wrote it: untrusted text. */
const word = z.string().max(200, 'at most 200 characters');

/** A package is named by the SHA-256 of its bytes as they were received. */
export const packageId = sha256;

/**
 * JSON Pointers (RFC 6901) into the reply to `checkpackageversion`, as the person chose them; null: found by its name.
 */
const replyMapping = z.object({
  outdated: z.string().max(500).nullable(),
  version: z.string().max(500).nullable(),
  id: z.string().max(500).nullable(),
});
export type ReplyMapping = z.infer<typeof replyMapping>;
export const mappedFields = ['outdated', 'version', 'id'] as const;
export type MappedField = (typeof mappedFields)[number];

/** What a workspace does about rule packages. */
export const ruleOptions = z.object({
  /** Publications of the group Test count too (`beta`). */
  includeTest: z.boolean(),
  publicLink: z.boolean(),
  encrypted: z.boolean(),
  /** What is sent as `version` while nothing is installed. */
  versionWhenNone: z.string().min(1, 'a version').max(64, 'at most 64 characters'),
  /**
   * `one-click`: broken rules are left out. `refuse-broken`: a package with one is not installed. `install-whole`: one
   * without is installed by itself.
   */
  policy: z.enum(['one-click', 'refuse-broken', 'install-whole']),
  /** Hours between automatic checks; 0: none. */
  checkHours: z.number().int().min(0, 'at least 0').max(720, 'at most 720 hours'),
  /** Packages kept besides the active, the pinned and the new one. */
  keep: z.number().int().min(1, 'at least one').max(50, 'at most 50'),
  mapping: replyMapping.nullable(),
  /** Regular expressions that YARA 4 takes and YARA-X refuses are compiled with the meaning they have in YARA 4. */
  relaxed: z.boolean(),
  /** Variables that rules may ask for. */
  variables: ruleVariables,
});
export type RuleOptions = z.infer<typeof ruleOptions>;
export const defaultRuleOptions: RuleOptions = {
  includeTest: false,
  publicLink: false,
  encrypted: false,
  versionWhenNone: '0',
  policy: 'one-click',
  checkHours: 0,
  keep: 5,
  mapping: null,
  relaxed: false,
  variables: [],
};

/** Why a rule, or a line outside of every rule, is left out. */
export const brokenRule = z.object({
  /** null: the line belongs to no rule. */
  rule: z.string().nullable(),
  /** Inside the package. */
  file: z.string(),
  /** One-based. */
  line: count,
  /**
   * `engine`: it does not compile. `duplicate`: its name is taken in its namespace. `uses`: a rule that it uses is
   * broken. `include`: what it includes is not in the package. `text`: it is no rule as far as can be read. `limit`: it
   * took too long or too much. `file`: a file of the package that was not read.
   */
  kind: z.enum(['engine', 'duplicate', 'uses', 'include', 'text', 'limit', 'file']),
  /** In the engine's words where the engine said it; one line, never the rule's own text. */
  text: z.string(),
});
export type BrokenRule = z.infer<typeof brokenRule>;

/**
 * What is warned of in a rule that works: by the engine, or because YARA-X is known to miss files there that YARA hits.
 */
export const ruleWarning = z.object({
  rule: z.string(),
  /** Inside the package. */
  file: z.string(),
  /** One-based. */
  line: count,
  /** The engine's, as `slow_pattern`, or one of ours, as `may_miss_far_jump`. */
  code: z.string(),
  /** In the engine's words, or ours; one line, never the rule's own text. */
  text: z.string(),
});
export type RuleWarning = z.infer<typeof ruleWarning>;

/** How many warnings of a code there are in a package, the most frequent code first. */
export const warningCount = z.object({ code: z.string(), count });
export type WarningCount = z.infer<typeof warningCount>;

/**
 * How the files of a package were read. `leftOut`: other files, which are no rules. `links` are not followed. `utf16`
 * and `bareReturns` (only carriage returns end the lines) were converted. `utf16Unmarked` and `latin1` are guesses:
 * they are converted when a person asks for it.
 */
const packageFileCounts = z.object({
  leftOut: count,
  links: count,
  utf16: count,
  utf16Unmarked: count,
  latin1: count,
  bareReturns: count,
});
export type PackageFileCounts = z.infer<typeof packageFileCounts>;

/**
 * The contents of a package that could be opened. `rules` counts those that can be used. `namespaces` and
 * `engineWarnings` are absent if an older version of the program compiled the package: it is compiled again before it
 * is used. `reading` is present if it has content.
 */
export const packageContents = z.object({
  files: count,
  rules: count,
  broken: count,
  namespaces: count.optional(),
  engineWarnings: z.array(warningCount).optional(),
  reading: packageFileCounts.optional(),
  /** Files of a rule editor without rules, which are in no exported package: how many, and the first names. */
  empty: z.object({ files: count, names: z.array(word) }).optional(),
});
export type PackageContents = z.infer<typeof packageContents>;

/**
 * What makes a person look twice before installing. `backwards`: older than the active one. `same-version`: other bytes
 * under the version that is active.
 */
export const packageWarning = z.enum(['backwards', 'same-version', 'manifest-contradicts']);
export type PackageWarning = z.infer<typeof packageWarning>;

export const packageSource = z.enum(['service', 'export', 'file']);
export type PackageSource = z.infer<typeof packageSource>;

const packageView = z.object({
  sha256: packageId,
  version: word,
  /** `Release`, `Test` or another word of the service; null when there is none. */
  group: word.nullable(),
  /** When it was published, by its manifest; untrusted text. */
  published: word.nullable(),
  /** `service`: a publication. `export`: put together here of the files of a rule editor. */
  source: packageSource,
  /** What the files it came from were called; nothing for a service, and for packages of earlier versions. */
  fileName: word.nullish(),
  sizeBytes: count,
  /** UTC, ISO 8601; so are all times below. */
  received: z.string(),
  /** null: it cannot be opened here; `failure` is why. */
  contents: packageContents.nullable(),
  failure: failureSchema.nullable(),
  warnings: z.array(packageWarning),
  /** The last time it was made the active one; null: never. */
  activated: z.string().nullable(),
  /** Milliseconds for which it was the active one, in all, up to now. */
  activeMs: count,
});
export type PackageView = z.infer<typeof packageView>;

/** The result of the last check. `unsure`: the reply is unclear; it is shown, and its fields can be mapped. */
export const lastCheck = z.object({
  at: z.string(),
  outcome: z.enum(['up-to-date', 'found', 'installed', 'unsure', 'failed', 'cancelled']),
  /** The newest version by the service. */
  version: word.nullable(),
  failure: failureSchema.nullable(),
  /** The reply as JSON text, at most 20,000 characters; null when there was none. */
  reply: z.string().nullable(),
  /** Fields that could not be identified. */
  missing: z.array(z.enum(mappedFields)),
  /** The file that a person brought and that was not opened; absent: the rule editor was asked. */
  file: z.string().max(200).optional(),
  /** The rule editor has no publications, and its files were exported; absent: it was asked for its publications. */
  of: z.literal('export').optional(),
});
export type LastCheck = z.infer<typeof lastCheck>;

/** A check, or the opening of a file, that is under way. */
const checkProgress = z.object({
  phase: z.enum(['asking', 'fetching', 'gathering', 'opening', 'compiling']),
  /** Bytes while fetching, files while gathering, rules while compiling. */
  done: count,
  total: count.nullable(),
});
export type CheckProgress = z.infer<typeof checkProgress>;

/**
 * What a check can fetch, as far as is known; `publications` where it is not, null without a rule editor. The others
 * have none: files are exported, the workspace does not allow that, or the rule editor does not.
 */
const rulesFrom = z.enum(['publications', 'export', 'not-allowed', 'nothing']);
export type RulesFrom = z.infer<typeof rulesFrom>;

export const publicationsState = z.object({
  workspaceId,
  hasRuleEditor: z.boolean(),
  rulesFrom: rulesFrom.nullable(),
  /** Newest first. */
  packages: z.array(packageView),
  active: packageId.nullable(),
  /** Fetched or brought, and not yet installed. */
  candidate: packageId.nullable(),
  pinned: packageId.nullable(),
  check: checkProgress.nullable(),
  lastCheck: lastCheck.nullable(),
  options: ruleOptions,
  hasPassword: z.boolean(),
});
export type PublicationsState = z.infer<typeof publicationsState>;

/** What differs in a changed rule. `layout`: only space and comments. */
export const changedPart = z.enum(['modifiers', 'tags', 'meta', 'strings', 'condition', 'layout']);
export type ChangedPart = z.infer<typeof changedPart>;

/**
 * A rule's place in a package: its number in the order of the files, from 0. It means something in that package alone.
 */
export const ruleNumber = count;

/**
 * One line of the difference between two packages. Broken ones first, then changed, added, removed, moved; each group
 * by file and line.
 */
export const differenceRow = z.object({
  kind: z.enum(['broken', 'changed', 'added', 'removed', 'moved']),
  name: z.string(),
  file: z.string(),
  line: count,
  /** In the older package; null when it was not there. */
  old: ruleNumber.nullable(),
  /** In the newer package; null when it is not there, or when the line belongs to no rule. */
  new: ruleNumber.nullable(),
  /** The file it was in before; null when it is the same. */
  movedFrom: z.string().nullable(),
  /** Of a changed rule, at least one. */
  parts: z.array(changedPart),
  addedLines: count,
  removedLines: count,
  /** Of a broken one; of a removed one that is in the newer package and broken there. */
  broken: brokenRule.nullable(),
  /** Variables that it asks for in the newer package, in the older one where it was removed; not there: none. */
  asks: z.array(z.string()).optional(),
});
export type DifferenceRow = z.infer<typeof differenceRow>;

/** `added`, `removed`, `changed` are what an update does to the rules in use: active + added − removed = new. */
export const differenceCounts = z.object({
  added: count,
  removed: count,
  changed: count,
  moved: count,
  broken: count,
  same: count,
});
export type DifferenceCounts = z.infer<typeof differenceCounts>;

/** `at` are UTF-16 offsets into the line: what was changed in it. Line numbers are those of the file, one-based. */
const differenceLine = z.object({
  kind: z.enum(['same', 'removed', 'added']),
  old: count.nullable(),
  new: count.nullable(),
  at: z.array(z.tuple([count, count])),
});
export type DifferenceLine = z.infer<typeof differenceLine>;

/** The text of a rule, as the page may have it: long ones are cut, and say so. */
const ruleSource = z.object({
  file: z.string(),
  /** One-based, of the first line of `text`. */
  line: count,
  text: z.string(),
  /** How many lines there are in all; `text` may hold fewer. */
  lines: count,
  /** Lines were left out or cut. */
  isCut: z.boolean(),
});
export type RuleSource = z.infer<typeof ruleSource>;

export const ruleDifference = z.object({
  old: ruleSource.nullable(),
  new: ruleSource.nullable(),
  /** Over the lines that both sources hold here. */
  lines: z.array(differenceLine),
});
export type RuleDifference = z.infer<typeof ruleDifference>;

export const metaEntry = z.object({ key: z.string(), value: z.string() });

/** A rule of the active package, in a list. */
export const ruleRow = z.object({
  number: ruleNumber,
  name: z.string(),
  /** What mutes, hits and hunts call it: see `keyOf` in rule-names.ts. */
  key: z.string(),
  file: z.string(),
  line: count,
  tags: z.array(z.string()),
  isPrivate: z.boolean(),
  isGlobal: z.boolean(),
  /** `description` of its meta, cut; null when it has none. */
  description: z.string().nullable(),
  broken: brokenRule.nullable(),
  isMuted: z.boolean(),
  /** Variables that a scan sets for each file and that its condition mentions; not there: none. */
  asks: z.array(z.string()).optional(),
});
export type RuleRow = z.infer<typeof ruleRow>;

const metaKey = z.string().min(1, 'a meta key').max(200, 'at most 200 characters');

/**
 * `place`: by file and line. `last-hit`: rules without a hit come last in either direction, as do rules without the
 * meta key.
 */
export const ruleSort = z.object({
  by: z.discriminatedUnion('column', [
    z.object({ column: z.enum(['place', 'name', 'hits', 'last-hit', 'cost']) }),
    z.object({ column: z.literal('meta'), key: metaKey }),
  ]),
  direction: z.enum(['ascending', 'descending']),
});
export type RuleSort = z.infer<typeof ruleSort>;
export const sortByPlace: RuleSort = { by: { column: 'place' }, direction: 'ascending' };

/** Columns that a person chose from the meta of rules. */
export const metaColumns = z.array(metaKey).max(4, 'at most four columns');

/**
 * What a rule costs: the time of a scan with it and what it uses, less that of a scan with a rule that decides nothing.
 * It belongs to what the rule does, by its fingerprint: a rule that changed has none.
 */
export const ruleCost = z.object({
  /**
   * Milliseconds for each MB (1,000,000 bytes). The engine scans the same samples several times; the shortest time of
   * each counts.
   */
  msPerMegabyte: z.number().nonnegative(),
  /**
   * Rules that were measured together. 1: this rule alone. Of more, `msPerMegabyte` is what they cost in all, and this
   * rule costs at most that.
   */
  together: count.min(1),
  /** Samples of the vault that were scanned for it, the ones that came first, and their bytes. */
  samples: count,
  bytes: count,
  /** As `localEngine` of scans. */
  engine: z.enum(['native', 'wasm']),
  /** UTC, ISO 8601. */
  measured: z.string(),
});
export type RuleCost = z.infer<typeof ruleCost>;

/** How many of the slowest rules of a package are looked for, and measured alone. */
export const slowestRules = 10;

/**
 * A measurement of the rules of a package, in memory alone. What it found out is stored when it ends, however it ends.
 */
export const costMeasurement = z.object({
  workspaceId,
  sha256: packageId,
  version: word,
  /** `time-out`: it used up its time before the slowest rules were measured alone. */
  state: z.enum(['running', 'done', 'time-out', 'cancelled', 'failed']),
  failure: failureSchema.nullable(),
  /** It began by itself, after a hunt. */
  isAfterHunt: z.boolean(),
  /** Rules to measure, those of them that were, and those that were measured alone. */
  rules: count,
  done: count,
  alone: count,
  /** Rules that the engine was stopped by, or that it could not compile alone: they are not measured. At most 100. */
  leftOut: z.array(z.string()),
  /** UTC, ISO 8601; null: it runs. */
  ended: z.string().nullable(),
});
export type CostMeasurement = z.infer<typeof costMeasurement>;

/** A rule in the list, with what is known of it on this computer. */
export const listedRule = ruleRow.extend({
  /** Samples that it hit, by their last scan. */
  hits: count,
  /** UTC, ISO 8601; null: no sample is hit. */
  lastHit: z.string().nullable(),
  /** null: it was not measured as it is now. */
  cost: ruleCost.nullable(),
  /** Codes of its warnings, each once. */
  warnings: z.array(z.string()),
  /** The value of each meta column, cut; null where the rule has none. */
  values: z.array(z.string().nullable()),
});
export type ListedRule = z.infer<typeof listedRule>;

/** How long a history of hits is, in weeks up to now. */
export const historyWeeks = 24;

/** What is known of a rule besides its text. */
export const ruleFacts = z.object({
  /** Samples that it hit, by their last scan. */
  samples: count,
  /** UTC, ISO 8601; null: no sample is hit. */
  lastHit: z.string().nullable(),
  /** Samples that were hit for the first time in each of the last 24 weeks, the oldest week first. */
  weeks: z.array(count).length(historyWeeks),
  /** The ones hit last, at most five. */
  newest: z.array(z.object({ sha256, name: z.string().nullable(), lastHit: z.string() })),
  /** Names of rules that its condition uses, and of rules that use it: at most 100 of each. */
  uses: z.array(z.string()),
  usedBy: z.array(z.string()),
  /** External variables that it asks for. */
  variables: z.array(z.string()),
  /** null: it was not measured as it is now. */
  cost: ruleCost.nullable(),
});
export type RuleFactsView = z.infer<typeof ruleFacts>;

/** A kept package that has a rule of this key. `same`: its text is the same. */
export const packageWithRule = z.object({
  sha256: packageId,
  version: word,
  standing: z.enum(['active', 'candidate', 'kept']),
  text: z.enum(['same', 'other']),
});
export type PackageWithRule = z.infer<typeof packageWithRule>;

export const ruleView = z.object({
  row: ruleRow,
  /** At most 100 of them. */
  warnings: z.array(ruleWarning),
  meta: z.array(metaEntry),
  /** Modules that its file imports. */
  imports: z.array(z.string()),
  source: ruleSource,
});
export type RuleView = z.infer<typeof ruleView>;

/** Of the rules in use, at most this share may go without a question. */
const removedAtMost = 1 / 5;

/** Whether an update that removes so many of the rules in use has to be confirmed. */
export const removesMany = (removed: number, inUse: number): boolean => removed > inUse * removedAtMost;
