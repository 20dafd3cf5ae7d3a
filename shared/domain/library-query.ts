import { hashKindOf } from './hash.ts';
import {
  fieldLike,
  fieldNamed,
  longestQuery,
  mostQueryTerms,
  type QueryFault,
  type QueryProblem,
  queryProblem,
  type QueryTerm,
  queryTerm,
  queryTerms,
} from './query-fields.ts';
import { readValue, readWords } from './query-values.ts';
import { type QueryWord, queryWords } from './query-words.ts';

export { longestQuery, mostQueryTerms, type QueryProblem, queryProblem, type QueryTerm, queryTerm, queryTerms };

export type ReadQuery = { kind: 'terms'; terms: QueryTerm[] } | { kind: 'problem'; problem: QueryProblem };

/**
 * Reads what was typed to choose samples by: terms parted by white space, all of which must hold (`query-fields.ts` has
 * the fields). The first thing that cannot be read is the problem of the whole. Ages and days are counted from `now`.
 */
export function readLibraryQuery(text: string, now: Date): ReadQuery {
  if (text.length > longestQuery)
    return {
      kind: 'problem',
      problem: { reason: 'too-long', most: longestQuery, at: longestQuery, length: text.length - longestQuery },
    };
  const terms: QueryTerm[] = [];
  for (const word of queryWords(text)) {
    if (terms.length === mostQueryTerms)
      return {
        kind: 'problem',
        problem: { reason: 'too-many', most: mostQueryTerms, at: word.at, length: text.length - word.at },
      };
    const read = readQueryWord(text, word, now);
    if ('reason' in read) return { kind: 'problem', problem: read };
    terms.push(read);
  }
  return { kind: 'terms', terms };
}

/** What one word of the text asks for. */
function readQueryWord(text: string, word: QueryWord, now: Date): QueryTerm | QueryProblem {
  const { bodyAt, prefix, end } = word;
  if (word.isNegated && bodyAt === end) return placed({ reason: 'nothing-negated' }, word.at, end);
  if (word.quote === 'open') return placed({ reason: 'unclosed-quote' }, word.valueAt, end);
  const row = prefix === null ? null : fieldNamed(prefix);
  if (row && word.value === '') return placed({ reason: 'no-value', field: row.name }, bodyAt, end);
  if (row && word.quote === 'none' && word.value.includes('"'))
    return placed({ reason: 'quote-inside' }, word.valueAt, end);
  const near = prefix === null ? null : fieldLike(prefix);
  if (prefix !== null && near)
    return placed({ reason: 'unknown-field', field: prefix, suggestion: near.name }, bodyAt, bodyAt + prefix.length);
  const read = row
    ? readValue(row, word, now)
    : readPlain(word.isNegated, `${text.slice(bodyAt, word.valueAt)}${word.value}`);
  return 'reason' in read ? placed(read, row ? word.valueAt : bodyAt, end) : read;
}

function readPlain(negated: boolean, value: string): QueryTerm | QueryFault {
  const kind = hashKindOf(value);
  return kind ? { field: 'hash', negated, kind, value: value.toLowerCase() } : readWords('text', negated, value);
}

const placed = (fault: QueryFault, at: number, end: number): QueryProblem => ({ ...fault, at, length: end - at });
