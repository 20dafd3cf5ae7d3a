import { assertNever } from '../assert-never.ts';
import { hashKindOf } from './hash.ts';
import {
  deepestQuery,
  fieldLike,
  fieldNamed,
  longestQuery,
  mostQueryTerms,
  type QueryTerm,
  queryTerm,
  queryTerms,
} from './query-fields.ts';
import { type QueryFault, type QueryProblem, queryProblem } from './query-problems.ts';
import { readValue, readWords } from './query-values.ts';
import { type QueryOperator, type QueryToken, queryTokens, type QueryWord, quotedValue } from './query-words.ts';
import { normalTag, tag } from './tag.ts';

export { longestQuery, mostQueryTerms, type QueryProblem, queryProblem, type QueryTerm, queryTerm, queryTerms };

export type ReadQuery = { kind: 'terms'; terms: QueryTerm[] } | { kind: 'problem'; problem: QueryProblem };

/**
 * Reads what was typed to choose samples by:
 *
 *     query = all { OR all }
 *     all   = term { [AND] term }
 *     term  = { NOT } ( word | [-] "(" query ")" )
 *
 * A word is one of `query-fields.ts`, or looks for text. NOT binds closest, then AND, which white space is too, then
 * OR; these are operators in capitals alone. The first thing that cannot be read is the problem of the whole. Ages and
 * days are counted from `now`. Nothing here calls itself: a text may be nested as deep as it is long.
 */
export function readLibraryQuery(text: string, now: Date): ReadQuery {
  if (text.length > longestQuery)
    return problemAt({ reason: 'too-long', most: longestQuery }, longestQuery, text.length);
  const reading = new Reading(text, now);
  for (const token of queryTokens(text)) {
    const fault = reading.take(token);
    if (fault !== null) return { kind: 'problem', problem: fault };
  }
  const fault = reading.end();
  return fault === null ? { kind: 'terms', terms: reading.terms } : { kind: 'problem', problem: fault };
}

/** What was read between two parentheses, or of the whole. */
interface Frame {
  /** Where its parenthesis is. */
  at: number;
  negated: boolean;
  /** In front of each OR. */
  lists: QueryTerm[][];
  /** Behind the last one. */
  current: QueryTerm[];
  /** That nothing follows yet. */
  operators: { operator: QueryOperator; at: number }[];
}

const frameAt = (at: number, negated: boolean): Frame => ({ at, negated, lists: [], current: [], operators: [] });

class Reading {
  readonly #text: string;
  readonly #now: Date;
  #frame: Frame = frameAt(0, false);
  readonly #outer: Frame[] = [];
  #count = 0;

  constructor(text: string, now: Date) {
    this.#text = text;
    this.#now = now;
  }

  /** Once `end` found nothing wrong. */
  get terms(): QueryTerm[] {
    return termsOf(this.#frame, false);
  }

  take(token: QueryToken): QueryProblem | null {
    switch (token.kind) {
      case 'operator':
        return this.#join(token);
      case 'open':
        return this.#open(token);
      case 'close':
        return this.#close(token);
      case 'word':
        return this.#word(token.word);
      default:
        return assertNever(token);
    }
  }

  end(): QueryProblem | null {
    const [operator] = this.#frame.operators;
    if (operator !== undefined) return this.#lonely(operator);
    if (this.#outer.length === 0) return null;
    return placed({ reason: 'unclosed-parenthesis' }, this.#frame.at, this.#text.length);
  }

  #join({ operator, at }: Extract<QueryToken, { kind: 'operator' }>): QueryProblem | null {
    const frame = this.#frame;
    if (operator !== 'NOT') {
      if (frame.operators.length > 0 || frame.current.length === 0) return this.#lonely({ operator, at });
      if (operator === 'OR') {
        frame.lists.push(frame.current);
        frame.current = [];
      }
    }
    frame.operators.push({ operator, at });
    return null;
  }

  #lonely({ operator, at }: { operator: QueryOperator; at: number }): QueryProblem {
    return placed({ reason: 'lonely-operator', operator, fix: `"${operator}"` }, at, at + operator.length);
  }

  #open({ at, isNegated }: Extract<QueryToken, { kind: 'open' }>): QueryProblem | null {
    if (this.#outer.length === deepestQuery)
      return placed({ reason: 'too-deep', most: deepestQuery }, at, this.#text.length);
    this.#outer.push(this.#frame);
    this.#frame = frameAt(at, this.#isNegated(isNegated));
    return null;
  }

  #close({ at, end }: Extract<QueryToken, { kind: 'close' }>): QueryProblem | null {
    const [inner, outer] = [this.#frame, this.#outer.pop()];
    const [operator] = inner.operators;
    if (operator !== undefined) return this.#lonely(operator);
    if (outer === undefined) return placed({ reason: 'unopened-parenthesis', fix: '")"' }, at, end);
    if (inner.current.length === 0) return placed({ reason: 'nothing-inside' }, inner.at, end);
    outer.operators = [];
    outer.current.push(...termsOf(inner, inner.negated));
    this.#frame = outer;
    return null;
  }

  #word(word: QueryWord): QueryProblem | null {
    if (this.#count === mostQueryTerms)
      return placed({ reason: 'too-many', most: mostQueryTerms }, word.at, this.#text.length);
    this.#count += 1;
    const read = readQueryWord(this.#text, word, this.#now);
    if ('reason' in read) return read;
    const isNegated = this.#isNegated(false);
    this.#frame.operators = [];
    this.#frame.current.push(isNegated ? { ...read, negated: !read.negated } : read);
    return null;
  }

  #isNegated(byMinus: boolean): boolean {
    return (this.#frame.operators.filter(({ operator }) => operator === 'NOT').length % 2 === 1) !== byMinus;
  }
}

/** What was read as terms that all hold: as few, and as flat, as they can be. */
function termsOf({ lists, current }: Frame, negated: boolean): QueryTerm[] {
  const [only, ...others] = [...lists, current];
  if (only !== undefined && others.length === 0) {
    const [first, ...rest] = only;
    if (!negated) return only;
    if (first !== undefined && rest.length === 0) return [{ ...first, negated: !first.negated }];
  }
  const of = [...lists, current].flatMap((list) => {
    const [first] = list;
    return list.length === 1 && first?.field === 'any' && !first.negated ? first.of : [list];
  });
  return [{ field: 'any', negated, of }];
}

/** `tag=x`, `size>=1MB`, `tag!=x`. */
const compared = /^([a-z0-9]+)(==|!=|>=|<=|=|>|<)(.+)$/i;
/** By how they are written elsewhere. */
const otherOperators: ReadonlyMap<string, string> = new Map([
  ['&&', 'AND'],
  ['&', 'AND'],
  ['||', 'OR'],
  ['|', 'OR'],
  ['!', 'NOT'],
]);

/** What one word of the text asks for. */
function readQueryWord(text: string, word: QueryWord, now: Date): QueryTerm | QueryProblem {
  const { bodyAt, prefix, end } = word;
  if (word.isNegated && bodyAt === end) return placed({ reason: 'nothing-negated' }, word.at, end);
  if (word.quote === 'open') return placed({ reason: 'unclosed-quote' }, word.valueAt, end);
  const row = prefix === null ? null : fieldNamed(prefix);
  if (row === null) return readFieldless(text, word);
  if (word.value.trim() === '') return placed({ reason: 'no-value', field: row.name }, bodyAt, end);
  if (word.quote === 'none' && word.value.includes('"')) return placed({ reason: 'quote-inside' }, word.valueAt, end);
  if (word.quote === 'none' && /^\([^)]*$/.test(word.value))
    return placed({ reason: 'parenthesis-value' }, word.valueAt, end);
  const read = readValue(row, word, now);
  return 'reason' in read ? placed(read, word.valueAt, end) : read;
}

function readFieldless(text: string, word: QueryWord): QueryTerm | QueryProblem {
  const { bodyAt, prefix, end, value } = word;
  const typed = `${text.slice(bodyAt, word.valueAt)}${value}`;
  if (prefix === null) return (word.quote === 'none' && otherOperator(word)) || readPlain(word, typed);
  const near = fieldLike(prefix);
  if (near)
    return placed(
      { reason: 'unknown-field', field: prefix, suggestion: near.name, fix: near.name },
      bodyAt,
      bodyAt + prefix.length,
    );
  if (isText(prefix, value)) return readPlain(word, typed);
  const isTag = word.quote === 'none' && value !== '' && tag.safeParse(normalTag(typed)).success;
  const fix = isTag ? `tag:${typed}` : quotedValue(typed);
  return placed({ reason: 'unknown-field', field: prefix, suggestion: null, fix }, bodyAt, end);
}

/** A time of day, a drive, an address. */
const isText = (prefix: string, value: string): boolean => /^\d+$/.test(prefix) || /^[/\\]/.test(value);

function otherOperator({ at, bodyAt, end, isNegated, value }: QueryWord): QueryProblem | null {
  const known = otherOperators.get(value);
  if (known !== undefined && !isNegated)
    return placed({ reason: 'unknown-operator', operator: value, fix: known }, at, end);
  if (/^![^!\s]/.test(value))
    return placed({ reason: 'unknown-operator', operator: '!', fix: isNegated ? '' : '-' }, at, bodyAt + 1);
  const [, name = '', sign = '', operand = ''] = compared.exec(value) ?? [];
  const row = fieldNamed(name) ?? fieldLike(name);
  if (!row) return null;
  const isOther = sign === '!=';
  const kept = sign === '=' || sign === '==' || isOther ? '' : sign;
  const fix = `${isOther === isNegated ? '' : '-'}${row.name}:${kept}${operand}`;
  return placed({ reason: 'unknown-operator', operator: sign, fix }, at, end);
}

function readPlain({ isNegated: negated, bodyAt, end }: QueryWord, value: string): QueryTerm | QueryProblem {
  const kind = hashKindOf(value);
  if (kind) return { field: 'hash', negated, kind, value: value.toLowerCase() };
  const read = readWords('text', negated, value);
  return 'reason' in read ? placed(read, bodyAt, end) : read;
}

const placed = (fault: QueryFault, at: number, end: number): QueryProblem => ({ ...fault, at, length: end - at });

const problemAt = (fault: QueryFault, at: number, end: number): ReadQuery => ({
  kind: 'problem',
  problem: placed(fault, at, end),
});
