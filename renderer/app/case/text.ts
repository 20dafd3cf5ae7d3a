const many = (count: number): string => count.toLocaleString('en');
const samples = (count: number): string => (count === 1 ? '1 sample' : `${many(count)} samples`);

/** English of the case exports. */
export const text = {
  title: (count: number) => `Export a case of ${samples(count)}?`,
  sentence:
    'Everything known about these samples, in a file for each format, named by the title. Sample files are included only if ticked below.',
  formatsLabel: 'Formats',
  formatMissing: 'Choose at least one format. Each is a file of its own',
  formats: {
    misp: ['MISP event', 'for MISP: an event with an object for each sample'],
    stix: ['STIX 2.1 bundle', 'for threat platforms such as OpenCTI, and TAXII'],
    csv: ['CSV', 'for a spreadsheet: a row for each sample'],
    jsonl: ['JSON Lines', 'for scripts: a line for each sample'],
    markdown: ['Markdown', 'for a ticket or a wiki'],
    html: ['HTML report', 'to be read or printed, without a network'],
  },
  tooMany: (most: number) => `takes at most ${samples(most)}`,
  caseTitle: 'Title',
  defaultTitle: (count: number, day: string) => `${samples(count)}, ${day}`,
  jobTitle: (job: number, day: string) => `Samples of job ${job}, ${day}`,
  titleProblem: 'A case needs a title: one line, of characters that are seen',
  author: 'Author',
  authorHint: 'An organisation or a person, or nobody',
  authorProblem: 'One line, of characters that are seen',
  tlp: 'Marked',
  noTlp: 'No TLP',
  asStrict: 'As its strictest sample',
  strictest: (level: string) => `${level} is the strictest of these samples: no case may be less strict.`,
  readingTlp: 'Reading how strict these samples are.',
  tlpOfMany: 'It is marked as its strictest sample is, and never less strictly.',
  tlpNone: 'None of these samples has a TLP.',
  tlpUnknown: (count: number) =>
    `The TLP of ${samples(count)} is not known here: no record of ${count === 1 ? 'it' : 'them'} was read.`,
  tlpUntil: 'Until it is, the case is RED.',
  vouch: 'I know how strict they are',
  vouchHint: 'They go along under the mark you choose.',
  include: 'Tells of each',
  parts: { notes: 'Notes', comments: 'Comments', hits: 'Rule hits' },
  withSamples: 'Samples in password ZIPs',
  withSamplesHint: (mebibytes: number) =>
    `Their bytes, up to ${many(mebibytes)} MiB each. Whoever gets the event can take them out.`,
  password: 'Password',
  passwordHint: 'MISP takes them out by itself with "infected".',
  passwordMissing: 'The samples need a password',
  started: (job: number) => `The case is written as job ${job}`,
  startedAll: (first: number, last: number) => `The case is written as jobs ${first} to ${last}`,
  notMade: (why: string) => `The case was not made: ${why}`,
  toFolder: 'Export to the folder',
  toBrowser: 'Export as a download',
  starting: 'Exporting',
  ready: 'The case is ready',
  readySentence: 'It can be saved once, within a few minutes.',
  save: 'Save the case',
  readyAll: 'Each file can be saved once, within a few minutes.',
  saveFile: 'Save',
  saving: 'Saving',
  close: 'Close',
  notIn: (unknown: number, all: number) =>
    `${many(unknown)} of ${samples(all)} ${unknown === 1 ? 'is' : 'are'} not in the case`,
  notInWhich: (hashes: readonly string[], unknown: number) =>
    `The library does not know ${unknown === 1 ? 'it' : 'them'}: ${hashes.join(', ')}${unknown > hashes.length ? `, and ${many(unknown - hashes.length)} more` : ''}.`,
  withoutBytes: (count: number) =>
    count === 1 ? '1 sample goes without its bytes' : `${samples(count)} go without their bytes`,
  withoutBytesWhy: 'Not in the vault, or too large for an event. What is known of such a sample is in it.',
  leftWithout: (file: string, count: number, why: string) =>
    `${file} went without the bytes of ${samples(count)}: ${why}`,

  handOver: 'Hand over',
  handOverMenu: 'Hand samples over',
  handOverWords: 'case bundle export report misp stix csv markdown html',
  caseCommand: 'Export a case…',
  bundleCommand: 'Make a bundle…',
  asCase: 'A case: event, report or table…',
  asBundle: 'A sealed bundle for another desk…',
  tooManyPicked: (most: number) =>
    `At most ${samples(most)} that were ticked one by one are handed over at once. All that a search finds can be: tick them with Ctrl A`,
} as const;
