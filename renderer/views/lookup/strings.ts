import type { LabState } from '../../../shared/domain/host.ts';

const many = (count: number): string => count.toLocaleString('en');

/** English of the look-up. */
export const text = {
  title: 'Look up',
  field: 'Hash, or text with hashes',
  placeholder: 'Paste a hash, or any text with hashes',
  kinds: { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' },
  otherSample: 'This is not the sample you looked up',
  otherSampleThen: (kind: string, shown: string, asked: string) =>
    `Its ${kind} begins with ${shown}, and you looked up ${asked}. The MD5 you entered is of another sample.`,
  severalKind: (count: number) => `${count.toLocaleString('en')} hashes`,
  asking: 'Looking up',
  waitingFor: (name: string, seconds: number) =>
    seconds === 0 ? `Waiting for ${name}` : `Waiting for ${name}, ${seconds} s`,
  waitingThen: 'The request ends at the time limit of the workspace. You can look up another hash meanwhile.',
  stopWaiting: 'Stop waiting',
  found: (ms: number) => `Found, ${ms.toLocaleString('en')} ms`,
  notFound: 'Not found',
  backToChoice: (count: number) => `All ${count.toLocaleString('en')} hashes`,
  rejectedTitle: (count: number) =>
    count === 1 ? '1 malformed hash was skipped' : `${count.toLocaleString('en')} malformed hashes were skipped`,
  moreRejected: (count: number) => `and ${count.toLocaleString('en')} more`,

  fromText: (count: number) => `${many(count)} hashes from pasted text`,
  fromJob: (count: number) => `${many(count)} hashes`,
  clear: 'Clear the hashes',
  pastedLines: (lines: number, repeated: number) =>
    [
      lines === 1 ? '1 line' : `${many(lines)} lines`,
      ...(repeated === 0 ? [] : [repeated === 1 ? '1 hash twice' : `${many(repeated)} repeats`]),
    ].join(', '),
  pastedText: 'Pasted text',

  emptyTitle: 'No hash looked up',
  emptySentence: 'Paste an MD5, SHA-1 or SHA-256 into the field above, alone or in any text.',
  lastTable: (count: number) => (count === 1 ? 'Show last table: 1 hash' : `Show last table: ${many(count)} hashes`),
  sampleFiles: 'Sample files in the lab',
  sampleFilesSentence: 'Harmless files to try.',
  labState: (state: LabState['state']) =>
    state === 'running' ? 'The lab has no sample files.' : 'The lab is starting. Its sample files appear here.',
  columns: { name: 'Name', md5: 'MD5', size: 'Size' },
} as const;
