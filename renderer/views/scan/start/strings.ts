const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;
const files = (count: number): string => counted(count, 'file', 'files');
const samples = (count: number): string => counted(count, 'sample', 'samples');
const rules = (count: number): string => counted(count, 'rule', 'rules');

/** English of what is to be scanned or hunted next. */
export const text = {
  title: 'Scan',
  line: 'Drop files anywhere, or tick samples in the vault',
  adding: (added: number, found: number, isWalking: boolean) =>
    `Adding ${added.toLocaleString('en')} of ${found.toLocaleString('en')}${isWalking ? ' found so far' : ''}`,
  stop: 'Stop',
  haltedAfter: (count: number) =>
    count === 0
      ? 'Files already in the list are kept.'
      : `${files(count)} not added. Files already in the list are kept.`,

  what: 'What to scan',
  addFiles: 'Add files…',
  addMenu: 'Add to scan',
  pickFiles: 'Files…',
  pickFolder: 'Folder…',
  files: 'Files to scan',
  filesLine: (count: number, size: string) => `${files(count)}, ${size}`,
  filesSpace: (count: number) => `at most ${count.toLocaleString('en')} at a time`,
  noFiles: 'No files added. Files are copied here and deleted with the scan. Archives are not opened.',
  removeFile: 'Remove',
  removeKey: 'Del',
  removeAll: 'Remove all',
  columns: { name: 'Name', sha256: 'SHA-256', size: 'Bytes', seen: 'Last seen' },
  unnamed: 'No name',

  vault: 'Samples in the vault',
  find: 'Find samples in the vault by name, hash, tag, comment or threat',
  findShort: 'Find samples in the vault',
  vaultLine: (total: number, ticked: number) =>
    ticked === 0 ? samples(total) : `${samples(total)}, ${ticked.toLocaleString('en')} ticked`,
  untickAll: 'Untick all',
  ticksCut: (most: number) =>
    `A scan takes at most ${samples(most)}, so only the first are ticked. A hunt scans the whole vault.`,
  ticksStay: 'Ticks on samples that could not be read are unchanged.',
  vaultEmpty: 'The vault is empty. Add files above to scan them, or download samples first.',
  openLookup: 'Look up a sample',
  openBulk: 'Bulk download',
  noneFound: (find: string) => `No sample in the vault matches "${find}".`,

  with: 'Scan with',
  engines: 'Engine',
  local: 'Local',
  service: 'Rule editor',
  both: 'Both, compared',
  localThen: (engine: string, used: string) => `${engine} engine, ${used}. Nothing leaves this computer.`,
  engine: { native: 'Native', wasm: 'Portable' },
  packageOf: (version: string | null, count: number | null) =>
    [version === null ? 'unnamed package' : `package ${version}`, ...(count === null ? [] : [rules(count)])].join(', '),
  noPackage: 'no rules installed',
  noRulesTitle: 'No rules installed',
  noRulesThen:
    'A local scan and a hunt need a rule package. Fetch one, or open a package or rule files, then install it.',
  noRulesOffline:
    'A local scan and a hunt need a rule package. Open a package or rule files in Publications to install one.',
  fetchRules: (workspace: string) => `Fetch rules from ${workspace}`,
  openPublications: 'Open Publications',
  noPackageThen: 'No rules installed.',
  nativeFailure: (why: string) => `The native engine does not run on this computer: ${why}`,
  sendsTo: (host: string) => `Sends the files to ${host}.`,
  here: 'Uses the lab. Nothing leaves this computer.',
  bothThen: (host: string) => `Sends the files to ${host} and compares the results.`,
  bothHere: 'Uses the lab and compares the results. Nothing leaves this computer.',
  noService: 'No rule editor configured.',
  cannotScanThere: 'This rule editor does not scan files.',
  tlp: 'TLP of the files',
  asksTlp: 'The repository is asked for the TLP of files without a record first, because they leave this computer.',
  closed: 'Files with TLP:AMBER, AMBER+STRICT or RED are not sent to the rule editor.',
  closedFiles: (level: string) => `These files are TLP:${level}, so none is sent.`,
  limits: (size: string, seconds: number) => `Local limits: ${size} and ${seconds.toLocaleString('en')} s per file`,
  scan: (fileCount: number, sampleCount: number) => {
    if (fileCount === 0 && sampleCount === 0) return 'Scan';
    if (sampleCount === 0) return `Scan ${files(fileCount)}`;
    return fileCount === 0 ? `Scan ${samples(sampleCount)}` : `Scan ${files(fileCount)} and ${samples(sampleCount)}`;
  },
  scanKey: 'Ctrl Enter',
  starting: 'Preparing the job',
  cannotScan: {
    nothing: 'Add files or tick samples to scan',
    coming: 'Files are still being added',
    noPackage: 'No rules installed',
    closed: 'Nothing to scan: the TLP forbids sending these files',
  },

  hunt: 'Hunt the vault',
  huntScope: 'Rules to hunt with',
  changed: 'New and changed rules',
  all: 'All rules',
  estimating: 'Calculating',
  facts: { rules: 'Rules', samples: 'Samples', bytes: 'Size', unseen: 'Unscanned', time: 'Time' },
  pairs: (unseen: number, all: number) =>
    `${unseen.toLocaleString('en')} of ${all.toLocaleString('en')} rule × sample pairs`,
  older: (ruleCount: number, sampleCount: number) =>
    `${rules(ruleCount)} scanned ${samples(sampleCount)} with an older engine only.`,
  olderButton: 'Hunt again with the newer engine',
  aboutWith: (about: string, engine: 'native' | 'wasm') =>
    `${about}, ${engine === 'native' ? 'native' : 'portable'} engine`,
  timeUnknown: 'unknown until the first hunt',
  noHunt: 'No hunt yet.',
  firstAfterUpdate: 'What earlier hunts covered is unknown, so the next hunt scans everything.',
  lastHunted: (version: string, time: string) => `Last hunted with ${version}, ${time}`,
  names: 'First rules',
  more: (count: number) => `and ${count.toLocaleString('en')} more`,
  removed: (count: number) => `${rules(count)} removed: ${count === 1 ? 'its' : 'their'} hits are marked as lost.`,
  huntButton: (count: number) => (count === 0 ? 'Hunt' : `Hunt ${samples(count)}`),
  huntEmpty: 'The vault is empty.',
  nothingToHunt: 'Nothing to hunt: every rule has scanned every sample.',
} as const;
