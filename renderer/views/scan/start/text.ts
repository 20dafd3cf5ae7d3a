const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;
const files = (count: number): string => counted(count, 'file', 'files');
const samples = (count: number): string => counted(count, 'sample', 'samples');
const rules = (count: number): string => counted(count, 'rule', 'rules');

/** English of what is to be scanned or hunted next. */
export const text = {
  title: 'Scan',
  line: 'Drop files anywhere, or tick samples of the vault',
  adding: (added: number, found: number, isWalking: boolean) =>
    `Adding ${added.toLocaleString('en')} of ${found.toLocaleString('en')}${isWalking ? ' found so far' : ''}`,
  stop: 'Stop',
  haltedAfter: (count: number) =>
    count === 0 ? 'What is in the list stays.' : `${files(count)} did not come in; what is in the list stays.`,

  what: 'What to scan',
  addFiles: 'Add files',
  addMenu: 'Add to the scan',
  pickFiles: 'Files',
  pickFolder: 'A folder',
  files: 'Files to scan',
  filesLine: (count: number, size: string) => `${files(count)}, ${size}`,
  filesRoom: (count: number) => `at most ${count.toLocaleString('en')} at a time`,
  noFiles: 'No file yet. They are copied here and kept as long as their scan; archives are not opened.',
  removeFile: 'Remove',
  removeKey: 'Del',
  removeAll: 'Remove all',
  columns: { name: 'Name', sha256: 'SHA-256', size: 'Bytes', seen: 'Last seen' },
  unnamed: 'no name',

  vault: 'Samples of the vault',
  find: 'Find samples of the vault by name, hash, tag, comment or threat',
  findShort: 'Find samples of the vault',
  vaultLine: (total: number, ticked: number) =>
    ticked === 0 ? samples(total) : `${samples(total)}, ${ticked.toLocaleString('en')} ticked`,
  untickAll: 'Untick all',
  ticksCut: (most: number) =>
    `A scan takes at most ${samples(most)}: the first ones are ticked. A hunt looks through the whole vault.`,
  ticksStay: 'The ticks of samples that could not be read stay as they are.',
  vaultEmpty: 'The vault is empty. What is downloaded can be ticked here.',
  noneFound: (find: string) => `No sample of the vault has "${find}".`,

  with: 'Scan with',
  engines: 'Who looks at them',
  local: 'This desk',
  service: 'Rule editor',
  both: 'Both, compared',
  localThen: (engine: string, used: string) => `${engine} engine, ${used}. Nothing leaves this computer.`,
  engine: { native: 'Native', wasm: 'Portable' },
  packageOf: (version: string | null, count: number | null) =>
    [version === null ? 'unnamed package' : `rules ${version}`, ...(count === null ? [] : [rules(count)])].join(', '),
  noPackage: 'no rules installed',
  noPackageThen: 'This desk has no rules to scan with.',
  install: 'Install a package',
  nativeFailure: (why: string) => `The native engine does not run here: ${why}`,
  sendsTo: (host: string) => `Sends the file to ${host}.`,
  here: 'The lab of this computer: nothing leaves it.',
  bothThen: (host: string) => `Sends the file to ${host}, and shows where the two differ.`,
  bothHere: 'With the lab of this computer; shows where the two differ.',
  noService: 'This workspace has no rule editor to scan with.',
  tlp: 'TLP of the files',
  closed: 'What is TLP:AMBER, AMBER+STRICT or RED is not sent to it.',
  closedFiles: (level: string) => `The files are TLP:${level}: none of them is sent.`,
  limits: (size: string, seconds: number) =>
    `Up to ${size} a file, ${seconds.toLocaleString('en')} s each on this desk`,
  scan: (fileCount: number, sampleCount: number) => {
    if (fileCount === 0 && sampleCount === 0) return 'Scan';
    if (sampleCount === 0) return `Scan ${files(fileCount)}`;
    return fileCount === 0 ? `Scan ${samples(sampleCount)}` : `Scan ${files(fileCount)} and ${samples(sampleCount)}`;
  },
  scanKey: 'Ctrl Enter',
  starting: 'Putting the job together',
  cannotScan: {
    nothing: 'No file and no sample is chosen',
    coming: 'Files are still coming in',
    noPackage: 'No rules are installed here',
    closed: 'Nothing would be scanned: the TLP keeps the files here',
  },

  hunt: 'Hunt the vault',
  huntScope: 'Rules to hunt with',
  changed: 'New and changed rules',
  all: 'All rules',
  estimating: 'Reckoning',
  facts: { rules: 'Rules', samples: 'Samples', bytes: 'Bytes', unseen: 'Unseen', time: 'Time' },
  pairs: (unseen: number, all: number) =>
    `${unseen.toLocaleString('en')} of ${all.toLocaleString('en')} rules × samples`,
  older: (ruleCount: number, sampleCount: number) =>
    `${rules(ruleCount)} ${ruleCount === 1 ? 'has' : 'have'} seen ${samples(sampleCount)} with an older engine only.`,
  olderButton: 'Re-hunt with the newer engine',
  aboutWith: (about: string, engine: 'native' | 'wasm') =>
    `${about}, ${engine === 'native' ? 'native' : 'portable'} engine`,
  timeUnknown: 'not known before the first hunt',
  noHunt: 'No hunt yet.',
  firstAfterUpdate: 'The first hunt after this update looks at everything.',
  lastHunted: (version: string, time: string) => `Last hunted with ${version}, ${time}`,
  names: 'The first of the rules',
  more: (count: number) => `and ${count.toLocaleString('en')} more`,
  removed: (count: number) =>
    `${rules(count)} ${count === 1 ? 'is' : 'are'} gone: ${count === 1 ? 'its' : 'their'} hits are marked as lost.`,
  huntButton: (count: number) => (count === 0 ? 'Hunt' : `Hunt ${samples(count)}`),
  huntEmpty: 'The vault is empty.',
  nothingToHunt: 'Nothing to hunt: every rule has seen every sample.',
} as const;
