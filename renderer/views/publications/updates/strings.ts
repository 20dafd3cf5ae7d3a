import { formatNumber, formatSize } from '../../../components/format.ts';

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`;
const rules = (count: number): string => counted(count, 'rule', 'rules');
const days = (count: number): string => counted(count, 'day', 'days');

/** English of the updates. */
export const text = {
  notKnownYet: 'Loading packages',
  rules,

  emptyTitle: 'No rules are installed',
  emptySentence: '“Check now” fetches and compiles the newest publication. Nothing is installed until you confirm.',
  emptyWithout: 'No rule editor configured. You can still install rules from files.',
  emptyExport:
    'This rule editor has no publications. Its files of rules can be fetched as a package. ' +
    'Nothing is installed until you confirm.',
  emptyNotAllowed:
    'This rule editor has no publications. Its files are not fetched, because this workspace does not use actions ' +
    'beyond the documented ones. You can still install rules from files.',
  emptyNothing:
    'This rule editor has no publications and does not export files. You can still install rules from files.',
  fetchFiles: 'Fetch files',
  checkNow: 'Check now',
  openFile: 'Install from files…',
  filesName: (first: string, others: number) => (others === 0 ? first : `${first} and ${formatNumber(others)} more`),
  updates: 'Updates',
  dropHere: 'Drop rule files, ZIPs or a folder to open them as one package',
  openWorkspaces: 'Open settings',

  checking: 'Check',
  phases: {
    asking: 'Contacting the rule editor',
    fetching: 'Fetching',
    gathering: 'Reading the files',
    opening: 'Opening the package',
    compiling: 'Compiling',
  },
  fetched: (done: number, total: number | null) =>
    total === null ? formatSize(done) : `${formatSize(done)} of ${formatSize(total)}`,
  gathered: (done: number, total: number | null) =>
    total === null ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`,
  compiled: (done: number, total: number | null) =>
    total === null ? rules(done) : `${formatNumber(done)} of ${rules(total)}`,
  cancel: 'Cancel',

  packages: 'Packages',
  keptHere: (count: number) => `${formatNumber(count)} stored`,
  isNew: 'New',
  active: 'Active',
  pinned: 'Pinned',
  unopened: 'Cannot be opened',
  activeShortly: 'was active for under an hour',
  activeHours: (count: number) => `was active for ${counted(count, 'hour', 'hours')}`,
  activeDays: (count: number) => `was active for ${days(count)}`,
  groupAndSize: (group: string | null, bytes: number) =>
    group === null ? formatSize(bytes) : `${group}, ${formatSize(bytes)}`,
  rollBack: 'Roll back to this',
  rollBackTo: (version: string) => `Roll back to ${version}`,
  rollBackFoot: 'Rolling back works offline.',
  packageMenu: (version: string) => `More actions for ${version}`,
  pin: 'Pin this version',
  unpin: 'Unpin',
  export: 'Export…',
  remove: 'Remove…',
  removeTitle: (version: string) => `Remove ${version} from this computer?`,
  removeThen: 'You can no longer roll back to it. The published version and the active package are not affected.',
  removeActive: 'in use',
  keep: 'Cancel',
  removePackage: 'Remove package',
  removed: (version: string) => `${version} removed`,
  exportTitle: (version: string) => `Export ${version}?`,
  exportSentence: 'The package as received, in a password-protected ZIP. Vitrine can install it from this file.',
  notExported: (version: string, why: string) => `${version} was not exported: ${why}`,
  exportedTo: (name: string, folder: string) => `Exported ${name} to ${folder}`,

  changes: 'Changes',
  stay: (count: number) => `${rules(count)} unchanged`,
  inUse: (count: number) => `${rules(count)} in use`,
  signs: { broken: '!', changed: '~', added: '+', removed: '−', moved: '→' },
  spoken: { broken: 'broken', changed: 'changed', added: 'new', removed: 'removed', moved: 'moved' },
  lineOf: (file: string, line: number) => (line === 0 ? file : `${file}, line ${formatNumber(line)}`),
  linesChanged: (added: number, removed: number) =>
    [added > 0 && `+${formatNumber(added)}`, removed > 0 && `−${formatNumber(removed)}`].filter(Boolean).join(' '),
  uses: (variables: readonly string[]) => `uses ${variables.join(', ')}`,
  parts: {
    modifiers: 'modifiers',
    tags: 'tags',
    meta: 'meta',
    strings: 'strings',
    condition: 'condition',
    layout: 'layout',
  },
  shortKinds: { broken: '', changed: '', added: 'new', removed: 'removed', moved: 'moved' },
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
  chips: { all: 'all', changed: 'changed', added: 'new', removed: 'removed', moved: 'moved', broken: 'broken' },
  findChange: 'Find by name, file, tag or author',
  findChangeShort: 'Name, file, tag, author',
  sortBy: 'Order',
  sorts: { file: 'By file', name: 'By name', size: 'By size' },
  listed: (listed: number, all: number) =>
    listed === all ? `All ${formatNumber(all)} listed` : `${formatNumber(listed)} of ${formatNumber(all)} listed`,
  hidden: (parts: string) => `Hidden: ${parts}`,
  hiddenPart: (count: number, part: string) => `${formatNumber(count)} ${part}`,
  layoutOnly: 'only whitespace, comments or order differ',
  showLayout: (count: number) => `Show ${counted(count, 'layout-only change', 'layout-only changes')}`,
  hideLayout: (count: number) => `Hide ${counted(count, 'layout-only change', 'layout-only changes')}`,
  onlyLayout: 'Only the layout changed.',
  noneFits: 'No changes found',
  noneFitsThen: 'No change matches the search and filters.',
  clearFilters: 'Clear filters',
  needsModule: (name: string) => `Needs module ${name}`,
  needsRule: (name: string) => `Needs the broken rule ${name}`,
  refusedStrictly: 'Rejected in strict mode, accepted by YARA',
  relaxedTakes: 'accepted in relaxed mode',
  yaraTakes: 'accepted by YARA',
  inFiles: (count: number) => `${formatNumber(count)} files`,
  causes: {
    duplicate: 'Duplicate rule name',
    include: 'Missing include',
    text: 'Not a rule',
    limit: 'Too slow or too large to compile',
    file: 'Unreadable file',
    uses: 'Uses a missing rule',
  },
  causeGroup: (count: number, files: number) =>
    `${counted(count, 'rule or line', 'rules or lines')} in ${counted(files, 'file', 'files')}, same cause.`,
  openGroup: 'Press Enter to expand or collapse.',
  fileGroup: (count: number) => `${rules(count)} listed in this file. Press Enter to expand or collapse.`,
  brokenGroup: 'Broken rules, grouped by cause. Installing the package skips them.',
  moduleThen: 'YARA-X does not have this module.',
  ruleThen: 'These rules compile once that rule is fixed.',
  strictThen: 'YARA 4 accepts this regular expression. Turn on relaxed regular expressions to use it here.',
  yaraThen: 'YARA 4 accepts these rules. YARA-X does not.',
  engineWords: 'Engine message',
  blanks: 'Show whitespace',
  wrap: 'Wrap lines',
  showCause: 'Show',
  showCauseOf: (cause: string) => `Show: ${cause}`,
  tryTitle: 'Try on known-good files',
  tryChoose: 'Choose folder…',
  tryAgain: 'Try again…',
  tryStaging: (done: number, files: number) => `Reading ${formatNumber(done)} of ${counted(files, 'file', 'files')}`,
  tryCompiling: 'Compiling rules',
  tryScanning: (done: number, files: number) => `Scanning ${formatNumber(done)} of ${counted(files, 'file', 'files')}`,
  tryCancelled: (done: number, files: number) =>
    `Cancelled after ${formatNumber(done)} of ${counted(files, 'file', 'files')}`,
  tryFailed: 'Failed',
  tryNoRules: 'No new or changed rules, so nothing was scanned',
  tryDone: (count: number, done: number, files: number) =>
    `${counted(count, 'new or changed rule', 'new or changed rules')}, ` +
    `${formatNumber(done)} of ${counted(files, 'file', 'files')} scanned`,
  tryNotScanned: (count: number) => `${counted(count, 'file was', 'files were')} not scanned`,
  tryNone: (count: number) => `No new hits (${rules(count)})`,
  tryColumns: { rule: 'Rule with new hits', change: 'Change', files: 'Files', example: 'Example' },
  exportDiff: 'Export diff…',
  diffFormats: { patch: 'Patch', json: 'JSON' },
  exportDiffTitle: (format: string) => `Export diff as ${format}?`,
  exportDiffSentence: {
    patch: 'A unified diff for git apply, in a password-protected ZIP because it contains rule text.',
    json: 'The changes to each rule, without rule text, in a password-protected ZIP.',
  },
  diffNotExported: (why: string) => `The diff was not exported: ${why}`,
  only: (part: string) => `${part} only`,
  movedFrom: (file: string) => `from ${file}`,
  brokenNow: 'broken now',
  noChanges: 'No rule changes.',
  noBroken: 'All rules of the active package compile.',
  nothingToCompare: 'Nothing to compare.',
  comparing: 'Comparing rules',
  mutesFlagged: (count: number, first: string) =>
    count === 1
      ? `The muted rule ${first} has changed.`
      : `${formatNumber(count)} muted rules have changed, including ${first}.`,
  mutesToBe: (count: number, first: string) =>
    count === 1
      ? `This update changes ${first}, which you muted.`
      : `This update changes ${formatNumber(count)} muted rules, including ${first}.`,
  lookAtMutes: (count: number) => (count === 1 ? 'Review mute' : 'Review mutes'),

  compare: 'Update preview',
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  isActive: (version: string) => `${version} is active`,
  counts: (added: number, removed: number, changed: number) =>
    `+${formatNumber(added)} −${formatNumber(removed)} ~${formatNumber(changed)}`,
  compile: (good: number, all: number) =>
    good === all ? `all ${rules(all)} compile` : `${formatNumber(good)} of ${rules(all)} compile`,
  steps: {
    install: (version: string, words: string | null) =>
      words === null ? `Install ${version}` : `Install ${version} (${words})`,
    update: (version: string, words: string | null) =>
      words === null ? `Update to ${version}` : `Update to ${version} (${words})`,
    rollback: (version: string, words: string | null) =>
      words === null ? `Roll back to ${version}` : `Roll back to ${version} (${words})`,
  },
  done: {
    install: (version: string) => `Installed ${version}`,
    update: (version: string) => `Updated to ${version}`,
    rollback: (version: string) => `Rolled back to ${version}`,
  },
  huntAfterwards: 'Hunt the vault afterwards',
  huntTime: (about: string) => `Takes ${about}.`,
  huntSamples: (count: number) => (count === 1 ? '1 sample' : `${formatNumber(count)} samples`),
  hunting: (count: number) =>
    count === 1 ? 'Hunting through 1 sample' : `Hunting through ${formatNumber(count)} samples`,
  showHunt: 'Show',
  undone: (version: string) => `${version} is active again`,

  brokenTitle: (count: number) =>
    count === 1
      ? '1 rule or line does not compile and is skipped'
      : `${formatNumber(count)} rules or lines do not compile and are skipped`,
  brokenOneTitle: (rule: string) => `Rule ${rule} is skipped`,
  brokenInPlace: (line: string, words: string) => `${line}: ${words}`,
  brokenKinds: {
    engine: 'does not compile',
    duplicate: 'duplicate rule name',
    uses: 'uses a broken rule',
    include: 'the included file is not in the package',
    text: 'not a rule',
    limit: 'too slow or too large to compile',
    file: 'could not be read',
  },
  othersInstalled: (count: number) =>
    count === 1 ? 'The other rule can be installed.' : `The other ${formatNumber(count)} rules can be installed.`,
  othersInUse: (count: number) =>
    count === 1 ? 'The other rule is in use.' : `The other ${formatNumber(count)} rules are in use.`,
  noneLeft: 'No rule of the package compiles.',
  showLine: 'Show line',
  showLineOf: (place: string) => `Show line: ${place}`,
  showRest: (count: number) => `${formatNumber(count)} more`,

  warnings: {
    backwards: {
      title: (version: string, active: string) => `${version} is older than the active ${active}`,
      then: 'Installing it may remove newer rules.',
    },
    'same-version': {
      title: (version: string) => `${version} is already active, with different content`,
      then: 'Different rules were published under the installed version.',
    },
    'manifest-contradicts': {
      title: () => 'The manifest does not match this package',
      then: 'Files, hashes or the version differ from the manifest. The comparison below uses the actual rules.',
    },
  },
  pinnedTitle: (version: string) => `${version} is pinned`,
  pinnedThen: 'Unpin it to install another package.',
  policyTitle: (count: number) =>
    `This workspace does not install broken rules, and this package has ${formatNumber(count)}`,
  policyThen: 'The active package stays in use. You can change this in the update settings.',
  openUpdateSettings: 'Update settings…',
  keptUnopened: 'It is stored as received.',

  unsureTitle: 'Unexpected response from the rule editor',
  unsureThen: (fields: string) => `Fields not found: ${fields}. Nothing was fetched.`,
  fields: { outdated: 'update available', version: 'newest version', id: 'publication ID' },
  showReply: 'Show reply',
  mapTitle: 'Map reply fields',
  mapSentence: 'Choose the fields Vitrine reads from this rule editor. The choice is saved for this workspace.',
  reply: 'Rule editor reply',
  replyCut: 'The reply is too long or not JSON. Its first part:',
  mapFields: { outdated: 'Update available', version: 'Newest version', id: 'Publication ID' },
  notFound: (field: string) => `${field} (not found)`,
  byName: 'Automatic (by name)',
  mapChoice: (pointer: string, value: string) => `${pointer}: ${value}`,
  mapMissing: (pointer: string) => `${pointer}: not in this reply`,
  saveAndCheck: 'Save and check again',

  ruleDiff: (rule: string) => `Diff of ${rule}`,
  source: (rule: string) => `Source of ${rule}`,
  noSource: 'No source: this line is not part of a rule.',
  previousRule: 'Previous rule',
  nextRule: 'Next rule',
  sideBySide: 'Side by side',
  unified: 'Unified',
  loadingRule: 'Loading rule',
  fold: (count: number) => counted(count, 'unchanged line', 'unchanged lines'),
  unfoldShort: 'Show',
  unfold: (count: number) => `Show ${counted(count, 'unchanged line', 'unchanged lines')}`,
  onlyMoved: (from: string, to: string) => `Moved from ${from} to ${to}. The text is unchanged.`,
  cut: 'Long text, shortened. The counts cover all of it.',

  factNames: {
    version: 'Version',
    group: 'Group',
    published: 'Published',
    source: 'Source',
    received: 'Received',
    since: 'Active since',
    size: 'Size',
    files: 'Files',
    rules: 'Rules',
    broken: 'Broken',
    sha256: 'SHA-256',
  },
  sources: { service: 'Rule editor', export: 'Exported from the rule editor', file: 'File' },
  exported: (files: number) => `exported from the rule editor, ${counted(files, 'file', 'files')}`,
  emptyFiles: (count: number, names: readonly string[]) =>
    `${counted(count, 'file', 'files')} without rules skipped: ${names.join(', ')}${count > names.length ? ', …' : ''}`,
  noGroup: 'not set',

  openAsTitle: 'Install files as a version',
  openAsSentence: 'For files without a version. They are copied, opened and compiled. Nothing is installed yet.',
  version: 'Version',
  versionHint: 'If empty: the version in the package, otherwise the file name.',
  chooseFile: 'Choose files…',

  removalTitle: (version: string, removed: number, all: number) =>
    `${version} would remove ${formatNumber(removed)} of ${rules(all)}`,
  removalThen: 'More than a fifth of the rules in use. Samples that only these rules find will no longer be found.',
  removalAsks: 'More than a fifth of the rules in use. Removing them needs a confirmation.',
  showRemoved: (count: number) => (count === 1 ? 'Show rule' : `Show ${formatNumber(count)} rules`),
  installAll: 'Install and remove',

  fromFile: (name: string) => `from ${name}`,
  readingTitle: (encodings: string) => `Not UTF-8: ${encodings}`,
  latin1: (count: number) => `${counted(count, 'file', 'files')} in Latin-1`,
  utf16Unmarked: (count: number) => `${counted(count, 'file', 'files')} in UTF-16 without a byte order mark`,
  guessThen: 'Rules with these characters are skipped. Converting keeps the bytes that their strings match.',
  convert: 'Convert to UTF-8',
  leftOut: (count: number) => (count === 1 ? '1 other file skipped' : `${formatNumber(count)} other files skipped`),
  links: (count: number) => (count === 1 ? '1 link not followed' : `${formatNumber(count)} links not followed`),
  utf16: (count: number) => `${counted(count, 'file', 'files')} converted from UTF-16`,
  bareReturns: (count: number) => `${counted(count, 'file', 'files')} with CR line endings`,

  settingsTitle: 'Update settings',
} as const;
