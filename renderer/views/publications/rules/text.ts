import type { CostMeasurement, RuleCost } from '../../../../shared/domain/publication.ts';
import type { RuleTrial } from '../../../../shared/domain/rule-trial.ts';

const number = (count: number): string => count.toLocaleString('en');
const rules = (count: number): string => (count === 1 ? '1 rule' : `${number(count)} rules`);

const leastShown = 0.01;
const milliseconds = (ms: number): string => ms.toLocaleString('en', { maximumFractionDigits: ms < 10 ? 2 : 1 });

/** English of the rules of the active package. */
export const text = {
  list: 'Rules',
  column: 'Rule',
  line: (usable: number, muted: number, broken: number) =>
    [
      rules(usable),
      ...(muted > 0 ? [`${number(muted)} muted`] : []),
      ...(broken > 0 ? [`${number(broken)} broken`] : []),
    ].join(', '),
  found: (count: number) => `${number(count)} found`,
  find: 'Search rules by words or fields',
  findShort: 'Words or tag:apt',
  allShown: 'All rules are shown.',
  fieldHelp: 'Search fields',
  fieldHelpSentence:
    'All terms must match. A minus in front excludes a term, quotes keep spaces. Words without a field are searched for in the whole text of a rule.',
  fieldHelpColumns: ['Field', 'Matches', 'Example'],
  columns: 'Columns',
  hits: 'Hits',
  lastHit: 'Last hit',
  place: (file: string, line: number) => `${file}, line ${number(line)}`,
  muted: 'muted',
  broken: 'broken',
  slow: 'slow',
  warned: 'warning',
  warningsTitle: (count: number) => (count === 1 ? '1 warning' : `${number(count)} warnings`),
  warningAt: (line: number, words: string) => `Line ${number(line)}: ${words}`,
  moreWarnings: (count: number) => `${number(count)} more`,
  private: 'private',
  global: 'global',
  asks: (variables: readonly string[]) => `uses ${variables.join(', ')}`,
  emptyTitle: 'No rules yet',
  emptySentence: 'Rules come in packages: check for a publication, or open a package file.',
  emptyAction: 'Go to the updates',
  noneTitle: 'No rule found',
  noneSentence: (find: string) => `No rule matches "${find}".`,
  showAll: 'Show all rules',
  rule: (name: string) => `Rule ${name}`,
  source: (name: string) => `Source of ${name}`,
  samplesHit: (count: number) => (count === 1 ? '1 sample hit' : `${number(count)} samples hit`),
  noHits: 'No hits on this computer',
  notRun: 'Left out of scans, so it has no hits',
  privateHits: 'Private: only the rules that use it report hits',
  lastHitAt: (time: string) => `last hit ${time}`,
  showInLibrary: 'Show in the library',
  history: (all: number, weeks: number, latest: number) =>
    `${number(all)} samples hit for the first time in ${weeks} weeks, ${number(latest)} this week`,
  historyTitle: 'New samples hit a week',
  weeksAgo: (weeks: number) => `${weeks} weeks ago`,
  thisWeek: 'this week',
  newestSamples: 'Samples hit last',
  openSample: (name: string) => `Open ${name}`,
  uses: 'Uses',
  usedBy: 'Used by',
  asksFor: 'Asks for',
  variables: (names: readonly string[]) =>
    names.length === 1 ? `the variable ${names[0] ?? ''}` : `the variables ${names.join(', ')}`,
  measure: 'Measure cost',
  measureAgain: 'Measure again',
  measuring: 'Measuring the cost over samples of the vault…',
  cost: ({ msPerMegabyte, together }: RuleCost) =>
    `${together > 1 ? 'At most ' : ''}${msPerMegabyte < leastShown ? `${together > 1 ? '' : 'under '}${leastShown}` : milliseconds(msPerMegabyte)} ms per MB`,
  costShort: ({ msPerMegabyte, together }: RuleCost) =>
    together > 1 ? 'in a group' : msPerMegabyte < leastShown ? `<${leastShown}` : milliseconds(msPerMegabyte),
  costMeasured: ({ samples, bytes, engine, together }: RuleCost, time: string) =>
    `measured ${time}, ${together > 1 ? `in a group of ${number(together)} rules` : 'alone'}, over ${samples === 1 ? '1 sample' : `${number(samples)} samples`} (${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB), ${engine === 'native' ? 'native' : 'portable'} engine`,
  costLabel: 'Cost',
  notMeasured: 'not measured',
  costColumn: 'ms/MB',
  costChoice: 'Cost (ms per MB)',
  measureAll: 'Measure the cost of all rules',
  costsOfPackage: 'Costs of the rules',
  measuredCounts: ({ done, alone, rules: all }: CostMeasurement) =>
    `${number(done)} of ${rules(all)}, ${number(alone)} alone`,
  costsRunning: (counts: string) => `Measuring costs: ${counts}`,
  costsDone: (counts: string, time: string, isAfterHunt: boolean) =>
    `Costs measured ${isAfterHunt ? 'after a hunt, ' : ''}${time}: ${counts}`,
  costsTimeOut: (counts: string, isAfterHunt: boolean) =>
    `Costs measured ${isAfterHunt ? 'after a hunt, ' : ''}up to the time limit: ${counts}`,
  costsStopped: (counts: string) => `Measuring stopped: ${counts}`,
  costsFailed: (counts: string) => `Measuring failed: ${counts}`,
  stopMeasuring: 'Stop',
  showSlowest: 'Show the slowest',
  dismiss: 'Dismiss',
  notMeasurable: (names: readonly string[]) =>
    `Not measured, because the engine does not scan with them: ${names.join(', ')}`,
  packages: 'Packages',
  findPackages: 'Find in kept packages',
  findingPackages: 'Opening the kept packages…',
  packageWith: (version: string, standing: 'active' | 'candidate' | 'kept', isSame: boolean) =>
    `${version} (${[...(standing === 'kept' ? [] : [standing]), isSame ? 'same text' : 'other text'].join(', ')})`,
  unreadPackages: (versions: readonly string[]) => `Not read: ${versions.join(', ')}`,
  tryChange: 'Try a change…',
  tryRule: 'Try a rule',
  tryTitle: 'Try a rule',
  tryHint: 'Paste or edit rules and run them. Nothing is installed, and no hit is recorded.',
  scope: 'Run over',
  scopeVault: 'The whole vault',
  scopeSelected: (count: number) =>
    count === 1 ? '1 sample selected in the library' : `${number(count)} samples selected in the library`,
  scopeAllFound: 'All samples found in the library',
  scopeAllFoundBut: (count: number) => `All samples found in the library but ${number(count)}`,
  scopeNoneSelected: 'Samples selected in the library (none)',
  scopeFiles: 'Files of a folder',
  scopePicked: (count: number) => (count === 1 ? '1 file of a folder' : `${number(count)} files of a folder`),
  scopeStaging: (done: number, files: number) => `Reading files: ${number(done)} of ${number(files)}`,
  pickFolder: 'Choose a folder…',
  trialWithout: (count: number) =>
    count === 1
      ? '1 selected sample has no known SHA-256 and was not scanned.'
      : `${number(count)} selected samples have no known SHA-256 and were not scanned.`,
  unnamedFile: 'a file',
  tooLongToTry: 'This rule and the rules it uses are too long to edit here.',
  editor: 'Rules to try',
  editorKeys: 'Tab indents. Press Escape, then Tab, to leave the editor. Ctrl Enter runs the rules.',
  backToRule: 'Back to the rules',
  runTrial: 'Run',
  stopTrial: 'Stop',
  compiling: 'Compiling…',
  checkedWords: (usable: number, broken: number, warnings: number) =>
    [
      `${rules(usable)} compiled`,
      ...(broken > 0 ? [broken === 1 ? '1 fault' : `${number(broken)} faults`] : []),
      warnings === 0 ? 'no warnings' : warnings === 1 ? '1 warning' : `${number(warnings)} warnings`,
    ].join(', '),
  trialResults: 'Results of the trial',
  trialWords: ({ state, done, total, scanned, hitTotal }: RuleTrial) => {
    const hits = hitTotal === 1 ? '1 sample hit' : `${number(hitTotal)} samples hit`;
    if (state === 'running') return `${number(done)} of ${number(total)} samples, ${hits} so far`;
    if (state === 'done') return `${hits} of ${number(scanned)} scanned`;
    return `${state === 'cancelled' ? 'Stopped' : 'Failed'} after ${number(done)} of ${number(total)} samples, ${hits} in ${number(scanned)} scanned`;
  },
  trialLeftOut: (names: readonly string[]) => `Left out because the engine did not end: ${names.join(', ')}`,
  trialUnknown: (variables: readonly string[]) =>
    `Rules ask for ${variables.join(', ')}, not known for what was scanned. Their result may be wrong.`,
  trialNamesLeftOut: (count: number) =>
    `${count.toLocaleString('en')} ${count === 1 ? 'sample has' : 'samples have'} more names than the 32 that were tried.`,
  trialUnscanned: (count: number) =>
    count === 1 ? '1 sample was not scanned:' : `${number(count)} samples were not scanned, for example:`,
  trialCut: 'More than the engine reports of one file: rules, strings or matches are left out',
  moreHits: (count: number) => `${number(count)} more`,
  matchWords: (matches: number, offset: number | null) =>
    offset === null
      ? 'condition only'
      : `${matches === 1 ? '1 match' : `${number(matches)} matches`}, first at 0x${offset.toString(16)}`,
  tags: 'Tags',
  meta: 'Meta',
  moreMeta: (count: number) => `${number(count)} more`,
  scanVault: 'Scan the vault',
  withRule: (name: string) => `with ${name}`,
  mute: 'Mute',
  copy: 'Copy the source',
  brokenTitle: 'This rule is left out',
  brokenAt: (file: string, line: number, words: string) => `${file}, line ${number(line)}: ${words}`,
  mutedEverywhere: 'Muted in every sample',
  mutedFor: (sample: string) => `Muted for sample ${sample}`,
  until: (time: string) => `until ${time}`,
  changedSince: 'the rule has changed since',
  showMute: 'Show the mute',
  moreMutes: (count: number) => (count === 1 ? '1 more mute of it' : `${number(count)} more mutes of it`),
} as const;
