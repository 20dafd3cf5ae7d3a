import { z } from 'zod';
import type { Comment } from '../../../shared/domain/sample.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';
import { LibraryCounts } from '../library/sample-table.ts';
import {
  distinctComments,
  type Line,
  linesAStep,
  matchOwn,
  ownLineId,
  sortTimeOf,
  StoredThread,
  wordCharacters,
  WritingStep,
  type WrittenComment,
} from './comment-thread.ts';

const briefRow = z.object({ numbers: z.string(), ids: z.string() });
const idsRow = z.object({ ids: z.string() });
const joinedRow = z.object({ number: z.number(), ownId: z.number() });
const [numbers, texts] = [z.array(z.number()), z.array(z.string())];
const saidRow = z.object({ parentId: z.string().nullable(), content: z.string() });
/** How the mark of a record begins whose comments are being written. */
export const listingMark = 'listing ';
/** True of such a record. The index of them has the same words (migration 009). */
export const isBeingListed = `comments_mark >= '${listingMark}' AND comments_mark < 'listing!'`;

const aloneRow = z.object({ number: z.number(), ownId: z.number() });

/**
 * The comments that are shown of a sample, each once: what the service listed last, and those written here that are not
 * among it. Only what changed is written, so that the words of the rest need not be taken apart again. The caller gives
 * the transaction.
 */
export class CommentLines {
  readonly #counts: LibraryCounts;
  readonly #stored: StoredThread;
  readonly #brief;
  readonly #joined;
  readonly #unwritten;
  readonly #said;
  readonly #alone;
  readonly #insert;
  readonly #words;
  readonly #forgetWords;
  readonly #change;
  readonly #move;
  readonly #own;
  readonly #drop;
  readonly #dropListed;

  constructor(db: Database) {
    this.#counts = new LibraryCounts(db);
    this.#stored = new StoredThread(db);
    // Ten thousand rows, read one by one, take the host's thread for too long.
    this.#brief = db.query(
      briefRow,
      `SELECT json_group_array(number) AS numbers, json_group_array(id) AS ids FROM
      (SELECT number, id FROM comment WHERE workspace_id = ? AND md5 = ? AND place IS NOT NULL ORDER BY place, number)`,
    );
    this.#joined = db.query(
      joinedRow,
      `SELECT number, own_id AS ownId FROM comment WHERE workspace_id = ? AND md5 = ? AND place IS NOT NULL
        AND own_id IS NOT NULL`,
    );
    this.#said = db.query(saidRow, 'SELECT parent_id AS parentId, content FROM comment WHERE number = ?');
    this.#unwritten = db.query(
      idsRow,
      `SELECT (SELECT json_group_array(CAST(each.value ->> '$.id' AS TEXT))
        FROM json_each(iif(json_valid(body), body, '{}'), '$.comments') AS each
      WHERE each.value ->> '$.id' IS NOT NULL) AS ids
      FROM record WHERE workspace_id = ? AND md5 = ? AND (comments_mark IS NULL OR (${isBeingListed}))`,
    );
    this.#alone = db.query(
      aloneRow,
      'SELECT number, own_id AS ownId FROM comment WHERE workspace_id = ? AND md5 = ? AND place IS NULL',
    );
    this.#insert = db.command(
      `INSERT INTO comment (workspace_id, md5, place, id, parent_id, author, content, created, sort_time, own_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#words = db.command(
      `INSERT INTO comment_text (rowid, content, author)
      VALUES (?, substr(?, 1, ${wordCharacters}), substr(?, 1, 200))`,
    );
    this.#forgetWords = db.command('DELETE FROM comment_text WHERE rowid = ?');
    this.#change = db.command(
      `UPDATE comment SET place = ?, parent_id = ?, author = ?, content = ?, created = ?,
        sort_time = ifnull(?, sort_time) WHERE number = ?`,
    );
    this.#move = db.command('UPDATE comment SET place = ? WHERE number = ?');
    this.#own = db.command('UPDATE comment SET own_id = ? WHERE number = ?');
    this.#drop = db.command('DELETE FROM comment WHERE number = ?');
    this.#dropListed = db.command(
      `DELETE FROM comment WHERE number IN (SELECT number FROM comment INDEXED BY comment_by_md5 WHERE md5 = ?
        AND place IS NOT NULL AND own_id IS NULL LIMIT ?)`,
    );
  }

  /** The ids of what the service listed last, those among them that are still to be written. */
  listedIds(workspaceId: string, md5: string): string[] {
    const { ids } = this.#unwritten.get(workspaceId, md5) ?? { ids: '[]' };
    return [...new Set([...this.#briefly(workspaceId, md5).ids, ...texts.parse(readJson(ids))])];
  }

  /** Whether there are more than are written at once. */
  isLong(workspaceId: string, md5: string): boolean {
    return this.#stored.isLong(workspaceId, md5);
  }

  /** The service listed these. One whose time cannot be read has the time at which it was first seen, `now`. */
  replace(workspaceId: string, md5: string, comments: readonly Comment[], now: string): void {
    for (const _ of this.replaceInSteps(workspaceId, md5, comments, now));
  }

  /**
   * The same in steps; the caller may run each in its own transaction. After an interruption at any step, listing again
   * gives the same result. No one else may list the sample meanwhile.
   */
  *replaceInSteps(
    workspaceId: string,
    md5: string,
    comments: readonly Comment[],
    now: string,
  ): Generator<void, void, undefined> {
    const gone = new Map<string, Line>();
    for (const page of this.#stored.pages(workspaceId, md5)) {
      for (const line of page) gone.set(line.id, line);
      if (page.length === linesAStep) yield;
    }
    const written = new WritingStep();
    for (const [place, next] of distinctComments(comments.map(storable)).entries()) {
      const line = gone.get(next.id);
      gone.delete(next.id);
      if (line === undefined) this.#add(workspaceId, md5, next, { place, seen: now, ownId: null });
      else if (!isSame(line, next)) this.#rewrite(line.number, place, next);
      else if (line.place !== place) this.#move.run(place, line.number);
      if (written.isOverWith(next)) yield;
    }
    const dropped = new WritingStep();
    for (const line of gone.values()) {
      this.#drop.run(line.number);
      if (dropped.isOverWith(line)) yield;
    }
    this.joinOwn(workspaceId, md5);
  }

  /** To be called when an own comment of the sample came, went, or is another by now. */
  joinOwn(workspaceId: string, md5: string): void {
    this.#joinOwn(workspaceId, md5);
    this.#counts.comments(md5);
  }

  /**
   * At most so many that any workspace listed, but for those that were written here. @returns whether there may be more
   */
  forgetListed(md5: string, limit: number): boolean {
    const { changes } = this.#dropListed.run(md5, limit);
    if (changes > 0) this.#counts.comments(md5);
    return changes === limit;
  }

  #briefly(workspaceId: string, md5: string): { numbers: number[]; ids: string[] } {
    const brief = this.#brief.get(workspaceId, md5) ?? { numbers: '[]', ids: '[]' };
    return { numbers: numbers.parse(readJson(brief.numbers)), ids: texts.parse(readJson(brief.ids)) };
  }

  #joinOwn(workspaceId: string, md5: string): void {
    const written = this.#stored.written(workspaceId, md5);
    const alone = new Map(this.#alone.all(workspaceId, md5).map(({ ownId, number }) => [ownId, number]));
    if (written.length === 0 && alone.size === 0) return;
    const listed = this.#briefly(workspaceId, md5);
    const matches = matchOwn(listed.ids, written, (index) => this.#said.get(listed.numbers[index] ?? 0));
    const joined = new Map([...matches].map(([ownId, index]) => [listed.numbers[index] ?? 0, ownId]));
    for (const { number, ownId } of this.#joined.all(workspaceId, md5)) {
      if (joined.get(number) === ownId) joined.delete(number);
      else this.#own.run(null, number);
    }
    for (const [number, ownId] of joined) this.#own.run(ownId, number);
    for (const one of written) {
      if (!matches.has(one.id) && !alone.delete(one.id)) this.#addOwn(workspaceId, md5, one);
    }
    for (const number of alone.values()) this.#drop.run(number);
  }

  #addOwn(workspaceId: string, md5: string, { id, parentId, content, created }: WrittenComment): void {
    this.#add(
      workspaceId,
      md5,
      { id: ownLineId(id), parentId, author: null, content, created },
      { place: null, seen: created, ownId: id },
    );
  }

  #rewrite(number: number, place: number, { parentId, author, content, created }: Comment): void {
    this.#change.run(place, parentId, author, content, created, sortTimeOf(created), number);
    this.#forgetWords.run(number);
    this.#words.run(number, content, author);
  }

  #add(
    workspaceId: string,
    md5: string,
    one: Comment,
    at: { place: number | null; seen: string; ownId: number | null },
  ): void {
    const time = sortTimeOf(one.created) ?? at.seen;
    const { rowId } = this.#insert.run(
      workspaceId,
      md5,
      at.place,
      one.id,
      one.parentId,
      one.author,
      one.content,
      one.created,
      time,
      at.ownId,
    );
    this.#words.run(rowId, one.content, one.author);
  }
}

/** Forgets all comments of a workspace, with what was begun there. Runs inside the caller's transaction. */
export function forgetCommentsOf(db: Database, workspaceId: string): void {
  db.command(
    `UPDATE sample SET comments = (SELECT count(*) FROM comment WHERE comment.md5 = sample.md5 AND workspace_id <> ?1)
    WHERE md5 IN (SELECT md5 FROM comment WHERE workspace_id = ?1)`,
  ).run(workspaceId);
  for (const table of ['comment', 'own_comment', 'comment_draft'])
    db.command(`DELETE FROM ${table} WHERE workspace_id = ?`).run(workspaceId);
}

/** As SQLite gives it back: else a text with half a character in it were another one each time. */
const storable = ({ id, parentId, author, content, created }: Comment): Comment => ({
  id: id.toWellFormed(),
  parentId: parentId?.toWellFormed() ?? null,
  author: author?.toWellFormed() ?? null,
  content: content.toWellFormed(),
  created: created?.toWellFormed() ?? null,
});

const isSame = (one: Comment, other: Comment): boolean =>
  one.parentId === other.parentId &&
  one.author === other.author &&
  one.content === other.content &&
  one.created === other.created;
