import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { assertNever } from '../../shared/assert-never.ts';
import type { QueryTerm } from '../../shared/domain/query-fields.ts';
import { type TlpLevel, tlpLevels } from '../../shared/domain/tag.ts';
import { lowerLetters } from '../../shared/domain/visible-text.ts';
import { hasTag, hitByRule, phraseAnywhere, phraseIn, phraseInComment, phraseInNote } from './library-finding.ts';
import { FoundSets } from './library-found-sets.ts';
import { isRecorded } from './library-row.ts';
import { isInVault } from './library-vault.ts';
import type { Parameters } from './named-rows.ts';

/** A condition over `sample` with what is bound in it. */
export interface LibraryCondition {
  where: string;
  parameters: Parameters;
}

const hashKinds = ['md5', 'sha1', 'sha256'] as const;

type HashTerm = Extract<QueryTerm, { field: 'hash' }>;
type CountTerm = Extract<QueryTerm, { least: number | null }>;
type TimeTerm = Extract<QueryTerm, { until: string | null }>;

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
  /** By what the term says. */
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
    switch (term.field) {
      case 'text':
        return this.#found.add(...phraseAnywhere(this.#sql, term.value));
      case 'name':
      case 'threat':
        return this.#found.add(...phraseIn(term.field, term.value));
      case 'comment':
        return this.#found.add(...phraseInComment(term.value));
      case 'note':
        return term.match.kind === 'any' ? 'sample.has_note = 1' : this.#found.add(...phraseInNote(term.match.value));
      case 'tag':
        return term.match.kind === 'any' ? "sample.tags <> ','" : this.#found.add(hasTag(term.match));
      case 'rule':
        return term.match.kind === 'any' ? 'sample.hits > 0' : this.#found.add(...hitByRule(this.#sql, term.match));
      case 'type':
        return this.#type(term.value);
      default:
        return this.#compares(term);
    }
  }

  #compares(term: HashTerm | CountTerm | TimeTerm | Extract<QueryTerm, { field: 'tlp' | 'invault' }>): string {
    switch (term.field) {
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
      case 'invault':
        return term.value ? isInVault : `(${isInVault}) IS NOT TRUE`;
      default:
        return assertNever(term);
    }
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

  /** Said twice: SQLite takes the index of those that have any only when it is told that these are meant. */
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
