import type { HashKind } from './hash-kinds.ts';
import type { ToldSample } from './sample-table-sample.ts';
import { sampleCsvHead, sampleCsvRow } from './sample-table-csv.ts';
import { sampleDefangedLine } from './sample-table-defanged.ts';
import { bestHash } from './sample-table-hashes.ts';
import { sampleJsonHead, sampleJsonLine, sampleJsonRow, sampleJsonTail } from './sample-table-json.ts';
import { sampleMarkdownHead, sampleMarkdownRow } from './sample-table-markdown.ts';
import { sampleRule } from './sample-table-yara.ts';

/**
 * How samples are written as text: one hash a line (`hashes`: the best known of each), tables, readable lines, a rule.
 */
export const sampleFormats = [
  'sha256',
  'sha1',
  'md5',
  'hashes',
  'csv',
  'json',
  'json-lines',
  'markdown',
  'defanged',
  'yara',
] as const;
export type SampleFormat = (typeof sampleFormats)[number];

const rowsAtOnce = 200;

/**
 * Samples as text, in pieces of a few milliseconds each, for a thread that has other things to do. A rule is one piece.
 */
export function* sampleTextPieces(samples: readonly ToldSample[], format: SampleFormat): Generator<string, void> {
  if (format === 'yara') {
    yield sampleRule(samples);
    return;
  }
  const { head, row, tail } = writers[format];
  yield head;
  for (let first = 0; first < samples.length; first += rowsAtOnce) {
    yield samples
      .slice(first, first + rowsAtOnce)
      .map((sample, index) => row(sample, first + index))
      .join('');
  }
  yield tail(samples.length);
}

/** How many of the samples the text leaves out, because the hash it needs is not known of them. */
export function countWithout(samples: readonly ToldSample[], format: SampleFormat): number {
  if (format === 'sha256' || format === 'sha1' || format === 'md5')
    return samples.filter((sample) => sample[format] === null).length;
  return format === 'hashes' || format === 'yara' ? samples.filter((sample) => bestHash(sample) === null).length : 0;
}

interface SampleWriter {
  head: string;
  /** `index`: from 0. */
  row(sample: ToldSample, index: number): string;
  tail(count: number): string;
}

const lines = (row: (sample: ToldSample) => string, head = ''): SampleWriter => ({ head, row, tail: () => '' });

const ended = (hash: string | null): string => (hash === null ? '' : `${hash}\n`);
const hashLines = (kind: HashKind): SampleWriter => lines((sample) => ended(sample[kind]));

const writers: Readonly<Record<Exclude<SampleFormat, 'yara'>, SampleWriter>> = {
  sha256: hashLines('sha256'),
  sha1: hashLines('sha1'),
  md5: hashLines('md5'),
  hashes: lines((sample) => ended(bestHash(sample)?.value ?? null)),
  csv: lines(sampleCsvRow, sampleCsvHead),
  json: { head: sampleJsonHead, row: sampleJsonRow, tail: sampleJsonTail },
  'json-lines': lines(sampleJsonLine),
  markdown: lines(sampleMarkdownRow, sampleMarkdownHead),
  defanged: lines(sampleDefangedLine),
};
