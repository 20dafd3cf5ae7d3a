import { assertNever } from '../../../shared/assert-never.ts';
import { formatNumber, formatSize } from '../../components/format.ts';
import type { Refusal } from '../../features/bulk-download/text-file.ts';

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`;

/** English of the bulk download. */
export const text = {
  title: 'Bulk download',
  newList: 'New list',
  openFile: 'Open text file…',
  dropHere: 'Drop a text file to read its hashes',
  listThem: (count: number) => `List ${counted(count, 'sample', 'samples')}`,
  download: (count: number) => (count === 0 ? 'Download' : `Download ${counted(count, 'sample', 'samples')}`),

  pasted: 'Pasted text',
  list: 'List',
  lines: (count: number) => counted(count, 'line', 'lines'),
  linesShown: (count: number, shown: number) => `${formatNumber(count)} lines, the first ${formatNumber(shown)} shown`,
  edit: 'Edit',
  field: 'Text with hashes',
  placeholder: 'Paste a report, a list, CSV, JSON, an email…',
  listing: 'Text with its hashes highlighted',
  reading: 'Reading the text',
  readingFile: (name: string) => `Reading ${name}`,

  toFetch: (count: number) => `${counted(count, 'hash', 'hashes')} to download`,
  checking: (asked: number, all: number) => `Checking ${formatNumber(asked)} of ${formatNumber(all)}`,
  md5: 'MD5',
  resolved: 'SHA-1, SHA-256: MD5 in the library',
  needsMd5: 'SHA-1, SHA-256: MD5 unknown',
  alreadyHere: 'Already here',
  again: 'Duplicates',
  rejected: 'Malformed hashes',
  rejectedTitle: (count: number) => counted(count, 'malformed hash', 'malformed hashes'),
  rejectedKept: (count: number) => `Only the first ${formatNumber(count)} are listed`,
  line: (line: number) => `Line ${formatNumber(line)}`,
  copy: 'Copy',
  more: (count: number) => `Show ${formatNumber(count)} more`,
  destination: 'Saved to the vault, verified and encrypted. Export later as password-protected ZIPs.',

  emptyTitle: 'Paste any text with hashes',
  emptySentence:
    'All MD5, SHA‑1 and SHA‑256 are picked out of a report, CSV, JSON or email. ' +
    'Malformed hashes are listed with the reason.',
  lastJob: (id: number, sentence: string) => `Job ${id} ended: ${sentence}`,
  jobGoesOn: (id: number, state: string) => `Job ${id} is ${state}`,
  openJob: (id: number) => `Open job ${id}`,
  example: 'Example',
  exampleText: [
    'Indicators, dropper set',
    '  - md5: 943252db2370a73b98bb2d261322baa7',
    '  - sha256:b6b390d51da71ef0f1abde55c8203f2d18e',
    '    5c3a1f64d27c10a9b83e7745f1',
    'hxxp://a[.]example[.]net/0e0ab73e5d41c92f6a8d1b27c4f93e60.exe',
  ].join('\n'),
  sampleFiles: 'Paste sample hashes from the lab',

  readyTitle: (count: number) => counted(count, 'sample to download', 'samples to download'),
  nothingToFetch: 'Nothing to download',
  records: 'Fetch the records too: names, tags, threats and TLP',
  fromWorkspace: (name: string) =>
    `Downloaded from the repository of ${name}, several per request. Each gets a status, and a reason if it fails.`,
  allHere: 'All samples in this list are already in the vault.',
  someHere: (count: number) =>
    count === 1
      ? '1 sample in this list is already in the vault.'
      : `${formatNumber(count)} samples in this list are already in the vault.`,
  listHere: 'List them to copy or export them. The repository is not contacted.',
  onlyUnknown:
    'The repository accepts only MD5, and the MD5 of these samples is unknown. Look each one up by MD5 once.',
  needsMd5Then: (count: number) =>
    `${counted(count, 'hash is', 'hashes are')} listed as “Needs MD5” and not downloaded: the MD5 is unknown.`,
  table: 'Hashes in this text',
  columns: { number: '#', hash: 'Hash', kind: 'Kind', verdict: 'Status', line: 'Line' },
  kinds: { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' },
  verdicts: { fetch: 'To download', 'already-here': 'Already here', 'needs-md5': 'Needs MD5' },
  noHashTitle: 'No hash in this text',
  noHashThen: 'An MD5 has 32 hexadecimal digits, a SHA-1 has 40, a SHA-256 has 64.',
  noRepository: 'No repository configured',
  noRepositoryThen: 'Add one in Settings > Workspaces, or switch to another workspace.',
  openSettings: 'Open settings',
  adding: (added: number, all: number) => `Preparing the job: ${formatNumber(added)} of ${formatNumber(all)}`,
  stop: 'Stop',
  checkAgain: 'Check again',
} as const;

/** Why a file was not read: what it is, and what to do. */
export function formatRefusal(refusal: Refusal, name: string): { what: string; then: string } {
  switch (refusal.kind) {
    case 'too-large':
      return {
        what: `${name} is larger than ${formatSize(refusal.limitBytes)}`,
        then: `It is ${formatSize(refusal.sizeBytes)}. Split it, or paste part of it.`,
      };
    case 'binary':
      return {
        what: `${name} is not a text file${refusal.format === null ? '' : ` (${refusal.format})`}`,
        then: 'Open it in its own program, copy its text and paste it here.',
      };
    case 'unreadable':
      return {
        what: `${name} could not be read`,
        then: 'It was moved or locked, or there is not enough memory to read it.',
      };
    default:
      return assertNever(refusal);
  }
}
