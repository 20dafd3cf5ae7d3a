import { csvLine } from './csv.ts';
import type { ToldSample } from './sample-table-sample.ts';

/**
 * RFC 4180, in UTF-8. Sizes are in bytes; tags and rules are joined by commas, which no tag and no rule's name holds.
 */
export const sampleColumns: readonly string[] = [
  'sha256',
  'sha1',
  'md5',
  'name',
  'size_bytes',
  'type',
  'tlp',
  'threat',
  'tags',
  'service_tags',
  'hits',
  'first_seen',
  'last_seen',
  'in_vault',
];
export const sampleCells = (sample: ToldSample): (string | number | null)[] => [
  sample.sha256,
  sample.sha1,
  sample.md5,
  sample.name,
  sample.sizeBytes,
  sample.type,
  sample.tlp,
  sample.threat,
  listCell(sample.tags),
  listCell(sample.serviceTags),
  listCell(sample.hits),
  sample.firstSeen,
  sample.lastSeen,
  sample.inVault === null ? null : yesOrNo(sample.inVault),
];

export const sampleCsvHead = csvLine(sampleColumns);
export const sampleCsvRow = (sample: ToldSample): string => csvLine(sampleCells(sample));

const listCell = (words: readonly string[]): string => words.join(',');

const yesOrNo = (holds: boolean): string => (holds ? 'yes' : 'no');
