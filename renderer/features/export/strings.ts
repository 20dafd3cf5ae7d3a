const samples = (count: number): string => (count === 1 ? '1 sample' : `${count.toLocaleString('en')} samples`);
const listFormats = { csv: 'CSV', json: 'JSON', jsonl: 'JSON Lines' } as const;

/** English of the exports. */
export const text = {
  nothingListed: 'Nothing to export',
  otherSaving: 'Another export is running',
  title: (count: number) => `Export ${samples(count)}?`,
  sentence: 'Samples are named by their SHA-256. A manifest lists their original names.',
  form: 'Format',
  forms: { 'one-zip': 'One password ZIP', 'zip-each': 'A folder with one password ZIP per sample', raw: 'Raw files' },
  rawHint: 'live, no password',
  encryption: 'Encryption',
  aes: 'AES-256',
  aesHint: 'opens with 7-Zip, WinRAR, WinZip and bsdtar',
  zipcrypto: 'ZipCrypto',
  zipcryptoHint: 'weak, also opens with Windows Explorer, unzip and Python',
  password: 'Password',
  passwordHint: 'Analysts usually use “infected”.',
  passwordMissing: 'Enter a password',
  exportFolder: (path: string) => `To ${path}`,
  noFolder: 'No folder chosen',
  noFolderHere: 'No export folder configured. Start Vitrine with --exports DIR.',
  chooseFolder: 'Choose folder…',
  changeFolder: 'Change folder…',
  toFolder: 'Export to folder',
  toBrowser: 'Export as download',
  exporting: 'Exporting',
  preparing: 'Preparing',
  started: (count: number, of: number) =>
    count === of
      ? `Exporting ${samples(count)}`
      : `Exporting ${count.toLocaleString('en')} of ${samples(of)}: the others are not in the vault`,
  names: (names: readonly string[], count: number) =>
    `${names.join(', ')}${count > names.length ? `, and ${(count - names.length).toLocaleString('en')} more` : ''}`,
  notInVault: {
    title: (count: number, of: number) =>
      `${count.toLocaleString('en')} of ${samples(of)} ${count === 1 ? 'is' : 'are'} left out: not in the vault`,
    why: (which: string) => `${which}. Download them first to export them too.`,
  },
  notDownloaded: {
    title: (count: number, of: number) =>
      `${count.toLocaleString('en')} of ${of.toLocaleString('en')} selected items ` +
      `${count === 1 ? 'is' : 'are'} left out`,
    why: 'They were not downloaded, or are the same sample.',
  },
  onlyInVault: 'Samples that are not in the vault are left out.',
  withoutFile: {
    title: (count: number, of: number) =>
      `${count.toLocaleString('en')} of ${samples(of)} ` +
      (count === 1 ? 'goes without its file' : 'go without their files'),
    why: (which: string) => `Not in the vault: ${which}. Everything else known about them is included.`,
  },
  notMade: (count: number, why: string) => `Export of ${samples(count)} failed: ${why}`,
  notStarted: (count: number, why: string) => `Export of ${samples(count)} could not start: ${why}`,
  /** Whether it arrives, the browser alone knows. */
  saving: (name: string) => `Saving ${name}`,
  listFormats,
  listAs: (format: keyof typeof listFormats, to: 'folder' | 'browser') =>
    `${listFormats[format]} list, ${to === 'folder' ? 'to export folder' : 'as download'}`,
  savedTo: (fileName: string, folder: string) => `Saved ${fileName} to ${folder}`,
  ready: 'The ZIP is ready',
  readySentence: 'Save it within a few minutes. The link works once.',
  save: 'Save ZIP',
  typedLost: 'Everything you entered will be lost, including the passphrase.',
  close: 'Close',
  keep: 'Cancel',

  goOnRaw: 'Continue with raw files',
  rawTitle: (count: number) =>
    count === 1 ? 'Write 1 live sample to disk?' : `Write ${count.toLocaleString('en')} live samples to disk?`,
  rawWhat: 'Raw files are live malware',
  rawThen:
    'They are not encrypted: an antivirus may delete them, and opening one may run it. ' +
    'Vitrine adds no file extension and no execute permission.',
  rawWord: 'live',
  rawType: 'Type “live” to confirm',
  back: 'Back',
  exportRaw: 'Export raw files',

  exportRead: (count: number) =>
    `${count === 1 ? '1 sample' : `${count.toLocaleString('en')} samples`} ready to export`,
  exportNow: 'Export…',
  showWhy: 'Show',
} as const;
