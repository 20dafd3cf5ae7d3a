import { readLibraryQuery } from './library-query.ts';
import { longestQuery, type QueryFieldName, recordFields } from './query-fields.ts';
import { comparableValue } from './query-values.ts';
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

const hasLetter = /[\p{L}\p{N}]/u;
const inWords: readonly QueryFieldName[] = ['name', 'threat', 'comment'];
const ofRecords: readonly QueryFieldName[] = recordFields;

/** A value that is longer than a query may be is meant by how it begins. White space is one space where it may be. */
function termText(field: QueryFieldName, value: string, isExcluded: boolean): string {
  const start = `${isExcluded ? '-' : ''}${field}:`;
  const [isInWords, isOfRecord] = [inWords.includes(field), ofRecords.includes(field)];
  const line = isInWords || isOfRecord ? value.replaceAll(/[\t\n\u2028\u2029]+/g, ' ') : value;
  const whole = `${start}${quotedValue(line)}`;
  if (whole.length <= longestQuery) return whole;
  const space = longestQuery - start.length - '""*'.length;
  if (isInWords) return `${start}${quotedValue(beginningInWords(line, space))}`;
  return `${start}${quotedValue(isOfRecord ? beginningCompared(line, space) : beginning(line, space))}*`;
}

/** As much of it as there is space for in quotes, and no character cut in two. */
function beginning(value: string, space: number): string {
  let end = Math.min(value.length, space);
  // A quote and a backslash take two places.
  const over = (): number => quotedValue(value.slice(0, end)).length - '""'.length - space;
  while (over() > 0) end -= Math.ceil(over() / 2);
  return /[\ud800-\udbff]/.test(value.charAt(end - 1)) ? value.slice(0, end - 1) : value.slice(0, end);
}

const asciiBetweenWords = String.raw`\0-/:-@[-\x60{-\x7f`;
const upToFirstWord = new RegExp(
  String.raw`^[^\p{L}\p{N}]*[${asciiBetweenWords}](?=[^${asciiBetweenWords}]*[\p{L}\p{N}])`,
  'u',
);
const lastWord = new RegExp(String.raw`(?<=[${asciiBetweenWords}])[^${asciiBetweenWords}]+$`, 'u');

/**
 * Whole words from the first on; of a single one that is longer, its beginning. What is surely between words is in
 * ASCII. A text without a word is compared by its beginning.
 */
function beginningInWords(value: string, space: number): string {
  const begun = beginning(value.replace(upToFirstWord, ''), space);
  const whole = begun.replace(lastWord, '');
  return hasLetter.test(whole) ? whole : begun;
}

/** What is compared depends on what follows, as a mark behind a letter: a beginning of what is compared is sought. */
function beginningCompared(value: string, space: number): string {
  const compared = comparableValue(value);
  let begun = beginning(compared, space);
  while (!compared.startsWith(comparableValue(begun))) begun = begun.slice(0, -1);
  return begun;
}

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
