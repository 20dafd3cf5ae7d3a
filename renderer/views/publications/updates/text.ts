import { numberWords, sizeWords } from '../../../components/byte-words.ts';

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${numberWords(count)} ${many}`;
const rules = (count: number): string => counted(count, 'rule', 'rules');
const days = (count: number): string => counted(count, 'day', 'days');

/** English of the updates. */
export const text = {
  notKnownYet: 'Reading the packages',
  rules,

  emptyTitle: 'No rules are installed',
  emptySentence:
    'A check asks the rule editor for its newest publication, fetches it and compiles it here. Nothing is installed until you say so.',
  emptyWithout:
    'This workspace names no rule editor, so nothing can be asked. Rules can be installed from files without one.',
  checkNow: 'Check now',
  openFile: 'Install from files…',
  filesName: (first: string, others: number) => (others === 0 ? first : `${first} and ${numberWords(others)} more`),
  updates: 'Updates',
  dropHere: 'Drop rule files, ZIPs or a folder to open them as one package',
  openWorkspaces: 'Open settings',

  checking: 'Check',
  phases: {
    asking: 'Asking the rule editor',
    fetching: 'Fetching',
    gathering: 'Reading the files',
    opening: 'Opening the package',
    compiling: 'Compiling',
  },
  fetched: (done: number, total: number | null) =>
    total === null ? sizeWords(done) : `${sizeWords(done)} of ${sizeWords(total)}`,
  gathered: (done: number, total: number | null) =>
    total === null ? numberWords(done) : `${numberWords(done)} of ${numberWords(total)}`,
  compiled: (done: number, total: number | null) =>
    total === null ? rules(done) : `${numberWords(done)} of ${rules(total)}`,
  cancel: 'Cancel',

  packages: 'Packages',
  keptHere: (count: number) => `${numberWords(count)} kept here`,
  isNew: 'New',
  active: 'Active',
  pinned: 'Pinned',
  unopened: 'Cannot be opened here',
  activeShortly: 'was active for under an hour',
  activeHours: (count: number) => `was active for ${counted(count, 'hour', 'hours')}`,
  activeDays: (count: number) => `was active for ${days(count)}`,
  groupAndSize: (group: string | null, bytes: number) =>
    group === null ? sizeWords(bytes) : `${group}, ${sizeWords(bytes)}`,
  rollBack: 'Roll back to this',
  rollBackTo: (version: string) => `Roll back to ${version}`,
  rollBackFoot: 'Rolling back needs no network and takes one step.',
  packageMenu: (version: string) => `More for ${version}`,
  pin: 'Pin this version',
  unpin: 'Unpin',
  export: 'Export…',
  remove: 'Remove…',
  removeTitle: (version: string) => `Remove ${version} from this computer?`,
  removeThen:
    'It cannot be rolled back to any more. What is published stays published, and the active package stays as it is.',
  removeActive: 'in use',
  keep: 'Keep it',
  removePackage: 'Remove the package',
  removed: (version: string) => `${version} was removed`,
  exportTitle: (version: string) => `Export ${version}?`,
  exportSentence: 'The package leaves as it was received, in a password ZIP. Another desk opens it as a package file.',
  notExported: (version: string, why: string) => `${version} was not exported: ${why}`,
  exportedTo: (name: string, folder: string) => `${name} is in ${folder}`,

  changes: 'Changes',
  stay: (count: number) => (count === 1 ? '1 rule stays as it is' : `${numberWords(count)} rules stay as they are`),
  inUse: (count: number) => `${rules(count)} in use`,
  signs: { broken: '!', changed: '~', added: '+', removed: '−', moved: '→' },
  spoken: { broken: 'broken', changed: 'changed', added: 'new', removed: 'gone', moved: 'moved' },
  lineOf: (file: string, line: number) => (line === 0 ? file : `${file}, line ${numberWords(line)}`),
  linesChanged: (added: number, removed: number) =>
    [added > 0 && `+${numberWords(added)}`, removed > 0 && `−${numberWords(removed)}`].filter(Boolean).join(' '),
  uses: (variables: readonly string[]) => `uses ${variables.join(', ')}`,
  parts: {
    modifiers: 'modifiers',
    tags: 'tags',
    meta: 'meta',
    strings: 'strings',
    condition: 'condition',
    layout: 'layout',
  },
  shortKinds: { broken: '', changed: '', added: 'new', removed: 'gone', moved: 'moved' },
  shortParts: {
    modifiers: 'modifiers',
    tags: 'tags',
    meta: 'meta',
    strings: 'strings',
    condition: 'condition',
    layout: 'layout',
  },
  muted: 'muted',
  brokenHead: (count: number, causes: number) =>
    `${counted(count, 'does', 'do')} not compile, ${counted(causes, 'cause', 'causes')}`,
  kindsOfChange: 'Kind of change',
  partsOfChange: 'Changed parts',
  chips: { all: 'all', changed: 'changed', added: 'new', removed: 'gone', moved: 'moved', broken: 'broken' },
  findChange: 'Find by name, file, tag or author',
  findChangeShort: 'Name, file, tag, author',
  sortBy: 'Order',
  sorts: { file: 'By file', name: 'By name', size: 'By size' },
  listed: (listed: number, all: number) =>
    listed === all ? `All ${numberWords(all)} listed` : `${numberWords(listed)} of ${numberWords(all)} listed`,
  hidden: (parts: string) => `Hidden: ${parts}`,
  hiddenPart: (count: number, part: string) => `${numberWords(count)} ${part}`,
  layoutOnly: 'same rules, other blanks, comments or order',
  showLayout: (count: number) => `Show ${numberWords(count)} layout only`,
  hideLayout: (count: number) => `Hide ${numberWords(count)} layout only`,
  onlyLayout: 'Only the layout of rules changed.',
  noneFits: 'No rule matches',
  noneFitsThen: 'No change has these words and this kind.',
  clearFilters: 'Clear filters',
  needsModule: (name: string) => `Needs module ${name}`,
  needsRule: (name: string) => `Needs the broken rule ${name}`,
  refusedStrictly: 'Refused by strict mode, YARA takes it',
  relaxedTakes: 'relaxed mode takes it',
  yaraTakes: 'YARA takes it',
  inFiles: (count: number) => `${numberWords(count)} files`,
  causes: {
    duplicate: 'The name is taken',
    include: 'An include is missing',
    text: 'Not a rule',
    limit: 'Too slow or too large to compile',
    file: 'A file was not read',
    uses: 'Uses a rule that is not there',
  },
  causeGroup: (count: number, files: number) =>
    `${counted(count, 'rule or line', 'rules or lines')} in ${counted(files, 'file', 'files')}, all for this cause.`,
  openGroup: 'Enter opens and closes the group.',
  fileGroup: (count: number) => `${rules(count)} listed in this file. Enter opens and closes the group.`,
  brokenGroup: 'These rules are left out when the package is installed. They are grouped by cause.',
  moduleThen: 'YARA-X has no such module, in strict and in relaxed mode.',
  ruleThen: 'These rules compile once that rule does.',
  strictThen: 'YARA 4 takes this regular expression. Relaxed regular expressions take it here too.',
  yaraThen: 'YARA 4 takes these rules; no mode of YARA-X does.',
  engineWords: 'Message of the engine',
  blanks: 'Show blanks',
  wrap: 'Wrap lines',
  showCause: 'Show',
  showCauseOf: (cause: string) => `Show: ${cause}`,
  tryTitle: 'Try on known-good files',
  tryChoose: 'Choose a folder…',
  tryAgain: 'Try again…',
  tryStaging: (done: number, files: number) => `Reading ${numberWords(done)} of ${counted(files, 'file', 'files')}`,
  tryCompiling: 'Compiling rules',
  tryScanning: (done: number, files: number) => `Scanning ${numberWords(done)} of ${counted(files, 'file', 'files')}`,
  tryCancelled: (done: number, files: number) =>
    `Cancelled after ${numberWords(done)} of ${counted(files, 'file', 'files')}`,
  tryFailed: 'Failed',
  tryNoRules: 'No rule is new or changed, so nothing was scanned',
  tryDone: (count: number, done: number, files: number) =>
    `${counted(count, 'new or changed rule', 'new or changed rules')}, ${numberWords(done)} of ${counted(files, 'file', 'files')} scanned`,
  tryNotScanned: (count: number) => `${counted(count, 'file was', 'files were')} not scanned`,
  tryNone: (count: number) => `No new hits (${rules(count)})`,
  tryColumns: { rule: 'Would newly hit', change: 'Change', files: 'Files', example: 'For example' },
  exportDiff: 'Export diff…',
  diffFormats: { patch: 'Patch', json: 'JSON' },
  exportDiffTitle: (format: string) => `Export the difference as ${format}?`,
  exportDiffSentence: {
    patch: 'A unified diff of the files, as git apply takes it, in a password ZIP: it is live rule text.',
    json: 'What changed in each rule, without rule text, in a password ZIP.',
  },
  diffNotExported: (why: string) => `The difference was not exported: ${why}`,
  only: (part: string) => `${part} only`,
  movedFrom: (file: string) => `from ${file}`,
  brokenNow: 'broken now',
  noChanges: 'The rules are the same.',
  noBroken: 'Every rule of the active package compiles.',
  nothingToCompare: 'Nothing to compare.',
  comparing: 'Comparing the rules',
  mutesFlagged: (count: number, first: string) =>
    count === 1
      ? `The muted rule ${first} is another one now.`
      : `${numberWords(count)} muted rules are other ones now, ${first} among them.`,
  mutesToBe: (count: number, first: string) =>
    count === 1
      ? `The muted rule ${first} would be another one.`
      : `${numberWords(count)} muted rules would be other ones, ${first} among them.`,
  lookAtMutes: (count: number) => (count === 1 ? 'Look at the mute' : 'Look at the mutes'),

  compare: 'What an update would change',
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  isActive: (version: string) => `${version} is active`,
  counts: (added: number, removed: number, changed: number) =>
    `+${numberWords(added)} −${numberWords(removed)} ~${numberWords(changed)}`,
  compile: (good: number, all: number) =>
    good === all ? `all ${rules(all)} compile` : `${numberWords(good)} of ${rules(all)} compile`,
  steps: {
    install: (version: string, words: string | null) =>
      words === null ? `Install ${version}` : `Install ${version} (${words})`,
    update: (version: string, words: string | null) =>
      words === null ? `Update to ${version}` : `Update to ${version} (${words})`,
    rollback: (version: string, words: string | null) =>
      words === null ? `Roll back to ${version}` : `Roll back to ${version} (${words})`,
  },
  done: {
    install: (version: string) => `${version} is installed`,
    update: (version: string) => `Updated to ${version}`,
    rollback: (version: string) => `Rolled back to ${version}`,
  },
  huntAfterwards: 'Hunt the vault afterwards',
  huntTime: (about: string) => `Takes ${about}.`,
  huntSamples: (count: number) => (count === 1 ? '1 sample' : `${numberWords(count)} samples`),
  hunting: (count: number) =>
    count === 1 ? 'Hunting through 1 sample' : `Hunting through ${numberWords(count)} samples`,
  showHunt: 'Show',
  undone: (version: string) => `${version} is active again`,

  brokenTitle: (count: number) =>
    count === 1
      ? '1 line does not make a rule that works, and is left out'
      : `${numberWords(count)} rules or lines do not compile, and are left out`,
  brokenOneTitle: (rule: string) => `The rule ${rule} is left out`,
  brokenInPlace: (line: string, words: string) => `${line}: ${words}`,
  brokenKinds: {
    engine: 'does not compile',
    duplicate: 'the name is taken',
    uses: 'it uses a broken rule',
    include: 'what it includes is not in the package',
    text: 'is no rule',
    limit: 'took too long or too much',
    file: 'was not read',
  },
  othersInstalled: (count: number) =>
    count === 1 ? 'The other one is installed.' : `The other ${numberWords(count)} are installed.`,
  othersInUse: (count: number) =>
    count === 1 ? 'The other one is in use.' : `The other ${numberWords(count)} are in use.`,
  noneLeft: 'No rule of the package can be used.',
  showLine: 'Show line',
  showLineOf: (place: string) => `Show line: ${place}`,
  showRest: (count: number) => `${numberWords(count)} more`,

  warnings: {
    backwards: {
      title: (version: string, active: string) => `${version} is older than ${active}, which is active`,
      then: 'The versions go backwards. Rules that are newer would go.',
    },
    'same-version': {
      title: (version: string) => `${version} is active already, with other bytes`,
      then: 'Somebody published other rules under the version that is installed.',
    },
    'manifest-contradicts': {
      title: () => 'The manifest of this package tells of something else',
      then: 'Its files, their hashes or its version are not what it says. The rules themselves are compared below.',
    },
  },
  pinnedTitle: (version: string) => `${version} is pinned`,
  pinnedThen: 'No other package is installed while it is.',
  policyTitle: (count: number) =>
    `This workspace takes no package with broken rules, and this one has ${numberWords(count)}`,
  policyThen: 'The active package stays. The update settings say otherwise if you want them to.',
  openUpdateSettings: 'Update settings',
  keptUnopened: 'It is kept as it was received.',

  unsureTitle: 'The reply of the rule editor does not tell whether there is something newer',
  unsureThen: (fields: string) => `Not found: ${fields}. Nothing was fetched.`,
  fields: { outdated: 'whether yours is outdated', version: 'the newest version', id: 'the id to fetch' },
  showReply: 'Look at the reply',
  mapTitle: 'Which fields of the reply mean what?',
  mapSentence: 'Replies of rule editors differ. What is chosen here is kept for this workspace.',
  reply: 'Reply of the rule editor',
  replyCut: 'The reply is long or no JSON. Its beginning:',
  mapFields: { outdated: 'Yours is outdated', version: 'Newest version', id: 'Id of the publication' },
  notFound: (field: string) => `${field} (not found)`,
  byName: 'Found by its name',
  mapChoice: (pointer: string, value: string) => `${pointer}: ${value}`,
  mapMissing: (pointer: string) => `${pointer}: not in this reply`,
  saveAndCheck: 'Save and check again',

  ruleDiff: (rule: string) => `What is different in ${rule}`,
  source: (rule: string) => `Source of ${rule}`,
  noSource: 'This line belongs to no rule, so there is no text to show.',
  previousRule: 'Previous rule',
  nextRule: 'Next rule',
  sideBySide: 'Side by side',
  unified: 'One column',
  loadingRule: 'Reading the rule',
  fold: (count: number) => `${counted(count, 'line is', 'lines are')} the same`,
  unfoldShort: 'Show',
  unfold: (count: number) => `Show ${counted(count, 'line', 'lines')} that ${count === 1 ? 'is' : 'are'} the same`,
  onlyMoved: (from: string, to: string) => `It moved from ${from} to ${to}, and its text is the same.`,
  cut: 'The text is long, and cut here. The counts are of all of it.',

  factNames: {
    version: 'Version',
    group: 'Group',
    published: 'Published',
    source: 'Came from',
    received: 'Received',
    since: 'Active since',
    size: 'Size',
    files: 'Files',
    rules: 'Rules',
    broken: 'Left out',
    sha256: 'SHA-256',
  },
  sources: { service: 'the rule editor', file: 'a file' },
  noGroup: 'not said',

  openAsTitle: 'Install files as a version',
  openAsSentence:
    'For files that do not say their version. They are copied here, opened and compiled. Nothing is installed yet.',
  version: 'Version',
  versionHint: 'Left empty: what the package says, or else the name of the file.',
  chooseFile: 'Choose files',

  removalTitle: (version: string, removed: number, all: number) =>
    `${version} would remove ${numberWords(removed)} of ${rules(all)}`,
  removalThen:
    'That is more than a fifth of the rules in use. Samples that only these rules find are not found any more.',
  removalAsks: 'That is more than a fifth of the rules in use. The update asks before it removes them.',
  showRemoved: (count: number) => (count === 1 ? 'Show it' : `Show the ${numberWords(count)}`),
  installAll: 'Install and remove them',

  fromFile: (name: string) => `from ${name}`,
  readingTitle: (encodings: string) => `Not UTF-8: ${encodings}`,
  latin1: (count: number) => `${counted(count, 'file', 'files')} in Latin-1`,
  utf16Unmarked: (count: number) => `${counted(count, 'file', 'files')} in UTF-16 without a byte order mark`,
  guessThen: 'Rules with such characters are left out. A conversion keeps the bytes that their strings look for.',
  convert: 'Convert to UTF-8',
  leftOut: (count: number) =>
    count === 1 ? '1 other file was left out' : `${numberWords(count)} other files were left out`,
  links: (count: number) => (count === 1 ? '1 link was not followed' : `${numberWords(count)} links were not followed`),
  utf16: (count: number) => `${counted(count, 'file', 'files')} converted from UTF-16`,
  bareReturns: (count: number) => `${counted(count, 'file', 'files')} with only carriage returns`,

  settingsTitle: 'Update settings',
} as const;
