import { longestQuery, readQueryWord } from './library-query.ts';
import { type QueryFieldName } from './query-fields.ts';
import { type QueryWord, queryWords } from './query-words.ts';

/** A value as it is read again: in quotes where it would be read for something else without them. */
export const writtenValue = (value: string): string => (/[\s"]|[*:]$|^$/.test(value) ? `"${value.replace(/[\\"]/g, '\\$&')}"` : value);

/** The fields that a value of a sample can be looked for by. */
export type ClickedField = Extract<QueryFieldName, 'tag' | 'rule' | 'threat' | 'type' | 'tlp'>;

/**
 * The query with this term too, unless it is there; what excludes the same is turned round. A quote left open is closed
 * first. A text too long to be read stays as it is, and may become too long by the term.
 */
export function withTerm(text: string, field: ClickedField, value: string): string {
  if (text.length > longestQuery) return text;
  const added = `${field}:${writtenValue(value)}`;
  const words = [...queryWords(text)];
  const [addedWord] = queryWords(added);
  const meaning = addedWord ? meaningOf(added, addedWord) : null;
  const same = meaning === null ? undefined : words.find((word) => meaningOf(text, word) === meaning);
  if (same) return same.isNegated ? text.slice(0, same.at) + text.slice(same.bodyAt) : text;
  const closed = text + closingQuote(text, words.at(-1));
  return `${closed}${closed === '' || /\s$/.test(closed) ? '' : ' '}${added} `;
}

/** The term as if it were not negated; null for what cannot be read. No time is among these fields. */
function meaningOf(text: string, word: QueryWord): string | null {
  const read = readQueryWord(text, { ...word, isNegated: false }, new Date(0));
  return 'reason' in read ? null : JSON.stringify(read);
}

/** The last character may be a backslash that would escape the quote. */
function closingQuote(text: string, last: QueryWord | undefined): string {
  if (last?.quote !== 'open') return '';
  const [closed] = queryWords(`${text.slice(last.at)}"`);
  return closed?.quote === 'closed' ? '"' : '\\"';
}
