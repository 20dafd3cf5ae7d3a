import type { GroupBy } from '../../../app/scans/scan-places.tsx';
import { numberWords } from '../../../components/byte-words.ts';

const counted =
  (one: string, many: string) =>
  (count: number): string =>
    count === 1 ? `1 ${one}` : `${numberWords(count)} ${many}`;
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
  if (rest > 0) return `${shown.join(', ')} and ${numberWords(rest)} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

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
    trouble: 'in trouble',
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
  noneTitle: 'Nothing here',
  noneSentence: 'No result is like that.',
  noHitTitle: (words: string) => words.replace(/^n/, 'N'),
  noHitsYet: 'No hits yet',
  nothingScanned: 'Nothing was scanned',
  noHitSentence: {
    running: 'The job is still running.',
    over: 'No rule matched. Files lists what else is known of each file.',
  },
  notScanned: (count: number) => `${files(count)} could not be scanned.`,
  showAll: 'Show all',
  listed: { rule: rules, file: files, family: counted('family', 'families') } satisfies Record<
    GroupBy,
    (count: number) => string
  >,

  noFamily: 'no family',
  hits: (count: number) => (count === 1 ? '1 hit' : `${numberWords(count)} hits`),
  /** Of one rule, or of several: no string matched, or none that is told. */
  byCondition: 'condition only',
  noneBut: (why: string) => `none, ${why}`,
  muted: (count: number) => `${numberWords(count)} muted`,
  added: (count: number) => `${numberWords(count)} new`,
  lost: (count: number) => `${numberWords(count)} lost`,
  isNew: 'new',
  isLost: 'lost',
  isMuted: 'muted',
  differs: 'differs',
  notUnderstood: 'reply not understood',
  states: { waiting: 'waiting', failed: 'failed', cancelled: 'cancelled' },
  only: { service: 'only the rule editor', local: 'only the local engine' },
  foundBy: {
    service: (listed: string) => `${listed}, found by the rule editor`,
    local: (listed: string) => `${listed}, found by the local engine`,
  },
  more: (count: number) => `+${numberWords(count)}`,

  group: (name: string) => `Group ${name}`,
  groupFacts: {
    files: 'Files',
    rules: 'Rules',
    matches: 'Matches',
    family: 'Family',
    tags: 'Tags',
    service: 'Rule editor found it in',
    local: 'Local engine found it in',
    muted: 'Muted in',
    added: 'New in',
    lost: 'Lost in',
  },
  showFiles: (count: number) => (count === 1 ? 'Show the file' : `Show the ${numberWords(count)} files`),
  noChoice: 'Choose a file',
  noChoiceSentence: 'Its hits, its matches and its bytes are shown here.',

  file: (name: string) => `File ${name}`,
  rulesHit: (count: number) => `${rules(count)} hit`,
  noHits: (looked: string) => `No hits (${looked})`,
  notKnown: 'Hits not known',
  hitList: 'Rules that hit the file',
  hitAside: (until: string | null, reason: string) => (until === null ? reason : `until ${until}, ${reason}`),
  atLeast: (count: number) => `${numberWords(count)}+`,

  where: 'Where it was scanned',
  rulesAndTime: (count: number, ms: number) =>
    `${count === 0 ? 'no hits' : `${rules(count)} hit`}, ${numberWords(ms)} ms`,
  sideFailed: 'failed',
  sideUnknown: 'not understood',
  engine: 'Engine',
  package: 'Package',
  packageBoth: 'Package, both',
  packageOf: { service: 'Package, rule editor', local: 'Package, local' },
  packageUnknown: 'not said',
  showReply: 'Show reply',
  replyTitle: 'The reply of the rule editor',
  replyHead: 'The reply, as it came',
  replyLabel: 'Fields of the reply',
  replyCut: 'It is cut off here, or no JSON: shown as text.',
  copyReply: 'Copy reply',
  close: 'Close',
  agree: 'Both sides agree',
  differTitle: (count: number) => (count === 1 ? '1 rule differs' : `${numberWords(count)} rules differ`),
  onlyLocal: (names: readonly string[]) => `The rule editor did not report ${named(names)}.`,
  onlyService: (names: readonly string[]) => `The local engine did not find ${named(names)}.`,
  otherPackages: 'The two sides did not use the same package.',
  withoutGlobal: 'global rule left out',
  withoutGlobalTitle: (count: number) =>
    count === 1 ? 'A global rule was left out' : `${count.toLocaleString('en')} global rules were left out`,
  withoutGlobalSentence: (names: string) => `${names}. Hits here may be ones that it would have prevented.`,
  namesLeftOutTitle: (count: number) =>
    count === 1
      ? 'Not scanned under 1 more of its names'
      : `Not scanned under ${count.toLocaleString('en')} more of its names`,
  namesLeftOutSentence:
    'Rules that ask for a name or an extension were tried with 32 of them. Others of these rules may hit.',
  cutTitle: 'Not everything is here',
  cutSentence: 'There were more hits or matches than are kept, or some rules were not looked with.',

  facts: 'About the file',
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
  takenBack: 'until it is taken back',
  until: (time: string) => `until ${time}`,
  perSide: 'Matches',
  perSideWords: (service: number, local: number) =>
    `${numberWords(service)} by the rule editor, ${numberWords(local)} here`,
  meta: 'Meta',
  moreMeta: (count: number) => `${numberWords(count)} more`,
  lostSentence: 'It hit in the hunt before, and does not any more.',

  lanes: 'Matches along the file',
  bytesRow: 'Bytes, entropy',
  lane: (rule: string, count: number, places: number) =>
    `${rule}: ${matches(count)} in ${places === 1 ? '1 place' : `${numberWords(places)} places`}`,
  within: (count: number, bytes: number) => `${numberWords(count)} within ${byte(bytes)}`,
  moreLanes: (count: number) => `${rules(count)} more in the list`,

  matchList: 'Matches',
  matchTable: (rule: string) => `Matches of ${rule}`,
  firstOf: (shown: number, total: string) => `${numberWords(shown)} of ${total}`,
  noMatchTitle: 'No string matched',
  noMatchSentence: 'The condition of this rule holds without one, or its strings are private.',
  dataUnknown: 'bytes not said',
  lengthUnknown: 'length not said',
  wide: 'wide',
  atCursor: 'At the cursor',

  noHitsTitle: (name: string, looked: string) => `No hits in ${name} (${looked})`,
  noHitsBy: {
    local: (engine: string, count: string, version: string) =>
      `Scanned by the local engine (${engine}) with ${count} of package ${version}.`,
    service: (count: string, version: string) => `Scanned by the rule editor with ${count} of package ${version}.`,
    unknownRules: 'an unknown number of rules',
    unknownVersion: 'that it did not name',
  },
  huntNoHitsBy: (engine: string, count: number, version: string) =>
    `Scanned by the local engine (${engine}) with ${rules(count)} of package ${version} in this hunt.`,
  knownTitle: 'Also known',
  showBytes: 'Show its bytes',
  notUnderstoodTitle: 'The rule editor answered in a shape nobody knows',
  notUnderstoodSentence: 'Whether a rule hit is not known. The reply is shown as it came.',
  noResultTitle: { waiting: 'Not scanned yet', cancelled: 'Not scanned', failed: 'Not scanned', other: 'No result' },
  noResultSentence: {
    waiting: 'Its results are shown as soon as they are here.',
    cancelled: 'The job was cancelled before its turn.',
    failed: 'It could not be scanned.',
    other: 'Not every side that was asked has answered.',
  },
  scanning: 'Being scanned',

  copyWhat: {
    rule: 'Rule name',
    offset: 'Offset',
    text: 'Matches as text',
    csv: 'Matches as CSV',
    json: 'Matches as JSON',
  },
  copiedNews: (what: string) => `Copied: ${what}`,

  export: {
    verb: 'Export',
    menu: 'Export the results',
    ready: 'The results are ready',
    readySentence: 'Its link works once.',
    save: 'Save the results',
  },
  exportCase: 'A case of these files…',
  noCase: (why: string) => `No case was begun: ${why}`,
  nothingListed: 'No file is listed',
  caseTooMany: (most: number) => `More than ${most.toLocaleString('en')} files are listed: narrow them down first`,

  tag: 'Tag',
  tagTitle: 'Tag samples',
  tagWhich: 'Which',
  tagThis: 'The sample that is shown',
  tagListed: (count: number) => `The ${count === 1 ? 'sample' : samples(count)} listed`,
  tagField: 'Tags',
  tagHint: 'Tags of this desk alone. Nothing is sent.',
  tagAdd: 'Tag',
  tagSave: 'Save tags',
  cancel: 'Cancel',
  tagged: (count: number) => `${samples(count)} tagged`,
  tagsNotSaved: (why: string) => `The tags were not saved: ${why}`,
  nothingTagged: 'They have these tags already',
  notUndone: (what: string) => `Not undone: ${what}`,

  muteRule: 'Mute rule',

  again: 'Scan again',
  againMenu: 'Scan again',
  againThis: 'The file that is shown',
  againListed: 'All files listed',
  againMissingTitle: 'Its bytes are not here any more',
  againMissingSentence:
    'Only samples in the vault can be scanned again. Drop the file on the page, or download the sample.',
  againWhich: (sha256: string) => `Its SHA-256 is ${sha256}. Nothing was begun.`,
  tooMany: (limit: number) => `More than ${numberWords(limit)} files are listed`,
  tooManySentence: 'Narrow them down. Nothing was begun.',
} as const;
