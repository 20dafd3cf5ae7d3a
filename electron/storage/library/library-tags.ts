import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { mostSearchedTags, normalTag, tag } from '../../../shared/domain/tag.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';

const mostSuggested = 20;
const knownTagRow = z.object({ tag: z.string() });
const tagList = z.array(z.string());
/** Behind every text that begins so: no tag holds it. */
const lastCharacter = '\u{10FFFF}';

const mostUsed = `SELECT tag FROM known_tag ORDER BY uses DESC, tag LIMIT ${2 * mostSuggested}`;
const usedBeginning = `SELECT tag FROM known_tag WHERE tag IN (SELECT tag FROM known_tag WHERE tag >= ?1 AND tag < ?2
  UNION SELECT tag FROM known_tag WHERE value >= ?1 AND value < ?2 AND value <> '') ORDER BY uses DESC, tag
    LIMIT ${2 * mostSuggested}`;

/**
 * Every tag Vitrine knows, counted: once for each record and each sample that carries it, and once each time a person
 * gave it to an upload.
 */
export class KnownTags {
  readonly #count;
  readonly #drop;

  constructor(db: Database) {
    this.#count = db.command(
      'INSERT INTO known_tag (tag, value, uses) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET uses = uses + excluded.uses',
    );
    this.#drop = db.command('DELETE FROM known_tag WHERE tag = ? AND uses <= 0');
  }

  /** A record carried the tags `before`, as stored, and carries `now`. @returns what to store of them */
  ofRecord(before: string | null, now: readonly string[]): string {
    const counted = countable(now);
    const stored = JSON.stringify(counted);
    if (stored === (before ?? '[]')) return stored;
    const [had, has] = [new Set(readTags(before)), new Set(counted)];
    for (const one of has) if (!had.has(one)) this.#add(one, 1);
    for (const one of had) if (!has.has(one)) this.#add(one, -1);
    return stored;
  }

  /** A person gave these to uploads. */
  given(given: readonly string[]): void {
    for (const one of given) this.#add(one, 1);
  }

  /** So many more samples carry it by a local change, or fewer. */
  counted(one: string, samples: number): void {
    this.#add(one, samples);
  }

  #add(one: string, uses: number): void {
    this.#count.run(one, valueOf(one), uses);
    if (uses < 0) this.#drop.run(one);
  }
}

/** Those that begin so, or whose value does, the most used first; at most twenty. Read over any connection. */
export function tagsBeginningWith(sql: DatabaseSync, text: string): string[] {
  const beginning = normalTag(text).toWellFormed();
  const found =
    beginning === ''
      ? sql.prepare(mostUsed).all()
      : sql.prepare(usedBeginning).all(beginning, beginning + lastCharacter);
  return found.flatMap((row) => tag.safeParse(knownTagRow.parse(row).tag).data ?? []).slice(0, mostSuggested);
}

/** Takes back what the records of a workspace counted. Runs inside the caller's transaction, before they go. */
export function forgetTagsOf(db: Database, workspaceId: string): void {
  db.command(
    `UPDATE known_tag SET uses = known_tag.uses - gone.records
      FROM (SELECT each.value AS tag, count(*) AS records FROM record,
      json_each(iif(json_valid(record.tags), record.tags, '[]')) AS each WHERE workspace_id = ?
        GROUP BY each.value) AS gone
    WHERE known_tag.tag = gone.tag`,
  ).run(workspaceId);
  db.command('DELETE FROM known_tag WHERE uses <= 0').run();
}

/** Those that a person may give; a TLP has a control of its own. */
const countable = (given: readonly string[]): string[] =>
  [...new Set(given.slice(0, mostSearchedTags).map(normalTag))].filter((one) => tag.safeParse(one).success);

const readTags = (stored: string | null): string[] =>
  stored === null ? [] : (tagList.safeParse(readJson(stored)).data ?? []);

const valueOf = (one: string): string => (one.includes(':') ? one.slice(one.indexOf(':') + 1) : '');

const tagRow = z.object({ tag: z.string() });

/** Tags that were given to samples on this computer. The caller gives the transaction. */
export class LibraryTags {
  readonly #known: KnownTags;
  readonly #of;
  readonly #add;
  readonly #drop;

  constructor(db: Database) {
    this.#known = new KnownTags(db);
    this.#of = db.query(tagRow, 'SELECT tag FROM sample_tag WHERE sha256 = ? ORDER BY tag');
    this.#add = db.command('INSERT OR IGNORE INTO sample_tag (sha256, tag) VALUES (?, ?)');
    this.#drop = db.command('DELETE FROM sample_tag WHERE sha256 = ? AND tag = ?');
  }

  /** By name. */
  of(sha256: string | null): string[] {
    return sha256 === null ? [] : this.#of.all(sha256).flatMap((row) => tag.safeParse(row.tag).data ?? []);
  }

  /** A tag that is both added and removed is removed. @returns whether the sample is not as it was */
  change(sha256: string, add: readonly string[], remove: readonly string[]): boolean {
    const [gone, wanted] = [new Set(remove.map(normalTag)), new Set(add.map(normalTag))];
    const added = [...wanted].filter(
      (one) => !gone.has(one) && tag.safeParse(one).success && this.#add.run(sha256, one).changes > 0,
    );
    const removed = [...gone].filter((one) => this.#drop.run(sha256, one).changes > 0);
    for (const one of added) this.#known.counted(one, 1);
    for (const one of removed) this.#known.counted(one, -1);
    return added.length + removed.length > 0;
  }

  forget(sha256: string | null): void {
    if (sha256 !== null) this.change(sha256, [], this.of(sha256));
  }
}
