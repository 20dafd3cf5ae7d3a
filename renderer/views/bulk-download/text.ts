import { assertNever } from '../../../shared/assert-never.ts';
import { numberWords, sizeWords } from '../../components/byte-words.ts';
import type { Refusal } from './text-file.ts';

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${numberWords(count)} ${many}`;

/** English of the bulk download. */
export const text = {
  title: 'Bulk download',
  newList: 'New list',
  openFile: 'Open a text file',
  dropHere: 'Drop a text file to read its hashes',
  listThem: (count: number) => `List ${counted(count, 'sample', 'samples')}`,
  download: (count: number) => (count === 0 ? 'Download' : `Download ${counted(count, 'sample', 'samples')}`),

  pasted: 'Pasted text',
  list: 'List',
  lines: (count: number) => counted(count, 'line', 'lines'),
  linesShown: (count: number, shown: number) => `${numberWords(count)} lines, the first ${numberWords(shown)} shown`,
  edit: 'Edit',
  field: 'Text with hashes',
  placeholder: 'Paste a report, a list, CSV, JSON, a mail …',
  listing: 'The text, with its hashes marked',
  rejectedMark: 'not taken',
  reading: 'Reading the text',
  readingFile: (name: string) => `Reading ${name}`,

  toFetch: (count: number) => `${counted(count, 'hash', 'hashes')} to fetch`,
  checking: (asked: number, all: number) => `Checking ${numberWords(asked)} of ${numberWords(all)}`,
  md5: 'MD5',
  resolved: 'SHA-1, SHA-256: MD5 in the library',
  needsMd5: 'SHA-1, SHA-256: MD5 not known',
  alreadyHere: 'Already here, not fetched again',
  again: 'Same hash again, counted once',
  rejected: 'Not taken',
  rejectedTitle: (count: number) => `${numberWords(count)} not taken`,
  rejectedKept: (count: number) => `The first ${numberWords(count)} are listed`,
  line: (line: number) => `Line ${numberWords(line)}`,
  copy: 'Copy',
  more: (count: number) => `Show ${numberWords(count)} more`,
  destination: 'Into the vault: checked, inert. From there as password ZIPs with manifest.csv.',

  emptyTitle: 'Put in any text with hashes',
  emptySentence:
    'A report, CSV, JSON, addresses, a mail: all MD5, SHA‑1 and SHA‑256 are picked out. Strings that look like a hash but are not are listed with the reason.',
  lastJob: (id: number, sentence: string) => `Job ${id} ended: ${sentence}`,
  jobGoesOn: (id: number, state: string) => `Job ${id} is ${state}`,
  openJob: (id: number) => `Open job ${id}`,
  example: 'For example',
  exampleText: [
    'Indicators, dropper set',
    '  - md5: 943252db2370a73b98bb2d261322baa7',
    '  - sha256:b6b390d51da71ef0f1abde55c8203f2d18e',
    '    5c3a1f64d27c10a9b83e7745f1',
    'hxxp://a[.]example[.]net/0e0ab73e5d41c92f6a8d1b27c4f93e60.exe',
  ].join('\n'),
  specimens: 'Paste the lab’s specimens',

  readyTitle: (count: number) => counted(count, 'sample to fetch', 'samples to fetch'),
  nothingToFetch: 'Nothing to fetch',
  fromWorkspace: (name: string) =>
    `Asked of the repository of ${name}, several in one request. Each ends with an outcome and a reason; what has arrived is not asked for again.`,
  allHere: 'Every sample of this list is in the vault already.',
  someHere: (count: number) =>
    count === 1
      ? '1 sample of this list is in the vault already.'
      : `${numberWords(count)} samples of this list are in the vault already.`,
  listHere: 'List them to copy or export them: nothing is asked of the repository.',
  onlyUnknown:
    'A repository is asked by MD5 only, and this desk knows no MD5 for what is not here. Look the samples up by MD5 once.',
  needsMd5Then: (count: number) =>
    `${counted(count, 'hash is', 'hashes are')} listed as “needs an MD5” and not asked for: this desk has not seen the sample.`,
  table: 'The hashes of this text',
  columns: { number: '#', hash: 'Hash', kind: 'Kind', verdict: 'What becomes of it', line: 'Line' },
  kinds: { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' },
  verdicts: { fetch: 'Will be fetched', 'already-here': 'Already here', 'needs-md5': 'Needs an MD5' },
  noHashTitle: 'No hash in this text',
  noHashThen: 'An MD5 has 32 hexadecimal digits, a SHA-1 has 40, a SHA-256 has 64.',
  noRepository: 'This workspace has no repository',
  noRepositoryThen: 'Set one under Settings, Workspaces, or switch to another workspace.',
  openSettings: 'Open settings',
  adding: (added: number, all: number) => `Putting the job together: ${numberWords(added)} of ${numberWords(all)}`,
  stop: 'Stop',
  checkAgain: 'Check again',
} as const;

/** Why a file was not read: what it is, and what to do. */
export function refusalWords(refusal: Refusal, name: string): { what: string; then: string } {
  switch (refusal.kind) {
    case 'too-large':
      return {
        what: `${name} is larger than ${sizeWords(refusal.limitBytes)}`,
        then: `It has ${sizeWords(refusal.sizeBytes)}. Split it, or paste a part of it.`,
      };
    case 'binary':
      return {
        what: `${name} is no text${refusal.format === null ? '' : `, but a ${refusal.format}`}`,
        then: 'Open it in its own program, copy its text and paste it here.',
      };
    case 'unreadable':
      return {
        what: `${name} could not be read`,
        then: 'It was moved, is locked, or there is not enough memory for it.',
      };
    default:
      return assertNever(refusal);
  }
}
