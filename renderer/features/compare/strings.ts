import type { VaultState } from '../../../shared/domain/library.ts';

/** As many columns can be read beside each other. */
export const mostCompared = 4;

const facts = (count: number): string => (count === 1 ? '1 fact' : `${count} facts`);

/** English of the comparison of samples. */
export const text = {
  compare: 'Compare',
  tooFewKnown: 'Compare needs two samples that are in the library',
  title: (count: number) => `Compare ${count} samples`,
  titleAtFirst: 'Compare samples',
  reading: 'Reading the samples',
  table: 'Facts of each sample',
  fact: 'Fact',
  differs: 'differs',
  only: 'Differences only',
  same: (count: number) =>
    count === 0 ? 'No facts are the same' : `${facts(count)} ${count === 1 ? 'is' : 'are'} the same`,
  without: (count: number) => `${count} ${count === 1 ? 'has' : 'have'} no value`,
  noDifference: 'No differences',
  noneTitle: 'Nothing left to compare',
  noneSentence: 'Fewer than two of these samples are in the library.',
  gone: (hashes: readonly string[]) =>
    hashes.length === 1
      ? `${hashes.join()} is no longer in the library`
      : `${hashes.join(', ')} are no longer in the library`,
  copy: 'Copy as Markdown',
  close: 'Close',
  unnamed: 'No name',
  noValue: 'no value',
  inAll: (count: number) => (count === 2 ? 'In both' : `In all ${count}`),
  onlyHere: 'Only here',
  inSome: 'In some',
  some: (count: number, of: number) => `${count} of ${of}`,
  others: 'not in all',
  none: 'None',
  muted: 'muted',
  more: (count: number) => `Show ${count.toLocaleString('en')} more`,
  notScanned: 'Not scanned',
  notRead: 'Not read',
  noRecord: 'No record fetched',
  facts: {
    name: 'Name',
    sha256: 'SHA-256',
    md5: 'MD5',
    size: 'Size',
    type: 'Type',
    severity: 'Severity',
    threat: 'Threat',
    tlp: 'TLP',
    hits: 'Rule hits',
    tags: 'Local tags',
    recordTags: 'Repository tags',
    signer: 'Signer',
    imphash: 'Imphash',
    ssdeep: 'ssdeep',
    pdbPath: 'PDB path',
    uploader: 'Uploader',
    firstSeen: 'First seen',
    lastSeen: 'Last seen',
    vault: 'Vault',
  },
  vault: {
    none: 'Not in vault',
    held: 'In vault',
    missing: 'Missing',
    altered: 'Modified',
  } satisfies Record<VaultState, string>,
} as const;
