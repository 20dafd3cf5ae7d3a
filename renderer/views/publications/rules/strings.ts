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
    'All terms must match. A minus in front excludes a term, quotes keep spaces. ' +
    'Words without a field match anywhere in the text of a rule.',
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
  emptySentence: 'Rules come in packages. Check for updates, or install a package from files.',
  emptyAction: 'Go to Updates',
  noneTitle: 'No rules found',
  noneSentence: (find: string) => `No rule matches "${find}".`,
  showAll: 'Show all rules',
  rule: (name: string) => `Rule ${name}`,
  source: (name: string) => `Source of ${name}`,
  samplesHit: (count: number) => (count === 1 ? '1 sample hit' : `${number(count)} samples hit`),
  noHits: 'No hits on this computer',
  notRun: 'Skipped in scans, so it has no hits',
  privateHits: 'Private: only the rules that use it report hits',
  lastHitAt: (time: string) => `last hit ${time}`,
  showInLibrary: 'Show in the library',
  history: (all: number, weeks: number, latest: number) =>
    `${number(all)} new samples hit in ${weeks} weeks, ${number(latest)} this week`,
  historyTitle: 'New samples hit per week',
  weeksAgo: (weeks: number) => `${weeks} weeks ago`,
  thisWeek: 'this week',
  newestSamples: 'Latest samples hit',
  openSample: (name: string) => `Open ${name}`,
  uses: 'Uses',
  usedBy: 'Used by',
  asksFor: 'Needs',
  variables: (names: readonly string[]) =>
    names.length === 1 ? `variable ${names[0] ?? ''}` : `variables ${names.join(', ')}`,
  measure: 'Measure cost',
  measureAgain: 'Measure again',
  measuring: 'Measuring the cost on samples in the vault…',
  cost: ({ msPerMegabyte, together }: RuleCost) => {
    const isShared = together > 1;
    const least = isShared ? `${leastShown}` : `under ${leastShown}`;
    return `${isShared ? 'At most ' : ''}${msPerMegabyte < leastShown ? least : milliseconds(msPerMegabyte)} ms per MB`;
  },
  costShort: ({ msPerMegabyte, together }: RuleCost) =>
    together > 1 ? 'in a group' : msPerMegabyte < leastShown ? `<${leastShown}` : milliseconds(msPerMegabyte),
  costMeasured: ({ samples, bytes, engine, together }: RuleCost, time: string) => {
    const how = together > 1 ? `in a group of ${number(together)} rules` : 'alone';
    const megabytes = (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 });
    const over = `${samples === 1 ? '1 sample' : `${number(samples)} samples`} (${megabytes} MB)`;
    return `measured ${time}, ${how}, over ${over}, ${engine === 'native' ? 'native' : 'portable'} engine`;
  },
  costLabel: 'Cost',
  notMeasured: 'not measured',
  costColumn: 'ms/MB',
  costChoice: 'Cost (ms per MB)',
  measureAll: 'Measure cost of all rules',
  costsOfPackage: 'Rule costs',
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
    `Not measured because the engine cannot scan with them: ${names.join(', ')}`,
  packages: 'Packages',
  findPackages: 'Find in stored packages',
  findingPackages: 'Opening stored packages…',
  packageWith: (version: string, standing: 'active' | 'candidate' | 'kept', isSame: boolean) =>
    `${version} (${[...(standing === 'kept' ? [] : [standing]), isSame ? 'same text' : 'different text'].join(', ')})`,
  unreadPackages: (versions: readonly string[]) => `Could not be read: ${versions.join(', ')}`,
  tryChange: 'Try a change',
  tryRule: 'Try a rule',
  tryTitle: 'Try a rule',
  tryHint: 'Paste or edit rules and run them. Nothing is installed, and no hit is recorded.',
  scope: 'Run over',
  scopeVault: 'The whole vault',
  scopeSelected: (count: number) =>
    count === 1 ? '1 sample selected in the library' : `${number(count)} samples selected in the library`,
  scopeAllFound: 'All samples found in the library',
  scopeAllFoundBut: (count: number) => `All samples found in the library, except ${number(count)}`,
  scopeNoneSelected: 'Samples selected in the library (none)',
  scopeFiles: 'Files in a folder',
  scopePicked: (count: number) => (count === 1 ? '1 file from a folder' : `${number(count)} files from a folder`),
  scopeStaging: (done: number, files: number) => `Reading files: ${number(done)} of ${number(files)}`,
  pickFolder: 'Choose folder…',
  trialWithout: (count: number) =>
    count === 1
      ? '1 selected sample was not scanned: its SHA-256 is unknown.'
      : `${number(count)} selected samples were not scanned: their SHA-256 is unknown.`,
  unnamedFile: 'unnamed file',
  tooLongToTry: 'This rule and the rules it uses are too long to edit here.',
  editor: 'Rules to try',
  editorKeys: 'Tab indents. Press Escape, then Tab, to leave the editor. Ctrl Enter runs the rules.',
  backToRule: 'Back to rules',
  runTrial: 'Run',
  stopTrial: 'Stop',
  compiling: 'Compiling…',
  checkedWords: (usable: number, broken: number, warnings: number) =>
    [
      `${rules(usable)} compiled`,
      ...(broken > 0 ? [broken === 1 ? '1 error' : `${number(broken)} errors`] : []),
      warnings === 0 ? 'no warnings' : warnings === 1 ? '1 warning' : `${number(warnings)} warnings`,
    ].join(', '),
  trialResults: 'Trial results',
  trialWords: ({ state, done, total, scanned, hitTotal }: RuleTrial) => {
    const hits = hitTotal === 1 ? '1 sample hit' : `${number(hitTotal)} samples hit`;
    if (state === 'running') return `${number(done)} of ${number(total)} samples, ${hits} so far`;
    if (state === 'done') return `${hits} of ${number(scanned)} scanned`;
    const end = state === 'cancelled' ? 'Stopped' : 'Failed';
    return `${end} after ${number(done)} of ${number(total)} samples, ${hits} in ${number(scanned)} scanned`;
  },
  trialLeftOut: (names: readonly string[]) => `Skipped because the engine did not finish: ${names.join(', ')}`,
  trialUnknown: (variables: readonly string[]) =>
    `Variables unknown for these files: ${variables.join(', ')}. Rules that need them may give wrong results.`,
  trialNamesLeftOut: (count: number) =>
    `${number(count)} ${count === 1 ? 'sample has' : 'samples have'} more than 32 names. Only 32 were tried.`,
  trialUnscanned: (count: number) =>
    count === 1 ? '1 sample was not scanned:' : `${number(count)} samples were not scanned, for example:`,
  trialCut: 'Engine limit for one file reached: some rules, strings or matches are not listed',
  moreHits: (count: number) => `${number(count)} more`,
  matchWords: (matches: number, offset: number | null) =>
    offset === null
      ? 'condition only'
      : `${matches === 1 ? '1 match' : `${number(matches)} matches`}, first at 0x${offset.toString(16)}`,
  tags: 'Tags',
  meta: 'Meta',
  moreMeta: (count: number) => `${number(count)} more`,
  scanVault: 'Hunt vault',
  withRule: (name: string) => `with ${name}`,
  mute: 'Mute',
  copy: 'Copy source',
  brokenTitle: 'This rule is broken and skipped in scans',
  brokenAt: (file: string, line: number, words: string) => `${file}, line ${number(line)}: ${words}`,
  mutedEverywhere: 'Muted in every sample',
  mutedFor: (sample: string) => `Muted for sample ${sample}`,
  until: (time: string) => `until ${time}`,
  changedSince: 'rule changed since',
  showMute: 'Show mute',
  moreMutes: (count: number) => (count === 1 ? '1 more mute' : `${number(count)} more mutes`),
} as const;
