import { assertNever } from '../assert-never.ts';
import { boundedTime } from './clock.ts';
import { refang } from './defang.ts';
import { hashLengths } from './hash.ts';
import type { NamedMatch, QueryFieldRow, QueryLeaf } from './query-fields.ts';
import type { QueryFault } from './query-problems.ts';
import type { QueryWord } from './query-words.ts';
import { severity } from './sample.ts';
import { normalTag, tag, tlpLevels } from './tag.ts';
import { lowerLetters, visibleText } from './visible-text.ts';

type Read = QueryLeaf | QueryFault;
type Row<K extends QueryFieldRow['value']> = Extract<QueryFieldRow, { value: K }>;

/** What a field and the value behind it ask for. Ages are counted back from `now`. */
export function readValue(row: QueryFieldRow, word: QueryWord, now: Date): Read {
  const negated = word.isNegated;
  switch (row.value) {
    case 'words':
      return readContained(row, word);
    case 'note':
      return word.quote === 'none' && word.value === '*'
        ? { field: 'note', negated, match: { kind: 'any' } }
        : readNote(negated, word.value);
    case 'tag':
      return readTag(word, matchOf(word));
    case 'rule':
      return { field: 'rule', negated, match: matchOf(word) };
    case 'record':
      return readStated(row, word);
    case 'source':
      return { field: 'source', negated, match: loweredMatch(word, lowerLetters(word.value).toWellFormed()) };
    case 'type':
      return patternIn('type', word) ?? readType(word);
    case 'hash':
      return readHash(row, negated, withoutStar(word));
    case 'size':
      // Any size at all.
      if (isStar(word)) return { field: 'size', negated, least: null, most: null };
      return termOr({ reason: 'bad-size', field: row.name }, readSizeRange(word.value), (range) => ({
        field: row.name,
        negated,
        ...range,
      }));
    case 'count':
      return termOr({ reason: 'bad-count', field: row.name }, readCountRange(word.value), (range) => ({
        field: row.name,
        negated,
        ...range,
      }));
    case 'time':
      return termOr({ reason: 'bad-time', field: row.name }, readTimeRange(word.value, now), (range) => ({
        field: row.name,
        negated,
        ...range,
      }));
    case 'choice':
      return readChoice[row.name](negated, word.value);
    default:
      return assertNever(row);
  }
}

const termOr = <R>(fault: QueryFault, range: R | null, term: (range: R) => QueryLeaf): Read =>
  range === null ? fault : term(range);

const isStar = ({ quote, value }: QueryWord): boolean => quote === 'none' && value === '*';

/**
 * Name, threat and comment: by words, the last of which may be begun; by a pattern of the whole; or any at all. A name
 * or threat in quotes that has no word is meant as a whole.
 */
function readContained({ name }: Row<'words'>, word: QueryWord): Read {
  if (name === 'comment')
    return isStar(word)
      ? { field: 'comments', negated: word.isNegated, least: 1, most: null }
      : readWords(name, word.isNegated, word.value);
  if (word.quote !== 'none' && !hasLetter(word.value)) {
    const isNothing = wordlessValue(word.value) === '';
    return isNothing
      ? { reason: 'no-letter' }
      : { field: name, negated: word.isNegated, value: word.value.toWellFormed() };
  }
  return patternIn(name, word) ?? readWords(name, word.isNegated, word.value);
}

/** A star at the end alone leaves the end open, and makes no pattern. */
const isPattern = (value: string): boolean => value.includes('?') || value.slice(0, -1).includes('*');

/** A star behind words alone means what they mean anyway. */
function patternIn(field: 'name' | 'threat' | 'type', word: QueryWord): QueryLeaf | null {
  return isStar(word) || (word.quote === 'none' && isPattern(word.value))
    ? { field, negated: word.isNegated, value: lowerLetters(word.value).toWellFormed(), isPattern: true }
    : null;
}

/** UTF-16 units of one value that are compared. */
const longestCompared = 1000;

/**
 * A value of a record as it is compared, the same whether it was stored, shown or typed: in ASCII lower case, as
 * hashes and addresses are written either way; accented letters as one character (NFC); hidden characters spelled out;
 * addresses not defanged; white space as one space. What it gives stays as it is when it is given again.
 */
export function comparableValue(value: string): string {
  const shown = visibleText(value.slice(0, 4 * longestCompared).toWellFormed());
  const line = refang(shown).replaceAll(/\s+/g, ' ').trim().normalize('NFC');
  return lowerLetters(line).slice(0, longestCompared).trimEnd().toWellFormed();
}

const longestWordless = 200;

/** The same of a name or a threat that has no word and is compared as a whole, for which its beginning is enough. */
export const wordlessValue = (value: string): string =>
  comparableValue(value).slice(0, longestWordless).trimEnd().toWellFormed();

function readStated({ name, choices }: Row<'record'>, word: QueryWord): Read {
  const match = loweredMatch(word, comparableValue(word.value));
  if (match.kind !== 'any' && match.value === '') return { reason: 'no-value', field: name };
  const isChoice = name === 'favorite' || name === 'locked';
  if (isChoice && match.kind === 'exact' && !choices.some((choice) => choice === match.value))
    return { reason: 'bad-choice', field: name, choices: [...choices] };
  return { field: name, negated: word.isNegated, match };
}

/** A quoted value is literal. */
function loweredMatch(word: QueryWord, value: string): NamedMatch {
  if (word.quote !== 'none') return { kind: word.hasStar ? 'beginning' : 'exact', value };
  if (value === '*') return { kind: 'any' };
  if (isPattern(value)) return { kind: 'pattern', value };
  return value.endsWith('*') ? { kind: 'beginning', value: value.slice(0, -1) } : { kind: 'exact', value };
}

/** Text is searched for by its letters and digits alone. */
export const readWords = (field: 'text' | Row<'words'>['name'], negated: boolean, value: string): Read =>
  hasLetter(value) ? { field, negated, value: value.toWellFormed() } : { reason: 'no-letter' };

const readNote = (negated: boolean, value: string): Read =>
  hasLetter(value)
    ? { field: 'note', negated, match: { kind: 'words', value: value.toWellFormed() } }
    : { reason: 'no-letter' };

/** A quoted type is literal. */
function readType(word: QueryWord): Read {
  const isLiteral = word.quote !== 'none' && word.value.trim() !== '';
  const value = isLiteral ? word.value : withoutStar(word).trim();
  return isLiteral || hasLetter(value)
    ? { field: 'type', negated: word.isNegated, value: lowerLetters(value).toWellFormed() }
    : { reason: 'no-letter' };
}

const hasLetter = (value: string): boolean => /[\p{L}\p{N}]/u.test(value);

/** A quoted value is literal; the family of a tag alone, with its colon, means all tags of it. */
function matchOf({ quote, hasStar, value }: QueryWord): NamedMatch {
  if (quote !== 'none') return { kind: hasStar ? 'beginning' : 'exact', value };
  if (value === '*') return { kind: 'any' };
  if (isPattern(value)) return { kind: 'pattern', value };
  if (value.endsWith('*')) return { kind: 'beginning', value: value.slice(0, -1) };
  return { kind: value.endsWith(':') ? 'beginning' : 'exact', value };
}

const withoutStar = ({ quote, value }: QueryWord): string =>
  quote === 'none' && value.endsWith('*') ? value.slice(0, -1) : value;

/** In quotes it may be a tag of a service that is none here, such as one with a comma. */
function readTag({ isNegated: negated, quote }: QueryWord, match: NamedMatch): Read {
  if (match.kind === 'any') return { field: 'tag', negated, match };
  const value = normalTag(match.value);
  if (value.startsWith(tlpPrefix)) {
    const level = readTlp(negated, `${value.slice(tlpPrefix.length)}${match.kind === 'beginning' ? '*' : ''}`);
    if (!('reason' in level) || quote === 'none') return level;
  }
  if (tag.safeParse(value).success) return { field: 'tag', negated, match: { kind: match.kind, value } };
  const literal = quote === 'none' ? '' : comparableValue(value);
  return literal === ''
    ? { reason: 'bad-tag' }
    : { field: 'tag', negated, match: { kind: match.kind, value: literal } };
}

const tlpPrefix = 'tlp:';

/** Any TLP at all is not none. */
function readTlp(negated: boolean, typed: string): Read {
  const value = typed.toLowerCase();
  if (value === '*') return { field: 'tlp', negated: !negated, level: null };
  if (value === 'none') return { field: 'tlp', negated, level: null };
  if (value === 'unknown') return { field: 'tlp', negated, level: value };
  const level = value === 'white' ? 'clear' : tlpLevels.find((one) => one === value);
  return level
    ? { field: 'tlp', negated, level }
    : { reason: 'bad-choice', field: 'tlp', choices: [...tlpLevels, 'none', 'unknown'] };
}

function readVault(negated: boolean, typed: string): Read {
  const value = typed.toLowerCase();
  if (value !== 'yes' && value !== 'no') return { reason: 'bad-choice', field: 'invault', choices: ['yes', 'no'] };
  return { field: 'invault', negated, value: value === 'yes' };
}

function readSeverity(negated: boolean, typed: string): Read {
  const value = typed.toLowerCase();
  if (value === '*') return { field: 'severity', negated: !negated, level: null };
  if (value === 'none') return { field: 'severity', negated, level: null };
  const level = severity.options.find((one) => one === value);
  return level === undefined
    ? { reason: 'bad-choice', field: 'severity', choices: [...severity.options, 'none'] }
    : { field: 'severity', negated, level };
}

const readChoice: Record<Row<'choice'>['name'], (negated: boolean, typed: string) => Read> = {
  tlp: readTlp,
  severity: readSeverity,
  invault: readVault,
};

const shortestBeginning = 4;

function readHash({ name }: Row<'hash'>, negated: boolean, typed: string): Read {
  const value = typed.toLowerCase();
  const kind = name === 'hash' ? null : name;
  const isHash =
    /^[0-9a-f]+$/.test(value) && value.length >= shortestBeginning && value.length <= hashLengths[kind ?? 'sha256'];
  return isHash ? { field: 'hash', negated, kind, value } : { reason: 'bad-hash', field: name };
}

type ComparisonSign = '>' | '>=' | '<' | '<=' | '=';

/**
 * The numbers in the value of a size, a count or a time, which are not parsed yet. `low` and `high` may be the wrong
 * way round.
 */
export type Comparison =
  { kind: 'than'; sign: ComparisonSign; operand: string } | { kind: 'between'; low: string; high: string };

const signs = ['>=', '<=', '>', '<', '='] as const;

/** `>1`, `1..2`, `1..`, `..2` or `1` alone, which is `=1`; null where a number is missing. */
export function readComparison(text: string): Comparison | null {
  const sign = signs.find((one) => text.startsWith(one));
  if (sign) return than(sign, text.slice(sign.length));
  const dots = text.indexOf('..');
  if (dots < 0) return than('=', text);
  const [low, high] = [text.slice(0, dots).trim(), text.slice(dots + 2).trim()];
  if (low === '') return than('<=', high);
  return high === '' ? than('>=', low) : { kind: 'between', low, high };
}

function than(sign: ComparisonSign, text: string): Comparison | null {
  const operand = text.trim();
  return operand === '' ? null : { kind: 'than', sign, operand };
}

/** Whole numbers from `least` to `most`, both of them included; null is open. */
export interface CountRange {
  least: number | null;
  most: number | null;
}

/** Bytes in each unit, its name in lower case: an `i` marks the powers of 1024. */
const unitBytes: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['k', 1e3],
  ['kb', 1e3],
  ['m', 1e6],
  ['mb', 1e6],
  ['g', 1e9],
  ['gb', 1e9],
  ['t', 1e12],
  ['tb', 1e12],
  ['kib', 2 ** 10],
  ['mib', 2 ** 20],
  ['gib', 2 ** 30],
  ['tib', 2 ** 40],
]);

/** `>1MB`, `10k..2MiB`, `1024`; null for what is no size. In bytes; a part of a byte is rounded. */
export const readSizeRange = (text: string): CountRange | null => readRange(text, readSize);

/** `>3`, `1..5`, `0`; null for what is no count. */
export const readCountRange = (text: string): CountRange | null => readRange(text, readCount);

function readRange(text: string, read: (text: string) => number | null): CountRange | null {
  const comparison = readComparison(text);
  if (!comparison) return null;
  if (comparison.kind === 'than') return orNull(rangeThan(comparison.sign, read(comparison.operand)));
  const [low, high] = [read(comparison.low), read(comparison.high)];
  return low === null || high === null ? null : { least: Math.min(low, high), most: Math.max(low, high) };
}

function rangeThan(sign: ComparisonSign, value: number | null): CountRange | null {
  if (value === null) return null;
  switch (sign) {
    case '>':
      return { least: value + 1, most: null };
    case '>=':
      return { least: value, most: null };
    case '<':
      return { least: null, most: value - 1 };
    case '<=':
      return { least: null, most: value };
    case '=':
      return { least: value, most: value };
    default:
      return assertNever(sign);
  }
}

const orNull = (range: CountRange | null): CountRange | null =>
  range && isCount(range.least ?? 0) && isCount(range.most ?? 0) ? range : null;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** As the page shows it: `1,208,320 bytes (1.15 MiB)`. */
const shownSize = /^(\d{1,3}(?:,\d{3})*) bytes?(?: \([^()]*\))?$/i;

function readSize(text: string): number | null {
  const [, shown] = shownSize.exec(text) ?? [];
  if (shown !== undefined) return readCount(shown.replaceAll(',', ''));
  const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text) ?? [];
  const bytes = Math.round(Number(digits) * (unitBytes.get(unit?.toLowerCase() ?? '') ?? Number.NaN));
  return isCount(bytes) ? bytes : null;
}

function readCount(text: string): number | null {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return isCount(value) ? value : null;
}

/** Instants, ISO 8601 in UTC with milliseconds. `from` belongs to it, `until` does not; null is open. */
interface TimeRange {
  from: string | null;
  until: string | null;
}

/** Milliseconds since 1970. */
interface Span {
  from: number | null;
  until: number | null;
}
/** A day, a month or a year; or the one instant an age leads to. */
interface Moment {
  from: number;
  until: number;
  isAge: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const unitMs: ReadonlyMap<string, number> = new Map([
  ['m', minuteMs],
  ['h', hourMs],
  ['d', dayMs],
  ['w', 7 * dayMs],
  ['mo', 30 * dayMs],
  ['y', 365 * dayMs],
]);
/** Written with four digits: instants are compared as text where they are stored. */
const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * `<7d` and `7d` (less than seven days ago), `>30d` (longer ago), `2026-11-01`, `2026-11`, `2026`, `today`,
 * `yesterday`, these with `>`, `>=`, `<` and `<=`, and ranges of any two, whichever comes first. Days are those of UTC.
 * null for what is no time.
 */
export function readTimeRange(text: string, now: Date): TimeRange | null {
  const nowMs = boundedTime(now.getTime()).getTime();
  const comparison = readComparison(text.toLowerCase());
  if (!comparison) return null;
  if (comparison.kind === 'than') return written(spanThan(comparison.sign, readMoment(comparison.operand, nowMs)));
  const [one, other] = [readMoment(comparison.low, nowMs), readMoment(comparison.high, nowMs)];
  return written(one && other && { from: Math.min(one.from, other.from), until: Math.max(one.until, other.until) });
}

function spanThan(sign: ComparisonSign, moment: Moment | null): Span | null {
  if (!moment) return null;
  return moment.isAge ? ageThan(sign, moment.from) : momentThan(sign, moment);
}

/** The larger an age, the longer ago. */
const ageThan = (sign: ComparisonSign, at: number): Span =>
  sign === '>' || sign === '>=' ? { from: null, until: at } : { from: at, until: null };

function momentThan(sign: ComparisonSign, { from, until }: Moment): Span {
  switch (sign) {
    case '>':
      return { from: until, until: null };
    case '>=':
      return { from, until: null };
    case '<':
      return { from: null, until: from };
    case '<=':
      return { from: null, until };
    case '=':
      return { from, until };
    default:
      return assertNever(sign);
  }
}

function readMoment(text: string, now: number): Moment | null {
  const today = Math.floor(now / dayMs) * dayMs;
  if (text === 'today') return { from: today, until: today + dayMs, isAge: false };
  if (text === 'yesterday') return { from: today - dayMs, until: today, isAge: false };
  return readAge(text, now) ?? readDate(text);
}

function readAge(text: string, now: number): Moment | null {
  const [, digits, unit] = /^(\d{1,9})\s*([a-z]+)$/.exec(text) ?? [];
  const ms = unitMs.get(unit ?? '');
  if (ms === undefined) return null;
  const at = now - Number(digits) * ms;
  return { from: at, until: at, isAge: true };
}

function readDate(text: string): Moment | null {
  if (!/^\d{4}(?:-\d{2}){0,2}$/.test(text)) return null;
  const day = `${text}${'-01-01'.slice(text.length - 4)}`;
  const from = Date.parse(`${day}T00:00:00.000Z`);
  // A day that a month does not have may be taken for one of the next.
  if (Number.isNaN(from) || !new Date(from).toISOString().startsWith(day)) return null;
  return { from, until: nextAfter(from, text.length), isAge: false };
}

function nextAfter(from: number, length: number): number {
  const next = new Date(from);
  if (length === 4) return next.setUTCFullYear(next.getUTCFullYear() + 1);
  if (length === 7) return next.setUTCMonth(next.getUTCMonth() + 1);
  return from + dayMs;
}

function written(span: Span | null): TimeRange | null {
  if (!span || !isWritable(span.from) || !isWritable(span.until)) return null;
  return { from: instant(span.from), until: instant(span.until) };
}

const isWritable = (ms: number | null): boolean => ms === null || (ms >= earliest && ms <= latest);
const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
