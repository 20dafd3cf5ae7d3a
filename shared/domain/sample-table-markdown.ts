import type { ToldSample } from './sample-table-sample.ts';
import { bestHash } from './sample-table-hashes.ts';
import { escaped, harmlessWords } from './sample-table-words.ts';

const columns = ['Hash', 'Name', 'Bytes', 'Type', 'TLP', 'Threat', 'Tags', 'Service tags', 'Hits'];

/** A table as GitHub's dialect has it. */
export const sampleMarkdownHead = `${line(columns)}${line(columns.map(() => '---'))}`;

export const sampleMarkdownRow = (sample: ToldSample): string =>
  line([
    markdownCode(bestHash(sample)?.value ?? null),
    markdownCode(sample.name),
    sample.sizeBytes === null ? '' : String(sample.sizeBytes),
    markdownCode(sample.type),
    sample.tlp?.toUpperCase() ?? '',
    markdownCode(sample.threat),
    codes(sample.tags),
    codes(sample.serviceTags),
    codes(sample.hits),
  ]);

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

/** What would end a cell or its code, and what begins HTML where code is not understood. */
const structure = /[|`<]/g;

/**
 * Untrusted text as code on one line, in which nothing is markup, a link or a mention of somebody; "" for what says
 * nothing. An escape by backslash would depend on the dialect.
 */
export const markdownCode = (text: string | null): string =>
  text === null || text.trim() === '' ? '' : `\`${escaped(harmlessWords(text), structure)}\``;

const codes = (words: readonly string[]): string =>
  words
    .map(markdownCode)
    .filter((word) => word !== '')
    .join(', ');
