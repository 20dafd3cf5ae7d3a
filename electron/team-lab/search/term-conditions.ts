import { assertNever } from '../../../shared/assert-never.ts';
import type { NamedMatch, QueryLeaf, QueryTerm } from '../../../shared/domain/query-fields.ts';
import { comparableValue, wordlessValue } from '../../../shared/domain/query-values.ts';
import { severity } from '../../../shared/domain/sample.ts';
import { longestTag, mostSearchedTags, type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { lowerLetters } from '../../../shared/domain/visible-text.ts';
import { isWordless, meantTexts } from '../../storage/database/search-expression.ts';
import { fits } from '../../storage/library/library-query.ts';
import type { Value } from '../postgres/pg-database.ts';
import { phraseQuery, phrasesOf, wordsOf } from './pg-words.ts';
import { keyCharacters, lowerName, lowerThreat, sampleKeys, tlpTags } from './search-schema.ts';

/** A search that the team lab does not run. The message is for the person. */
export class SearchRefused extends Error {
  override readonly name = 'SearchRefused';
}

/** Puts a value among those of the statement. @returns its placeholder, with its type */
export type Bind = (value: Value, type: string) => string;

/** A part of a statement: nothing of the query is in its text, all of it is bound. */
export type Sql = (bind: Bind) => string;

/**
 * Samples that an index leads to. `ids` gives them as the column `id`; `holds` is the same as a condition on a row of
 * `sample`, for where they are many.
 */
export interface Source {
  ids: Sql;
  holds: Sql;
  /** `ids` has no sample twice. */
  isDistinct?: true;
  /** PostgreSQL keeps how often each word or tag occurs that is common. */
  isEstimated?: true;
}

/** What a term asks for: a condition on a row of `sample`; or to be in any of these sources, or in none of them. */
export type TermPlan = { kind: 'row'; holds: Sql } | { kind: 'sources'; of: Source[]; negated: boolean };

/** Columns whose different values are few: they are compared here, as the library compares them, and not in SQL. */
export type ListedColumn = 'mime' | 'uploader';
export type ListedValues = Readonly<Record<ListedColumn, readonly string[]>>;

/** Which columns' values a query needs. */
export function listedColumns(terms: readonly QueryTerm[]): Set<ListedColumn> {
  return new Set(
    terms.flatMap((term): ListedColumn[] => {
      if (term.field === 'any') return [...listedColumns(term.of.flat())];
      if (term.field === 'type' || term.field === 'mime') return ['mime'];
      return term.field === 'uploader' ? ['uploader'] : [];
    }),
  );
}

const always: TermPlan = { kind: 'row', holds: () => 'true' };
const never: TermPlan = { kind: 'row', holds: () => 'false' };
const row = (holds: Sql): TermPlan => ({ kind: 'row', holds });
const from = (...of: Source[]): TermPlan => ({ kind: 'sources', of, negated: false });
/** A condition on the row that an index answers. */
const rowSource = (holds: Sql, marks: Pick<Source, 'isEstimated'> = {}): Source => ({
  ...marks,
  isDistinct: true,
  ids: (bind) => `SELECT id FROM sample WHERE ${holds(bind)}`,
  holds,
});

/** What one term means here. @throws SearchRefused for a field that a team lab does not have */
export function planOf(term: QueryLeaf, values: ListedValues): TermPlan {
  switch (term.field) {
    case 'text':
      return textAnywhere(term.value);
    case 'name':
      return term.isPattern === true ? likeSource('name', lowerName, term.value) : nameWords(term.value);
    case 'threat':
      return term.isPattern === true ? likeSource('threat', lowerThreat, term.value) : threatWords(term.value);
    case 'comment':
      return from(...commentSource(term.value));
    case 'tag':
      return hasTag(term.match);
    case 'rule':
      return from(hitSource(ruleCondition(term.match)));
    case 'hash':
      return from(hashSource(term.kind === null ? ['md5', 'sha1', 'sha256'] : [term.kind], term.value));
    case 'size':
      return row(within('size', term));
    case 'comments':
      return counted('comment', 'count(*)', term);
    case 'hits':
      return counted('hit', 'count(DISTINCT rule)', term);
    case 'seen':
      return uploadedWithin(term.from, term.until);
    case 'date':
      return uploadedOnDays(term);
    case 'tlp':
      return hasTlp(term.level);
    case 'severity':
      return term.level === null
        ? never
        : row((bind) => `${severityColumn} = ${bind(severityNumber(term.level), 'smallint')}`);
    case 'type':
      return listed('mime', values, (mime) => isOfType(lowerLetters(mime), term));
    case 'mime':
    case 'uploader':
      return listed(term.field, values, (value) => isNamed(comparableValue(value), term.match));
    case 'locked':
      return restrictedAs(term.match);
    default:
      throw new SearchRefused(`The team lab cannot search “${term.field}:”. Remove it from the search.`);
  }
}

/** The service's word for it, and its numbers, the worst first. */
const severityColumn = 'criticity';
const severityNumber = (level: string | null): number => severity.options.findIndex((one) => one === level) + 1;

type Numbers = Extract<QueryLeaf, { least: number | null }>;

function within(column: string, { least, most }: Pick<Numbers, 'least' | 'most'>): Sql {
  return (bind) =>
    [
      least === null ? [] : `${column} >= ${bind(least, 'bigint')}`,
      most === null ? [] : `${column} <= ${bind(most, 'bigint')}`,
    ]
      .flat()
      .join(' AND ') || 'true';
}

/** So many rows of a table are of the sample. Most samples have none: those that have are looked for. */
function counted(table: 'comment' | 'hit', count: string, { least, most }: Numbers): TermPlan {
  const isAny = (least ?? 0) === 0;
  if (isAny && most === null) return always;
  const range = isAny ? { least: (most ?? 0) + 1, most: null } : { least, most };
  const has = within(count, range);
  const source: Source = {
    ids: (bind) => `SELECT sample_id AS id FROM ${table} GROUP BY sample_id HAVING ${has(bind)}`,
    holds: (bind) =>
      range.least === 1 && range.most === null
        ? `EXISTS (SELECT FROM ${table} WHERE sample_id = sample.id)`
        : `(SELECT ${has(bind)} FROM ${table} WHERE sample_id = sample.id)`,
  };
  return { kind: 'sources', of: [source], negated: isAny };
}

/** PostgreSQL has no year 0, and no sample is from before it. */
const firstYear = '0001-01-01T00:00:00.000Z';

function uploadedWithin(since: string | null, until: string | null): TermPlan {
  if (until !== null && until < firstYear) return never;
  const first = since !== null && since >= firstYear ? since : null;
  return row(
    (bind) =>
      [
        first === null ? [] : `uploaded >= ${bind(first, 'timestamptz')}`,
        until === null ? [] : `uploaded < ${bind(until, 'timestamptz')}`,
      ]
        .flat()
        .join(' AND ') || 'true',
  );
}

const dayMs = 86_400_000;

/** By the days of which a part is meant, as the dates of records are found in the library. */
function uploadedOnDays({ from: since, until }: Extract<QueryLeaf, { until: string | null }>): TermPlan {
  const startOf = (ms: number): number => Math.floor(ms / dayMs) * dayMs;
  const first = since === null ? null : new Date(startOf(Date.parse(since))).toISOString();
  const end = until === null ? null : startOf(Date.parse(until) - 1) + dayMs;
  // The day behind the last one that can be written.
  const isOpen = end === null || end > Date.parse('9999-12-31T00:00:00.000Z');
  return uploadedWithin(first, isOpen ? null : new Date(end).toISOString());
}

/** Whole or by its beginning, in lower-case hexadecimal digits. */
function hashSource(kinds: readonly ('md5' | 'sha1' | 'sha256')[], digits: string): Source {
  const bytes = { md5: 16, sha1: 20, sha256: 32 };
  return rowSource((bind) => {
    const conditions = kinds
      .filter((kind) => digits.length <= 2 * bytes[kind])
      .map((kind) => {
        const [first, last] = ['0', 'f'].map((pad) => Buffer.from(digits.padEnd(2 * bytes[kind], pad), 'hex'));
        return `${kind} BETWEEN ${bind(first ?? null, 'bytea')} AND ${bind(last ?? null, 'bytea')}`;
      });
    return conditions.length === 0 ? 'false' : `(${conditions.join(' OR ')})`;
  });
}

const hexWord = /^[0-9a-f]{1,64}$/;

/** A phrase in name, threat or tags, in one comment, or in the name of a rule that hit; or how a hash begins. */
function textAnywhere(text: string): TermPlan {
  const phrases = phrasesOf(text);
  const beginnings = phrases.flatMap(({ words: [first = '', ...more], isOpen }) =>
    more.length === 0 && isOpen && hexWord.test(first) ? [first] : [],
  );
  if (meantTexts(text).every(isWordless)) return never;
  const rule: Sql = (bind) => `strpos(lower(rule COLLATE "C"), ${bind(lowerLetters(text), 'text')}) > 0`;
  return from(
    ...wordSource(text, null),
    ...commentSource(text),
    hitSource(rule),
    ...[...new Set(beginnings)].map((digits) => hashSource(['md5', 'sha1', 'sha256'], digits)),
  );
}

function wordSource(text: string, weight: Parameters<typeof phraseQuery>[1]): Source[] {
  const query = phraseQuery(text, weight);
  return query === null ? [] : [rowSource((bind) => `words @@ ${bind(query, 'tsquery')}`, { isEstimated: true })];
}

function commentSource(text: string): Source[] {
  const query = phraseQuery(text);
  if (query === null) return [];
  const has: Sql = (bind) => `comment.words @@ ${bind(query, 'tsquery')}`;
  return [
    {
      ids: (bind) => `SELECT sample_id AS id FROM comment WHERE ${has(bind)}`,
      holds: (bind) => `EXISTS (SELECT FROM comment WHERE comment.sample_id = sample.id AND ${has(bind)})`,
    },
  ];
}

const nameWords = (text: string): TermPlan =>
  from(...wordSource(text, wordsOf.name), ...wholeSource(text, (values) => `${sampleKeys.name} = ANY (${values})`));
const threatWords = (text: string): TermPlan =>
  from(...wordSource(text, wordsOf.threat), ...wholeSource(text, (values) => `${lowerThreat} = ANY (${values})`));

/** A name without a word is meant as a whole. */
function wholeSource(text: string, isOneOf: (values: string) => string): Source[] {
  const wholes = meantTexts(text)
    .filter(isWordless)
    .flatMap((whole) => [whole, wordlessValue(whole)])
    .map((whole) => [...lowerLetters(whole)].slice(0, keyCharacters).join(''));
  return wholes.length === 0 ? [] : [rowSource((bind) => isOneOf(bind([...new Set(wholes)], 'text[]')))];
}

/** `*` is any characters, `?` is one. */
const likeOf = (pattern: string): string =>
  pattern
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, '%')
    .replaceAll('?', '_');
const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
/** What leads a trigram index to few rows. */
const hasTrigram = (pattern: string): boolean => /[a-z0-9]{3}/.test(pattern);

/** Without three letters side by side every row is looked at, as far as the page and the count need them. */
const likeSource = (column: string, lower: string, pattern: string): TermPlan => {
  // An empty text counts as none, as in a record.
  const holds: Sql = (bind) => `(${lower} LIKE ${bind(likeOf(pattern), 'text')} AND ${column} <> '')`;
  return hasTrigram(pattern) ? from(rowSource(holds)) : row(holds);
};

/** Of the tags those that the library shows as such, of which the first so many. */
const shownTags = `unnest(tags[1:${mostSearchedTags}]) AS each (tag)
  WHERE char_length(tag) <= ${longestTag} AND tag NOT LIKE 'tlp:%'`;

function hasTag(match: NamedMatch): TermPlan {
  switch (match.kind) {
    case 'any':
      return row(() => `tag_text <> ',' AND EXISTS (SELECT FROM ${shownTags})`);
    case 'exact':
      return from(rowSource((bind) => `tags @> ARRAY[${bind(match.value, 'text')}]`, { isEstimated: true }));
    case 'beginning': {
      if (match.value.includes(',')) return never;
      const holds: Sql = (bind) => `tag_text LIKE ${bind(`%,${escaped(match.value)}%`, 'text')}`;
      return hasTrigram(match.value) ? from(rowSource(holds)) : row(holds);
    }
    case 'pattern': {
      const pattern = likeOf(match.value);
      const holds: Sql = (bind) =>
        `(tag_text LIKE ${bind(`%,${pattern},%`, 'text')}
          AND EXISTS (SELECT FROM ${shownTags} AND tag LIKE ${bind(pattern, 'text')}))`;
      return hasTrigram(match.value) ? from(rowSource(holds)) : row(holds);
    }
    default:
      return assertNever(match);
  }
}

/** The strictest of its tags. Of each sample a record is known: none is unknown. */
function hasTlp(level: TlpLevel | 'unknown' | null): TermPlan {
  if (level === 'unknown') return never;
  const strictness = level === null ? -1 : tlpLevels.indexOf(level);
  const [own, stricter] = [tlpTags[strictness] ?? [], tlpTags.slice(strictness + 1).flat()];
  const hasStricter: Sql = (bind) => (stricter.length === 0 ? 'false' : `tags && ${bind(stricter, 'text[]')}`);
  if (level === null) return row((bind) => `NOT (${hasStricter(bind)})`);
  return from(rowSource((bind) => `(tags && ${bind(own, 'text[]')} AND NOT (${hasStricter(bind)}))`));
}

/** Hits by rules for which a condition over a column `rule` holds. */
function hitSource(condition: Sql): Source {
  return {
    ids: (bind) =>
      `SELECT sample_id AS id FROM hit
        WHERE rule COLLATE "C" = ANY (ARRAY(SELECT rule FROM hit_rule WHERE ${condition(bind)}))`,
    holds: (bind) => `EXISTS (SELECT FROM hit WHERE hit.sample_id = sample.id AND ${condition(bind)})`,
  };
}

/** As the rule is written. */
const ruleCondition =
  (match: NamedMatch): Sql =>
  (bind) => {
    switch (match.kind) {
      case 'any':
        return 'true';
      case 'exact':
        return `rule = ${bind(match.value, 'text')}`;
      case 'beginning':
        return `starts_with(rule, ${bind(match.value, 'text')})`;
      case 'pattern':
        return `rule LIKE ${bind(likeOf(match.value), 'text')}`;
      default:
        return assertNever(match);
    }
  };

function listed(column: ListedColumn, values: ListedValues, isMeant: (value: string) => boolean): TermPlan {
  const meant = values[column].filter(isMeant);
  return meant.length === 0 ? never : row((bind) => `${sampleKeys[column]} = ANY (${bind(meant, 'text[]')})`);
}

const isOfType = (mime: string, { value, isPattern }: { value: string; isPattern?: true | undefined }): boolean =>
  isPattern === true ? fits(mime, value) : mime.startsWith(value);

/** A value that is nothing when it is compared states nothing. */
function isNamed(value: string, match: NamedMatch): boolean {
  if (value === '') return false;
  switch (match.kind) {
    case 'any':
      return true;
    case 'exact':
      return value === match.value;
    case 'beginning':
      return value.startsWith(match.value);
    case 'pattern':
      return fits(value, match.value);
    default:
      return assertNever(match);
  }
}

function restrictedAs(match: NamedMatch): TermPlan {
  const [isLocked, isOpen] = ['yes', 'no'].map((value) => isNamed(value, match));
  if (isLocked === isOpen) return isLocked ? always : never;
  return row(() => (isLocked ? 'restricted' : 'NOT restricted'));
}
