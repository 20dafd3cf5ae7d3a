import type { ToldSample } from './sample-table-sample.ts';
import { bestHash } from './sample-table-hashes.ts';
import { harmlessWords } from './sample-table-words.ts';

/** A sample on a line that may be pasted into a mail or a chat. */
export function sampleDefangedLine(sample: ToldSample): string {
  const head = `${orNull(sample.name) ?? 'unnamed'} (${bestHash(sample)?.value ?? 'hash unknown'})`;
  const facts = [
    sample.sizeBytes === null ? null : bytes(sample.sizeBytes),
    orNull(sample.type),
    sample.tlp && `TLP:${sample.tlp.toUpperCase()}`,
    orNull(sample.threat),
    listed('tags', sample.tags),
    listed('service tags', sample.serviceTags),
    listed('hits', sample.hits),
  ].filter((fact) => fact !== null);
  return `${[head, ...facts].map(harmlessWords).join('; ')}\n`;
}

const bytes = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`);

const orNull = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text);

function listed(what: string, words: readonly string[]): string | null {
  const shown = words.filter((word) => orNull(word) !== null);
  return shown.length === 0 ? null : `${what}: ${shown.join(', ')}`;
}
