const many = (count: number): string => count.toLocaleString('en');
const samples = (count: number): string => (count === 1 ? '1 sample' : `${many(count)} samples`);

/** English of the case exports. */
export const text = {
  noneChosen: 'No sample selected',
  title: (count: number) => `Export a case of ${samples(count)}?`,
  sentence:
    'Everything known about these samples, in one file per format. Sample files are included only if ticked below.',
  formatsLabel: 'Formats',
  formatMissing: 'Choose at least one format',
  formats: {
    misp: ['MISP event', 'for MISP: one event with an object per sample'],
    stix: ['STIX 2.1 bundle', 'for OpenCTI, TAXII and other threat intelligence platforms'],
    csv: ['CSV', 'for spreadsheets: one row per sample'],
    jsonl: ['JSON Lines', 'for scripts: one line per sample'],
    markdown: ['Markdown', 'for tickets and wikis'],
    html: ['HTML report', 'to read or print, works offline'],
  },
  tooMany: (most: number) => `at most ${samples(most)}`,
  caseTitle: 'Title',
  defaultTitle: (count: number, day: string) => `${samples(count)}, ${day}`,
  jobTitle: (job: number, day: string) => `Samples of job ${job}, ${day}`,
  titleProblem: 'Enter a title: one line of visible characters',
  author: 'Author',
  authorHint: 'Optional: an organisation or a person',
  authorProblem: 'One line of visible characters',
  tlp: 'TLP',
  noTlp: 'No TLP',
  asStrict: 'Strictest of the samples',
  strictest: (level: string) => `The strictest sample is ${level}. A case cannot be less strict.`,
  readingTlp: 'Loading the TLP of these samples.',
  tlpOfMany: 'A case cannot be less strict than its strictest sample.',
  tlpNone: 'None of these samples has a TLP.',
  tlpUnknown: (count: number) =>
    `The TLP of ${samples(count)} is unknown: ${count === 1 ? 'it has' : 'they have'} no metadata.`,
  tlpUntil: 'Until it is known, the case is RED.',
  vouch: 'I know their TLP',
  vouchHint: 'They are exported with the TLP you choose.',
  include: 'Include',
  parts: { notes: 'Notes', comments: 'Comments', hits: 'Rule hits' },
  withSamples: 'Sample files in password ZIPs',
  withSamplesHint: (mebibytes: number) =>
    `Up to ${many(mebibytes)} MiB each. Anyone who gets the event can extract them.`,
  password: 'Password',
  passwordHint: 'MISP extracts them automatically with “infected”.',
  passwordMissing: 'Enter a password for the sample files',
  started: (job: number) => `Exporting the case (job ${job})`,
  startedAll: (first: number, last: number) => `Exporting the case (jobs ${first} to ${last})`,
  notMade: (why: string) => `The case was not exported: ${why}`,
  toFolder: 'Export to folder',
  toBrowser: 'Export as download',
  starting: 'Exporting',
  ready: 'The case is ready',
  readySentence: 'Save it within a few minutes. The link works once.',
  save: 'Save case',
  readyAll: 'Save the files within a few minutes. Each link works once.',
  saveFile: 'Save',
  saving: 'Saving',
  close: 'Close',
  notIn: (unknown: number, all: number) =>
    `${many(unknown)} of ${samples(all)} ${unknown === 1 ? 'is' : 'are'} not in the case`,
  notInWhich: (hashes: readonly string[], unknown: number) =>
    `Not in the library: ${hashes.join(', ')}` +
    `${unknown > hashes.length ? `, and ${many(unknown - hashes.length)} more` : ''}.`,
  withoutBytes: (count: number) =>
    count === 1 ? '1 sample is exported without its file' : `${samples(count)} are exported without their files`,
  withoutBytesWhy: 'Not in the vault, or too large for an event. Everything else known about them is included.',
  leftWithout: (file: string, count: number, why: string) =>
    `${file} was saved without the files of ${samples(count)}: ${why}`,

  handOver: 'Export…',
  handOverMenu: 'Export samples',
  handOverWords: 'zip raw case bundle list export report misp stix csv markdown html',
  zipCommand: 'Export as password ZIP…',
  caseCommand: 'Export as case…',
  bundleCommand: 'Export as bundle…',
  asZip: 'Password ZIP…',
  asCase: 'Case: MISP, STIX, report or list…',
  asBundle: 'Bundle for another computer…',
  tooManyPicked: (most: number) =>
    `At most ${samples(most)} selected one by one can be exported. Use Ctrl A to select all samples found`,

  caseRead: (count: number) => `Case of ${count === 1 ? '1 sample' : `${count.toLocaleString('en')} samples`} ready`,
  caseNow: 'Case…',
} as const;
