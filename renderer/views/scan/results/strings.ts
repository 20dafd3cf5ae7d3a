import { formatNumber } from '../../../components/format.ts';
import type { GroupBy } from '../../../features/scans/scan-places.tsx';

const counted =
  (one: string, many: string) =>
  (count: number): string =>
    count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`;
const files = counted('file', 'files');
const rules = counted('rule', 'rules');
const matches = counted('match', 'matches');
const byte = counted('byte', 'bytes');
const samples = counted('sample', 'samples');
const sides = { service: 'Rule editor', local: 'Local engine' } as const;
const engines = { native: 'native', wasm: 'portable' } as const;

/** `a, b and 3 more`. */
function named(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${formatNumber(rest)} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

const manyTagged = 5000;

/** English of the results of scans and hunts. */
export const text = {
  files,
  rules,
  matches,
  byte,
  sides,
  engines,

  results: 'Results',
  groupBy: 'Group by',
  groups: { rule: 'Rules', file: 'Files', family: 'Families' } satisfies Record<GroupBy, string>,
  lists: { rule: 'Rules that hit', file: 'Scanned files', family: 'Families that hit' } satisfies Record<
    GroupBy,
    string
  >,
  find: 'Find a rule, family, tag, file or SHA-256',
  findShort: 'Rule, tag, file, SHA-256',
  filter: 'Show',
  filters: {
    all: 'all',
    hits: 'with hits',
    clean: 'no hits',
    trouble: 'failed',
    differs: 'differ',
    added: 'new',
    lost: 'lost',
    muted: 'muted',
  },
  narrowedTo: {
    rule: (name: string) => `Files hit by ${name}`,
    family: (name: string) => `Files hit by ${name} rules`,
  },
  allFiles: 'All files',
  noneTitle: 'No results',
  noneSentence: 'No result matches the filter.',
  noHitTitle: (words: string) => words.replace(/^n/, 'N'),
  noHitsYet: 'No hits yet',
  noRuleShown: 'No unmuted rule is shown',
  noFileShown: 'No file is shown',
  workspaceGone: 'The workspace was removed',
  scanBegins: 'Another scan is being prepared',
  nothingScanned: 'Nothing was scanned',
  noHitSentence: {
    running: 'The job is still running.',
    over: 'No rule matched. See Files for what else is known about each file.',
  },
  notScanned: (count: number) => `${files(count)} could not be scanned.`,
  showAll: 'Show all',
  listed: { rule: rules, file: files, family: counted('family', 'families') } satisfies Record<
    GroupBy,
    (count: number) => string
  >,

  noFamily: 'no family',
  hits: (count: number) => (count === 1 ? '1 hit' : `${formatNumber(count)} hits`),
  /** Of one rule, or of several: no string matched, or none that is shown. */
  byCondition: 'condition only',
  noneBut: (why: string) => `none, ${why}`,
  muted: (count: number) => `${formatNumber(count)} muted`,
  added: (count: number) => `${formatNumber(count)} new`,
  lost: (count: number) => `${formatNumber(count)} lost`,
  isNew: 'new',
  isLost: 'lost',
  isMuted: 'muted',
  differs: 'differs',
  notUnderstood: 'unexpected response',
  states: { waiting: 'waiting', failed: 'failed', cancelled: 'cancelled' },
  only: { service: 'rule editor only', local: 'local engine only' },
  foundBy: {
    service: (listed: string) => `${listed}, found by the rule editor`,
    local: (listed: string) => `${listed}, found by the local engine`,
  },
  more: (count: number) => `+${formatNumber(count)}`,

  group: (name: string) => `Group ${name}`,
  groupFacts: {
    files: 'Files',
    rules: 'Rules',
    matches: 'Matches',
    family: 'Family',
    tags: 'Tags',
    service: 'Found by rule editor in',
    local: 'Found by local engine in',
    muted: 'Muted in',
    added: 'New in',
    lost: 'Lost in',
  },
  showFiles: (count: number) => (count === 1 ? 'Show file' : `Show ${formatNumber(count)} files`),
  noChoice: 'No file selected',
  noChoiceSentence: 'Select a file to see its hits, matches and bytes.',

  file: (name: string) => `File ${name}`,
  rulesHit: (count: number) => `${rules(count)} hit`,
  noHits: (looked: string) => `No hits (${looked})`,
  notKnown: 'Hits unknown',
  hitList: 'Rules that hit this file',
  hitAside: (until: string | null, reason: string) => (until === null ? reason : `until ${until}, ${reason}`),
  atLeast: (count: number) => `${formatNumber(count)}+`,

  where: 'Scan details',
  rulesAndTime: (count: number, ms: number) =>
    `${count === 0 ? 'no hits' : `${rules(count)} hit`}, ${formatNumber(ms)} ms`,
  sideFailed: 'failed',
  sideUnknown: 'unexpected response',
  engine: 'Engine',
  package: 'Package',
  packageBoth: 'Package (both)',
  packageOf: { service: 'Package (rule editor)', local: 'Package (local)' },
  packageUnknown: 'unknown',
  showReply: 'Show reply',
  replyTitle: 'Reply from the rule editor',
  replyHead: 'Raw reply',
  replyLabel: 'Reply fields',
  replyCut: 'Shown as text, because it is truncated or not JSON.',
  copyReply: 'Copy reply',
  close: 'Close',
  agree: 'Both engines agree',
  differTitle: (count: number) => (count === 1 ? '1 rule differs' : `${formatNumber(count)} rules differ`),
  onlyLocal: (names: readonly string[]) => `The rule editor did not report ${named(names)}.`,
  onlyService: (names: readonly string[]) => `The local engine did not report ${named(names)}.`,
  otherPackages: 'The two engines used different packages.',
  withoutGlobal: 'global rule skipped',
  withoutGlobalTitle: (count: number) =>
    count === 1 ? '1 global rule was skipped' : `${count.toLocaleString('en')} global rules were skipped`,
  withoutGlobalSentence: (names: string) => `${names}. Global rules can suppress hits, so some of these may be false.`,
  namesLeftOutTitle: (count: number) =>
    count === 1 ? 'Not scanned under 1 of its names' : `Not scanned under ${count.toLocaleString('en')} of its names`,
  namesLeftOutSentence:
    'Rules that use the file name or extension ran with 32 names. They may also hit with the others.',
  cutTitle: 'Results are incomplete',
  cutSentence: 'There were more hits or matches than Vitrine stores, or some rules were not run.',

  facts: 'File details',
  sha256: 'SHA-256',
  md5: 'MD5',
  size: 'Size',
  tags: 'Tags',
  vault: 'Vault',
  inVault: 'in the vault',
  notInVault: 'not in the vault',
  copySha256: 'Copy SHA-256',

  showRule: 'Show rule',
  showRuleOf: (rule: string) => `Show rule ${rule}`,
  rulePlace: 'File',
  family: 'Family',
  namespace: 'Namespace',
  mutedUntil: 'Muted',
  unmute: 'Unmute',
  unmuteRule: (rule: string) => `Unmute ${rule}`,
  takenBack: 'until unmuted',
  until: (time: string) => `until ${time}`,
  perSide: 'Matches',
  perSideWords: (service: number, local: number) =>
    `${formatNumber(service)} by the rule editor, ${formatNumber(local)} by the local engine`,
  meta: 'Meta',
  moreMeta: (count: number) => `Show ${formatNumber(count)} more`,
  lostSentence: 'This rule hit in the previous hunt, but not in this one.',

  tracks: 'Matches along the file',
  bytesRow: 'Bytes, entropy',
  track: (rule: string, count: number, places: number) =>
    `${rule}: ${matches(count)} in ${places === 1 ? '1 place' : `${formatNumber(places)} places`}`,
  within: (count: number, bytes: number) => `${formatNumber(count)} within ${byte(bytes)}`,
  moreTracks: (count: number) => `${counted('more rule', 'more rules')(count)} in the list`,

  matchList: 'Matches',
  matchTable: (rule: string) => `Matches of ${rule}`,
  firstOf: (shown: number, total: string) => `${formatNumber(shown)} of ${total}`,
  noMatchTitle: 'No string matched',
  noMatchSentence: 'The rule matched on its condition alone, or its strings are private.',
  dataUnknown: 'bytes unknown',
  lengthUnknown: 'length unknown',
  wide: 'wide',
  atCursor: 'At the cursor',

  noHitsTitle: (name: string, looked: string) => `No hits in ${name} (${looked})`,
  noHitsBy: {
    local: (engine: string, count: string, version: string) =>
      `Scanned by the local engine (${engine}) with ${count}, package ${version}.`,
    service: (count: string, version: string) => `Scanned by the rule editor with ${count}, package ${version}.`,
    unknownRules: 'an unknown number of rules',
    unknownVersion: 'unknown',
  },
  huntNoHitsBy: (engine: string, count: number, version: string) =>
    `Scanned by the local engine (${engine}) with ${rules(count)}, package ${version}, in this hunt.`,
  knownTitle: 'Also known',
  showBytes: 'Show bytes',
  notUnderstoodTitle: 'Unexpected response from the rule editor',
  notUnderstoodSentence: 'Whether any rule hit is unknown. See the raw reply.',
  noResultTitle: { waiting: 'Not scanned yet', cancelled: 'Not scanned', failed: 'Not scanned', other: 'No result' },
  noResultSentence: {
    waiting: 'Results appear here as soon as the file is scanned.',
    cancelled: 'The job was cancelled before this file was scanned.',
    failed: 'The file could not be scanned.',
    other: 'Not every engine has returned a result.',
  },
  scanning: 'Scanning',

  copyWhat: {
    rule: 'Rule name',
    offset: 'Offset',
    text: 'Matches as text',
    csv: 'Matches as CSV',
    json: 'Matches as JSON',
  },
  copiedNews: (what: string) => `Copied: ${what}`,

  export: {
    verb: 'Export…',
    menu: 'Export results',
    ready: 'Results are ready',
    readySentence: 'The link works once.',
    save: 'Save results',
  },
  exportCase: 'Case with these files…',
  noCase: (why: string) => `Case not started: ${why}`,
  nothingListed: 'No files listed',
  caseTooMany: (most: number) => `More than ${most.toLocaleString('en')} files listed: filter the list first`,

  tag: 'Tag…',
  tagTitle: 'Tag samples',
  tagWhich: 'Samples',
  tagThis: 'This sample',
  tagListed: (count: number) => (count === 1 ? 'The listed sample' : `All ${formatNumber(count)} listed samples`),
  tagField: 'Tags',
  tagHint: 'Local tags, never sent.',
  /** A change of many names their number before it is made. */
  tagAdd: (count: number) => (count > manyTagged ? `Add tags to ${samples(count)}` : 'Add tags'),
  tagSave: 'Save tags',
  cancel: 'Cancel',
  tagged: (count: number, of: number) =>
    count >= of ? `${samples(count)} tagged` : `${samples(count)} tagged, ${formatNumber(of - count)} unchanged`,
  tagsNotSaved: (why: string) => `Tags not saved: ${why}`,
  nothingTagged: 'These samples already have these tags',
  notUndone: (what: string) => `Not undone: ${what}`,

  muteRule: 'Mute rule…',

  again: 'Scan again',
  againMenu: 'Scan again',
  againThis: 'This file',
  againListed: 'All listed files',
  againMissingTitle: 'The file is no longer available',
  againMissingSentence: 'Only samples in the vault can be scanned again. Drop the file here or download the sample.',
  againWhich: (sha256: string) => `SHA-256: ${sha256}. Nothing was started.`,
  tooMany: (limit: number) => `More than ${formatNumber(limit)} files listed`,
  tooManySentence: 'Filter the list first. Nothing was started.',
} as const;
