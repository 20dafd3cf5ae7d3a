import {
  fieldLike,
  fieldNamed,
  longestQuery,
  type QueryFieldName,
  type QueryFieldRow,
  queryFields,
} from './query-fields.ts';
import { queryOperators, type QueryToken, queryTokens, type QueryWord, quotedValue, unescaped } from './query-words.ts';

/**
 * The offers at the caret: for a field and a choice the `choices`; for a tag and a rule those that begin with
 * `beginning`, which the caller knows. The choice replaces the text from `from` to `to`, UTF-16 code units.
 */
export interface QueryCompletion {
  from: number;
  to: number;
  kind: 'field' | 'tag' | 'rule' | 'choice' | 'none';
  /** What was typed of it up to the caret, without quotes. */
  beginning: string;
  /** The field whose value it is. */
  field: QueryFieldName | null;
  negated: boolean;
  choices: string[];
}

/** `caret`: in front of which UTF-16 code unit. */
export function completionAt(text: string, caret: number): QueryCompletion {
  const nothing: QueryCompletion = {
    from: caret,
    to: caret,
    kind: 'none',
    beginning: '',
    field: null,
    negated: false,
    choices: [],
  };
  if (text.length > longestQuery) return nothing;
  const tokens = [...queryTokens(text)];
  const index = tokens.findIndex(({ at, end }) => at < caret && caret <= end);
  const [token, isBehindTerm] = [tokens[index], endsTerm(tokens[index < 0 ? behind(tokens, caret) : index - 1])];
  const isInside = token?.kind === 'open' && caret === token.end;
  if (!token || isInside)
    return tokens.some(({ at }) => at === caret)
      ? nothing
      : { ...nothing, ...fieldChoices('', { isBehindTerm: isBehindTerm && !isInside }) };
  if (token.kind === 'operator')
    return {
      ...nothing,
      from: token.at,
      to: token.end,
      ...fieldChoices(text.slice(token.at, caret), { isBehindTerm }),
    };
  if (token.kind !== 'word') return nothing;
  const { word } = token;
  const row = word.prefix === null ? null : fieldNamed(word.prefix);
  const place = { ...nothing, negated: word.isNegated };
  if (row && caret >= word.valueAt)
    return { ...place, ...valuePart(word, caret), ...valueChoices(row, typedOf(text, word, caret)) };
  if (word.prefix === null ? word.quote !== 'none' : caret >= word.valueAt) return place;
  return {
    ...place,
    from: word.bodyAt,
    to: word.prefix === null ? word.end : word.valueAt,
    ...fieldChoices(text.slice(word.bodyAt, caret), {
      isBehindTerm: isBehindTerm || word.isNegated,
      isPlain: !word.isNegated,
    }),
  };
}

/** The last token that ends in front of the caret; -1: there is none. */
const behind = (tokens: readonly QueryToken[], caret: number): number =>
  tokens.findLastIndex(({ end }) => end <= caret);
const endsTerm = (token: QueryToken | undefined): boolean => token?.kind === 'word' || token?.kind === 'close';

type Offer = Pick<QueryCompletion, 'kind' | 'beginning' | 'choices'>;

/** Fields, and what may join terms here: in capitals, or once its word is typed, as it may be a word like any. */
function fieldChoices(
  beginning: string,
  { isBehindTerm, isPlain = true }: { isBehindTerm: boolean; isPlain?: boolean },
): Offer {
  const fields = queryFields.map(({ name }) => name).filter((name) => name.startsWith(beginning.toLowerCase()));
  const operators = queryOperators.filter(
    (one) =>
      isPlain &&
      (isBehindTerm || one === 'NOT') &&
      // A space is AND.
      (beginning === '' ? one !== 'AND' : one.startsWith(beginning) || one.toLowerCase() === beginning),
  );
  const joining = [...operators, ...(beginning === '' && isPlain ? ['('] : [])];
  const choices = isBehindTerm && beginning === '' ? [...joining, ...fields] : [...fields, ...joining];
  return { kind: choices.length > 0 ? 'field' : 'none', beginning, choices };
}

function valueChoices(row: QueryFieldRow, beginning: string): Offer & Pick<QueryCompletion, 'field'> {
  if (row.value === 'tag' || row.value === 'rule') return { field: row.name, kind: row.value, beginning, choices: [] };
  const choices = row.choices.filter((choice) => choice.startsWith(beginning.toLowerCase()));
  return { field: row.name, kind: choices.length > 0 ? 'choice' : 'none', beginning, choices };
}

/** An open quote takes all the rest for its own, which is not meant. */
const valuePart = (word: QueryWord, caret: number): { from: number; to: number } => ({
  from: word.valueAt,
  to: word.quote === 'open' ? caret : word.end,
});

const typedOf = (text: string, { contentAt, contentEnd }: QueryWord, caret: number): string =>
  unescaped(text.slice(contentAt, Math.min(caret, contentEnd)));

/** The text with the choice, a value with a space behind it, and the new place of the caret. */
export function applyCompletion(
  text: string,
  { from, to, kind }: QueryCompletion,
  choice: string,
): { text: string; caret: number } {
  const rest = text.slice(to);
  if (choice === '(') return { text: `${text.slice(0, from)}(${rest}`, caret: from + 1 };
  if (kind === 'field' && !isOperator(choice))
    return { text: `${text.slice(0, from)}${choice}:${rest}`, caret: from + choice.length + 1 };
  const before = text.slice(0, from) + (kind === 'field' ? choice : writtenValue(choice));
  return { text: /^\s/.test(rest) ? before + rest : `${before} ${rest}`, caret: before.length + 1 };
}

/** What is offered beside fields, and has no colon. */
export const isOperator = (choice: string): boolean => queryOperators.some((one) => one === choice);

export type QueryRunKind = 'operator' | 'field' | 'value' | 'word' | 'negation' | 'space' | 'quote' | 'problem';

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
  for (const token of queryTokens(readable))
    ends.push([token.at, 'space'], ...(token.kind === 'word' ? wordEnds(token.word) : joinEnds(token)));
  ends.push([readable.length, 'space'], [text.length, 'problem']);
  return runsBetween(text, ends);
}

/** Where a run ends, and what it is. */
type End = [end: number, kind: QueryRunKind];

const joinEnds = (token: Exclude<QueryToken, { kind: 'word' }>): End[] =>
  token.kind === 'open' && token.isNegated
    ? [
        [token.at + 1, 'negation'],
        [token.end, 'operator'],
      ]
    : [[token.end, 'operator']];

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

/** A value as it is read again: in quotes where it would be read for something else without them. */
export const writtenValue = (value: string): string => (/[\s"*?()]|:$|^$/.test(value) ? quotedValue(value) : value);
