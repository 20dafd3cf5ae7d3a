import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { assertNever } from '../../../shared/assert-never.ts';
import type { NamedMatch, QueryLeaf, QueryTerm } from '../../../shared/domain/query-fields.ts';
import { wordlessValue } from '../../../shared/domain/query-values.ts';
import { type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { lowerLetters } from '../../../shared/domain/visible-text.ts';
import { labWorkspaceId, labWorkspaceName } from '../../../shared/domain/workspace.ts';
import { isWordless, meantTexts, phraseExpression, shownPhraseExpression } from '../database/search-expression.ts';
import { type Parameters, rowsOf, runNamed } from '../database/statement.ts';
import type { ValueField } from './stated-values.ts';
import { isInVault, isRecorded, severityNumber } from './sample-table.ts';

/** A condition over `sample` with what is bound in it. */
export interface LibraryCondition {
  where: string;
  parameters: Parameters;
}

const hashKinds = ['md5', 'sha1', 'sha256'] as const;

type HashTerm = Extract<QueryLeaf, { field: 'hash' }>;
type CountTerm = Extract<QueryLeaf, { least: number | null }>;
type TimeTerm = Extract<QueryLeaf, { until: string | null }>;

/** `use` may ask with the condition that all the terms hold, as often as it likes. */
export function withTerms<T>(
  sql: DatabaseSync,
  terms: readonly QueryTerm[],
  use: (condition: LibraryCondition) => T,
): T {
  const found = new FoundSets(sql);
  try {
    const conditions = new TermConditions(sql, found);
    const where = new Set(terms.map((term) => conditions.of(term)));
    return use({ where: where.size === 0 ? 'true' : [...where].join(' AND '), parameters: conditions.parameters });
  } finally {
    found.drop();
  }
}

class TermConditions {
  readonly parameters: Parameters = {};
  readonly #sql: DatabaseSync;
  readonly #found: FoundSets;
  /** By the content of the term. */
  readonly #made = new Map<string, string>();

  constructor(sql: DatabaseSync, found: FoundSets) {
    this.#sql = sql;
    this.#found = found;
  }

  /** What is unknown of a sample does not hold, and so its contrary does. What is said twice is looked for once. */
  of(term: QueryTerm): string {
    const said = JSON.stringify({ ...term, negated: false });
    const holds = this.#made.get(said) ?? this.#holds(term);
    this.#made.set(said, holds);
    return term.negated ? `(${holds}) IS NOT TRUE` : `(${holds})`;
  }

  #holds(term: QueryTerm): string {
    if (term.field === 'any') return this.#any(term.of);
    const finding = findingOf(this.#sql, term);
    return finding === null ? this.#compares(term) : this.#found.add(...finding);
  }

  /** Lists of one term that only finds samples are found as one: a table for each would be looked at in every row. */
  #any(of: readonly (readonly QueryTerm[])[]): string {
    const single = of.flatMap((list) => (list.length === 1 ? list : [])).filter(({ negated }) => !negated);
    const together = new Map(
      single.flatMap((term) => {
        const finding = term.field === 'any' ? null : findingOf(this.#sql, term);
        return finding === null ? [] : [[term, finding] as const];
      }),
    );
    const found = together.size < 2 ? [] : [this.#found.add(...[...together.values()].flat())];
    const rest = of.filter(([first]) => found.length === 0 || first === undefined || !together.has(first));
    return [...found, ...new Set(rest.map((list) => `(${list.map((term) => this.of(term)).join(' AND ')})`))].join(
      ' OR ',
    );
  }

  /** What is known of a row by itself. */
  #compares(term: QueryLeaf): string {
    switch (term.field) {
      case 'name':
      case 'threat':
        return this.#pattern(`sample.${term.field}`, term.value);
      case 'type':
        return term.isPattern === true ? this.#pattern('sample.type', term.value) : this.#type(term.value);
      case 'note':
        return 'sample.has_note = 1';
      case 'tag':
        return term.match.kind === 'pattern' ? this.#tag(term.match.value) : "sample.tags <> ','";
      case 'rule':
        return 'sample.hits > 0';
      case 'hash':
        return this.#hash(term);
      case 'size':
      case 'hits':
      case 'comments':
        return this.#count(term);
      case 'seen':
        return this.#time('sample.last_seen', term);
      case 'first':
        return this.#time('sample.first_seen', term);
      case 'tlp':
        return this.#tlp(term.level);
      case 'severity':
        return term.level === null
          ? 'sample.severity IS NULL'
          : `sample.severity = ${this.#bind(severityNumber(term.level))}`;
      case 'invault':
        return term.value ? isInVault : `(${isInVault}) IS NOT TRUE`;
      default:
        throw new TypeError(`${term.field} is found, and not compared`);
    }
  }

  /** The whole value, in either case of ASCII letters. */
  #pattern(column: string, value: string): string {
    return `lower(${column}) GLOB ${this.#bind(globOf(lowerLetters(value)))}`;
  }

  /** Whether one tag fits is looked at where the tags as one text may. */
  #tag(value: string): string {
    this.#sql.function('has_tag_like', { deterministic: true }, (tags, sought) =>
      Number(hasTagLike(String(tags), String(sought))),
    );
    return `sample.tags GLOB ${this.#bind(globOf(`*,${value},*`))} AND has_tag_like(sample.tags, ${this.#bind(value)})`;
  }

  #type(value: string): string {
    const beginning = this.#bind(lowerLetters(value));
    return `substr(lower(sample.type), 1, length(${beginning})) = ${beginning}`;
  }

  #hash({ kind, value }: HashTerm): string {
    const [from, until] = [this.#bind(value), this.#bind(`${value}${behindDigits}`)];
    const kinds = kind === null ? hashKinds : [kind];
    return kinds.map((one) => `sample.${one} >= ${from} AND sample.${one} < ${until}`).join(' OR ');
  }

  /** States the condition twice: SQLite uses the partial index only when `> 0` is explicit. */
  #count({ field, least, most }: CountTerm): string {
    if (field === 'size') return this.#range('sample.size_bytes', least, most);
    const range = this.#range(`sample.${field}`, least, most);
    return least !== null && least > 0 ? `sample.${field} > 0 AND ${range}` : range;
  }

  #range(column: string, least: number | null, most: number | null): string {
    const ends = [
      least === null ? [] : `${column} >= ${this.#bind(least)}`,
      most === null ? [] : `${column} <= ${this.#bind(most)}`,
    ].flat();
    return ends.length === 0 ? `${column} IS NOT NULL` : ends.join(' AND ');
  }

  #time(column: string, { from, until }: TimeTerm): string {
    const ends = [
      from === null ? [] : `${column} >= ${this.#bind(storedTime(from))}`,
      until === null ? [] : `${column} < ${this.#bind(storedTime(until))}`,
    ].flat();
    return ends.length === 0 ? 'true' : ends.join(' AND ');
  }

  #tlp(level: TlpLevel | 'unknown' | null): string {
    if (level === 'unknown') return `sample.tlp IS NULL AND NOT ${isRecorded}`;
    return level === null ? 'sample.tlp IS NULL' : `sample.tlp = ${this.#bind(tlpLevels.indexOf(level))}`;
  }

  #bind(value: SQLInputValue): string {
    const name = `term_${Object.keys(this.parameters).length}`;
    this.parameters[name] = value;
    return `:${name}`;
  }
}

/** Behind every hash that begins with the digits in front of it. */
const behindDigits = 'g';

/** As times are stored, with milliseconds: they are compared as text. */
const storedTime = (time: string): string => new Date(time).toISOString();

/** A statement that gives ids of samples. */
interface FoundBy {
  select: string;
  parameters: Parameters;
}

/**
 * Samples that words, tags and rules find, in temporary tables of the connection: found once, however often a query
 * asks.
 */
class FoundSets {
  readonly #sql: DatabaseSync;
  #sets = 0;

  constructor(sql: DatabaseSync) {
    this.#sql = sql;
  }

  /** @returns the condition that a row of `sample` is found by any of these */
  add(...finding: readonly FoundBy[]): string {
    const table = nameOf(this.#sets++);
    this.#sql.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY)`);
    for (const { select, parameters } of finding)
      runNamed(this.#sql, `INSERT OR IGNORE INTO ${table} ${select}`, parameters);
    return `sample.id IN (SELECT id FROM ${table})`;
  }

  drop(): void {
    while (this.#sets > 0) this.#sql.exec(`DROP TABLE ${nameOf(--this.#sets)}`);
  }
}

const nameOf = (number: number): string => `temp.found_${number}`;

type TextColumn = 'name' | 'threat';
/** A name that is looked for: the whole of it, how it begins, or a pattern. */
type SoughtName = Exclude<NamedMatch, { kind: 'any' }>;

/** What finds the samples of a term; null where each row is looked at instead. */
function findingOf(sql: DatabaseSync, term: QueryLeaf): FoundBy[] | null {
  switch (term.field) {
    case 'text':
      return phraseAnywhere(sql, term.value);
    case 'name':
    case 'threat':
      return term.isPattern === true ? null : phraseIn(term.field, term.value);
    case 'comment':
      return phraseInComment(term.value);
    case 'note':
      return term.match.kind === 'any' ? null : phraseInNote(term.match.value);
    case 'tag':
      return term.match.kind === 'any' || term.match.kind === 'pattern' ? null : hasTag(term.match);
    case 'rule':
      return term.match.kind === 'any' ? null : hitByRule(sql, term.match);
    case 'source':
      return [recordedBy(term.match)];
    case 'date':
      return [isDated(term)];
    case 'type':
    case 'hash':
    case 'size':
    case 'hits':
    case 'comments':
    case 'seen':
    case 'first':
    case 'tlp':
    case 'severity':
    case 'invault':
      return null;
    default:
      return [isStated(term.field, term.match)];
  }
}

const ruleRow = z.object({ id: z.number() });

/** A phrase in one column of the words of samples, the last letters left open; or a text without a word as a whole. */
function phraseIn(column: TextColumn, text: string): FoundBy[] {
  const phrase = shownPhraseExpression(text);
  const inWords = {
    select: 'SELECT rowid FROM sample_text WHERE sample_text MATCH :words',
    parameters: { words: `${column} : ${phrase}` },
  };
  const wholes = meantTexts(text).filter(isWordless).map(wordlessValue);
  return [...(phrase === null ? [] : [inWords]), ...wholes.map((value) => isStated(column, { kind: 'exact', value }))];
}

/** A phrase in one comment, listed or written here. */
function phraseInComment(text: string): FoundBy[] {
  const phrase = shownPhraseExpression(text);
  const select = `SELECT sample.id FROM comment_text CROSS JOIN comment ON comment.number = comment_text.rowid
    CROSS JOIN sample ON sample.md5 = comment.md5
    WHERE comment_text MATCH :words`;
  return phrase === null ? [] : [{ select, parameters: { words: `content : ${phrase}` } }];
}

function phraseInNote(text: string): FoundBy[] {
  const words = shownPhraseExpression(text);
  const owns = `SELECT sample_own.sha256 FROM note_text CROSS JOIN sample_own ON sample_own.id = note_text.rowid
      WHERE note_text MATCH :words`;
  return words === null ? [] : [{ select: `SELECT id FROM sample WHERE sha256 IN (${owns})`, parameters: { words } }];
}

/** A phrase in any words of a sample, in one of its comments, in its note, or in the name of a rule that hit it. */
function phraseAnywhere(sql: DatabaseSync, text: string): FoundBy[] {
  const words = shownPhraseExpression(text);
  if (words === null) return [];
  const inWords = {
    select: 'SELECT rowid FROM sample_text WHERE sample_text MATCH :words',
    parameters: { words: `{name hashes tags threat} : ${words}` },
  };
  return [
    inWords,
    ...phraseInComment(text),
    ...phraseInNote(text),
    ...hitBy(sql, 'instr(lower(rule), :rule) > 0', lowerLetters(text)),
  ];
}

/** Rules are compared as they are written, in any workspace. */
function hitByRule(sql: DatabaseSync, { kind, value }: SoughtName): FoundBy[] {
  if (kind === 'pattern') return hitBy(sql, 'rule GLOB :rule', globOf(value));
  return hitBy(sql, kind === 'exact' ? 'rule = :rule' : 'substr(rule, 1, length(:rule)) = :rule', value);
}

/** What a column of values is to be, with what is bound in it. */
function valueCondition(column: string, match: NamedMatch): { condition: string; parameters: Parameters } {
  switch (match.kind) {
    case 'any':
      return { condition: 'true', parameters: {} };
    case 'exact':
      return { condition: `${column} = :value`, parameters: { value: match.value } };
    case 'beginning':
      // The first conditions lead to the index, the last decides.
      return {
        condition: `${column} >= :value AND ${column} < :value || :last
          AND substr(${column}, 1, length(:value)) = :value`,
        parameters: { value: match.value, last: '\u{10FFFF}' },
      };
    case 'pattern':
      return { condition: `${column} GLOB :value`, parameters: { value: globOf(match.value) } };
    default:
      return assertNever(match);
  }
}

/** Values are few where samples are many: a pattern is held against each value once. */
function isStated(field: ValueField, match: NamedMatch): FoundBy {
  const { condition, parameters } = valueCondition('value', match);
  return {
    select: `SELECT sample_id FROM known_value CROSS JOIN sample_value ON sample_value.value_id = known_value.id
      WHERE field = :field AND ${condition}`,
    parameters: { ...parameters, field },
  };
}

/** By a day that a record states and that has a part of the time. */
function isDated({ from, until }: TimeTerm): FoundBy {
  const lastDay = until === null ? null : new Date(Date.parse(until) - 1).toISOString();
  const [first, last] = [from, lastDay].map((time) => time?.slice(0, '2026-11-09'.length) ?? null);
  return {
    select: `SELECT sample_id FROM known_value CROSS JOIN sample_value ON sample_value.value_id = known_value.id
      WHERE field = 'date' AND value >= ifnull(:first, '') AND value <= ifnull(:last, '9999-12-31')`,
    parameters: { first: first ?? null, last: last ?? null },
  };
}

/** Every workspace with its name. */
export const workspaceNames = `SELECT id, iif(json_valid(body), body, '{}') ->> '$.name' AS name FROM workspace
  UNION ALL SELECT '${labWorkspaceId}', '${labWorkspaceName}'`;

/** By a record that speaks of the sample, of a workspace that is called so or has this ID. */
function recordedBy(match: NamedMatch): FoundBy {
  const [byName, byId] = [valueCondition('lower(name)', match), valueCondition('id', match)];
  const { parameters } = byName;
  const named =
    match.kind === 'any'
      ? ''
      : `record.workspace_id IN (SELECT id FROM (${workspaceNames})
          WHERE (${byName.condition}) OR (${byId.condition})) AND`;
  return {
    select: `SELECT sample.id FROM record CROSS JOIN sample ON sample.md5 = record.md5
      WHERE ${named} (sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256)`,
    parameters,
  };
}

/** As SQLite has patterns: the same but for brackets, which mean themselves here. */
const globOf = (value: string): string => value.replaceAll('[', '[[]');

/** Whether one of the tags, which have commas between and around them, fits the pattern as a whole. */
const hasTagLike = (tags: string, pattern: string): boolean =>
  tags.split(',').some((one) => one !== '' && fits(one, pattern));

/**
 * Whether a pattern with `*` and `?` fits the whole text. Time grows with the product of the lengths, no faster: the
 * last star alone is gone back to.
 */
export function fits(text: string, pattern: string): boolean {
  const [letters, signs] = [[...text], [...pattern]];
  let [at, of, star, from] = [0, 0, -1, 0];
  while (at < letters.length) {
    if (signs[of] === '*') [star, from, of] = [of, at, of + 1];
    else if (signs[of] === '?' || signs[of] === letters[at]) [at, of] = [at + 1, of + 1];
    else if (star >= 0) [from, at, of] = [from + 1, from + 1, star + 1];
    else return false;
  }
  return signs.slice(of).every((sign) => sign === '*');
}

/** Hits have no index by rule: all of them are read, and therefore only when there is such a rule. */
function hitBy(sql: DatabaseSync, condition: string, rule: string): FoundBy[] {
  const ids = rowsOf(sql, ruleRow, `SELECT id FROM hit_rule WHERE ${condition}`, { rule }).map(({ id }) => id);
  if (ids.length === 0) return [];
  const samples = 'SELECT sample_id FROM sample_hit WHERE rule_id IN (SELECT value FROM json_each(:rules))';
  const select = `SELECT sample.id FROM hit_sample CROSS JOIN sample ON sample.sha256 = hit_sample.sha256
    WHERE hit_sample.id IN (${samples})`;
  return [{ select, parameters: { rules: JSON.stringify(ids) } }];
}

const isThis = "instr(sample.tags, ',' || :tag || ',') > 0";
const beginsSo = "instr(sample.tags, ',' || :tag) > 0";
const asciiWord = /[a-z0-9]/;
const endsInAsciiWord = /[a-z0-9]{2}$/;

/**
 * The words of the tag lead to the samples that may have it, and their tags decide. A tag whose words are not surely
 * seen as such, as in `:::`, or of whose beginning only a letter is known, is looked for in every row. Of a sample with
 * more than 20,000 characters of tags those behind them are found in the latter way alone.
 */
function hasTag(match: SoughtName): FoundBy[] {
  const ofOthers = isStated('tag', match);
  return match.value.includes(',') ? [ofOthers] : [hasKnownTag(match), ofOthers];
}

function hasKnownTag({ kind, value }: SoughtName): FoundBy {
  const [decides, leads] = kind === 'exact' ? [isThis, asciiWord.test(value)] : [beginsSo, endsInAsciiWord.test(value)];
  const phrase = leads ? phraseExpression(value) : null;
  if (phrase === null) return { select: `SELECT id FROM sample WHERE ${decides}`, parameters: { tag: value } };
  const select = `SELECT sample.id FROM sample_text CROSS JOIN sample ON sample.id = sample_text.rowid
    WHERE sample_text MATCH :words AND ${decides}`;
  return { select, parameters: { tag: value, words: `tags : ${phrase}` } };
}
