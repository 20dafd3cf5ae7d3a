import {
  countWithout,
  mostInOneRule,
  type SampleFormat,
  sampleTextPieces,
  type ToldSample,
} from '../../../shared/domain/sample-table.ts';
import { type CopiedText, joinedInStints } from './copied-text.ts';
import { text } from './text.ts';

/** A clipboard takes a text in one go, and some 20 MB of it within the 50 ms that a page may stand still. */
const mostHashes = 100_000;
export const mostTableRows = 20_000;

/** More samples than so many are not copied in a format. */
export const mostCopied: Readonly<Record<SampleFormat, number>> = {
  sha256: mostHashes,
  sha1: mostHashes,
  md5: mostHashes,
  hashes: mostHashes,
  csv: mostTableRows,
  json: mostTableRows,
  'json-lines': mostTableRows,
  markdown: mostTableRows,
  defanged: mostTableRows,
  yara: mostInOneRule,
};

/** @returns null where no sample has what is asked for */
export async function copiedSamples(samples: readonly ToldSample[], format: SampleFormat): Promise<CopiedText | null> {
  const without = countWithout(samples, format);
  if (without === samples.length) return null;
  const count = samples.length - without;
  const words = await joinedInStints(sampleTextPieces(samples, format));
  return {
    words: count === 1 && isHashFormat(format) ? words.trimEnd() : words,
    news: text.copied(format, count, without),
  };
}

/** One of these alone is pasted into a field, which a line end could send off. */
const isHashFormat = (format: SampleFormat): boolean =>
  format === 'sha256' || format === 'sha1' || format === 'md5' || format === 'hashes';
