import { fieldLike, fieldNamed } from './query-fields.ts';
import { longestQuery } from './query-term.ts';
import { type QueryWord, queryWords } from './query-words.ts';

export type QueryRunKind = 'field' | 'value' | 'word' | 'negation' | 'space' | 'quote' | 'problem';

/** A piece of a query to be coloured. `at` in UTF-16 code units. */
export interface QueryRun {
  text: string;
  kind: QueryRunKind;
  at: number;
}

/**
 * The pieces of a query as it is typed, finished or not: they join to exactly the text, and none is empty. A problem is
 * a misspelt field or what is too much; whether a value can be read is for the reader to say, once it is typed.
 */
export function queryRuns(text: string): QueryRun[] {
  const readable = text.slice(0, longestQuery);
  const ends: End[] = [];
  for (const word of queryWords(readable)) ends.push([word.at, 'space'], ...wordEnds(word));
  ends.push([readable.length, 'space'], [text.length, 'problem']);
  return runsBetween(text, ends);
}

/** Where a run ends, and what it is. */
type End = [end: number, kind: QueryRunKind];

function wordEnds(word: QueryWord): End[] {
  const prefix = prefixKind(word.prefix);
  const kind = prefix === 'word' ? 'word' : 'value';
  return [
    [word.bodyAt, 'negation'],
    [word.valueAt, prefix],
    [word.contentAt, 'quote'],
    [word.contentEnd, kind],
    [word.end - (word.hasStar ? 1 : 0), 'quote'],
    [word.end, kind],
  ];
}

function prefixKind(prefix: string | null): 'field' | 'problem' | 'word' {
  if (prefix === null) return 'word';
  if (fieldNamed(prefix)) return 'field';
  return fieldLike(prefix) ? 'problem' : 'word';
}

function runsBetween(text: string, ends: readonly End[]): QueryRun[] {
  const runs: QueryRun[] = [];
  let at = 0;
  for (const [end, kind] of ends) {
    if (end > at) runs.push({ text: text.slice(at, end), kind, at });
    at = end;
  }
  return runs;
}
