const samples = (count: number): string => (count === 1 ? '1 sample' : `${count.toLocaleString('en')} samples`);
const listFormats = { csv: 'CSV', json: 'JSON', jsonl: 'JSON Lines' } as const;

/** English of the exports. */
export const text = {
  title: (count: number) => `Export ${samples(count)}?`,
  sentence: 'Samples are named by their SHA-256. A manifest says what they were called.',
  form: 'As',
  forms: { 'one-zip': 'One password ZIP', 'zip-each': 'A folder with a password ZIP each', raw: 'Raw files' },
  rawHint: 'live, without a password',
  encryption: 'Encryption',
  aes: 'AES-256',
  aesHint: 'opens with 7-Zip, WinRAR, WinZip and bsdtar',
  zipcrypto: 'ZipCrypto',
  zipcryptoHint: 'also Windows Explorer, unzip and Python; weak',
  password: 'Password',
  passwordHint: 'The convention of the field is "infected".',
  passwordMissing: 'An export needs a password',
  exportFolder: (path: string) => `To ${path}`,
  noFolder: 'No folder chosen yet',
  noFolderHere: 'This host has no export folder. It is given one when it is started, with --exports.',
  chooseFolder: 'Choose a folder',
  changeFolder: 'Change',
  toFolder: 'Export to the folder',
  toBrowser: 'Export as a download',
  exporting: 'Exporting',
  preparing: 'Preparing',
  started: (count: number) => `Export of ${samples(count)} started`,
  notMade: (count: number, why: string) => `The export of ${samples(count)} was not made: ${why}`,
  notStarted: (count: number, why: string) => `The export of ${samples(count)} was not begun: ${why}`,
  /** Whether it arrives, the browser alone knows. */
  saving: (name: string) => `Saving ${name}`,
  listFormats,
  listAs: (format: keyof typeof listFormats, to: 'folder' | 'browser') =>
    `${listFormats[format]}, ${to === 'folder' ? 'to the export folder' : 'as a download'}`,
  savedTo: (fileName: string, folder: string) => `Saved ${fileName} to ${folder}`,
  ready: 'The ZIP is ready',
  readySentence: 'It can be saved once, within a few minutes.',
  save: 'Save the ZIP',
  typedLost: 'What was typed in it is lost, a passphrase too.',
  close: 'Close',
  keep: 'Not now',

  goOnRaw: 'Go on with raw files',
  rawTitle: (count: number) =>
    count === 1 ? 'Write 1 live sample to the disk?' : `Write ${count.toLocaleString('en')} live samples to the disk?`,
  rawWhat: 'Raw files are malware as it is, ready to run',
  rawThen:
    'They have neither password nor encryption. An antivirus may delete them, and whoever opens one may run it. They get no extension and no right to be executed.',
  rawWord: 'live',
  rawType: 'Type the word "live" to confirm',
  back: 'Back',
  exportRaw: 'Export raw files',
} as const;
