import { readLibraryQuery } from './library-query.ts';
import type { QueryFieldName } from './query-fields.ts';
import { type QueryToken, queryTokens, quotedValue } from './query-words.ts';

/**
 * The query with a term more, that all it found is held against: `field:value`, or `-field:value` where it is to be
 * excluded. A query that may find either of several things is put in parentheses first. What is there already is not
 * said twice, and its contrary goes: to exclude what was searched for finds something. The value is taken literally.
 * Of a query that cannot be read nothing is kept.
 */
export function withTerm(query: string, field: QueryFieldName, value: string, isExcluded = false): string {
  if (readLibraryQuery(query, new Date()).kind === 'problem') return termText(field, value, isExcluded);
  const rest = dropTerm(query, termText(field, value, !isExcluded));
  const added = termText(field, value, isExcluded);
  const words = topTokens(rest);
  if (words.some(({ token: { at, end }, depth }) => depth === 0 && rest.slice(at, end) === added)) return rest;
  if (rest.trim() === '') return added;
  const isEither = words.some(
    ({ token, depth }) => depth === 0 && token.kind === 'operator' && token.operator === 'OR',
  );
  return `${isEither ? `(${rest.trim()})` : rest.trimEnd()} ${added}`;
}

/** The query with what the value is excluded by instead. */
export const withoutTerm = (query: string, field: QueryFieldName, value: string): string =>
  withTerm(query, field, value, true);

const termText = (field: QueryFieldName, value: string, isExcluded: boolean): string =>
  `${isExcluded ? '-' : ''}${field}:${quotedValue(value)}`;

function topTokens(query: string): { token: QueryToken; depth: number }[] {
  let depth = 0;
  return [...queryTokens(query)].map((token) => {
    if (token.kind === 'close') depth -= 1;
    const found = { token, depth };
    if (token.kind === 'open') depth += 1;
    return found;
  });
}

/** Without a term that is alone between others: one that an operator joins stays. */
function dropTerm(query: string, term: string): string {
  const tokens = topTokens(query);
  const isJoined = tokens.some(({ token, depth }) => depth === 0 && token.kind === 'operator');
  const found = tokens.find(({ token: { at, end }, depth }) => depth === 0 && query.slice(at, end) === term);
  if (isJoined || found === undefined) return query;
  const { at, end } = found.token;
  return `${query.slice(0, at)}${query.slice(end).trimStart()}`.trimEnd();
}

/**
 * The parts of a query of which each must hold, a group with its parentheses; none where an operator joins them, and no
 * part can be left out by itself.
 */
export function queryParts(query: string): { at: number; end: number }[] {
  const parts: { at: number; end: number }[] = [];
  let [opened, isNegated] = [0, -1];
  for (const { token, depth } of topTokens(query)) {
    if (depth > 0) continue;
    const at = isNegated >= 0 ? isNegated : token.at;
    if (token.kind === 'operator') {
      if (token.operator !== 'NOT') return [];
      isNegated = at;
      continue;
    }
    if (token.kind === 'open') opened = at;
    else parts.push({ at: token.kind === 'close' ? opened : at, end: token.end });
    isNegated = -1;
  }
  return parts;
}
