import { assertNever } from '../assert-never.ts';
import { hashLengths } from './hash-kinds.ts';
import { type QueryFieldRow } from './query-fields.ts';
import { type QueryFault } from './query-problems.ts';
import { readCountRange, readSizeRange } from './query-ranges.ts';
import { type NamedMatch, type QueryTerm } from './query-term.ts';
import { readTimeRange } from './query-times.ts';
import { type QueryWord } from './query-words.ts';
import { lowerLetters } from './letters.ts';
import { normalTag, tag } from './tag.ts';
import { tlpLevels } from './tlp.ts';

type Read = QueryTerm | QueryFault;
type Row<K extends QueryFieldRow['value']> = Extract<QueryFieldRow, { value: K }>;

/** What a field and the value behind it ask for. Ages are counted back from `now`. */
export function readValue(row: QueryFieldRow, word: QueryWord, now: Date): Read {
  const negated = word.isNegated;
  switch (row.value) {
    case 'words':
      return readWords(row.name, negated, word.value);
    case 'note':
      return word.quote === 'none' && word.value === '*'
        ? { field: 'note', negated, match: { kind: 'any' } }
        : readNote(negated, word.value);
    case 'tag':
      return readTag(negated, matchOf(word));
    case 'rule':
      return { field: 'rule', negated, match: matchOf(word) };
    case 'type':
      return readType(negated, withoutStar(word));
    case 'hash':
      return readHash(row, negated, withoutStar(word));
    case 'size':
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
      return row.name === 'tlp' ? readTlp(negated, word.value) : readVault(negated, word.value);
    default:
      return assertNever(row);
  }
}

const termOr = <R>(fault: QueryFault, range: R | null, term: (range: R) => QueryTerm): Read =>
  range === null ? fault : term(range);

/** Text is searched for by its letters and digits alone. */
export const readWords = (field: 'text' | Row<'words'>['name'], negated: boolean, value: string): Read =>
  hasLetter(value) ? { field, negated, value: value.toWellFormed() } : { reason: 'no-letter' };

const readNote = (negated: boolean, value: string): Read =>
  hasLetter(value)
    ? { field: 'note', negated, match: { kind: 'words', value: value.toWellFormed() } }
    : { reason: 'no-letter' };

const readType = (negated: boolean, value: string): Read =>
  hasLetter(value)
    ? { field: 'type', negated, value: lowerLetters(value.trim()).toWellFormed() }
    : { reason: 'no-letter' };

const hasLetter = (value: string): boolean => /[\p{L}\p{N}]/u.test(value);

/** What is quoted is meant as it stands; the family of a tag alone, with its colon, are all tags of it. */
function matchOf({ quote, hasStar, value }: QueryWord): NamedMatch {
  if (quote !== 'none') return { kind: hasStar ? 'beginning' : 'exact', value };
  if (value === '*') return { kind: 'any' };
  if (value.endsWith('*')) return { kind: 'beginning', value: value.slice(0, -1) };
  return { kind: value.endsWith(':') ? 'beginning' : 'exact', value };
}

const withoutStar = ({ quote, value }: QueryWord): string =>
  quote === 'none' && value.endsWith('*') ? value.slice(0, -1) : value;

function readTag(negated: boolean, match: NamedMatch): Read {
  if (match.kind === 'any') return { field: 'tag', negated, match };
  const value = normalTag(match.value);
  if (value.startsWith(tlpPrefix))
    return readTlp(negated, `${value.slice(tlpPrefix.length)}${match.kind === 'beginning' ? '*' : ''}`);
  return tag.safeParse(value).success
    ? { field: 'tag', negated, match: { kind: match.kind, value } }
    : { reason: 'bad-tag' };
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

const shortestBeginning = 4;

function readHash({ name }: Row<'hash'>, negated: boolean, typed: string): Read {
  const value = typed.toLowerCase();
  const kind = name === 'hash' ? null : name;
  const isHash =
    /^[0-9a-f]+$/.test(value) && value.length >= shortestBeginning && value.length <= hashLengths[kind ?? 'sha256'];
  return isHash ? { field: 'hash', negated, kind, value } : { reason: 'bad-hash', field: name };
}
