import { hash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { LibrarySample } from '../../../shared/domain/library.ts';
import { type Comment, type SampleRecord, sampleRecord } from '../../../shared/domain/sample.ts';
import { CommentLines, isBeingListed, listingMark } from '../comments/comment-lines.ts';
import { isBrief } from '../comments/comment-thread.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';
import type { NotedRecord } from './library-notes.ts';
import { KnownTags } from './library-tags.ts';

const bodyRow = z.object({ body: z.string() });
const reportedRow = z.object({ workspaceId: z.string(), readAt: z.string(), body: z.string() });
const taggedRow = z.object({ workspaceId: z.string(), tags: z.string() });
const recordedRow = z.object({ sha256: z.string().nullable(), name: z.string().nullable() });
const beforeRow = z.object({ tags: z.string(), commentsMark: z.string().nullable() });
const placeRow = z.object({ workspaceId: z.string(), md5: z.string() });
const nameRow = z.object({ name: z.string().nullable() });

/** A record's facts without the record itself: the time to read a record grows with its comments. */
export type RecordedFacts = z.infer<typeof recordedRow>;

/** A record that is in hand. */
export interface KnownRecord {
  workspaceId: string;
  record: SampleRecord;
}

/** The latest record that each workspace gave of an MD5, with its comments and its tags where they are looked for. */
export class LibraryRecords {
  readonly #comments: CommentLines;
  readonly #tags: KnownTags;
  readonly #before;
  readonly #put;
  readonly #one;
  readonly #recorded;
  readonly #about;
  readonly #withoutComments;
  readonly #ofMd5;
  readonly #drop;
  readonly #setMark;
  readonly #unmark;
  readonly #beingListed;
  readonly #nameAbout;

  constructor(db: Database) {
    this.#comments = new CommentLines(db);
    this.#tags = new KnownTags(db);
    this.#before = db.query(
      beforeRow,
      'SELECT tags, comments_mark AS commentsMark FROM record WHERE workspace_id = ? AND md5 = ?',
    );
    // Not "OR REPLACE", which rewrites unchanged values: of most records that are fetched twice, megabytes among them,
    // only the time differs.
    this.#put = db.command(
      `INSERT INTO record (workspace_id, md5, sha256, name, read_at, body, tags, lists_comments, comments_mark,
        comments_omitted)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET sha256 = excluded.sha256, name = excluded.name, read_at = excluded.read_at,
        body = excluded.body, tags = excluded.tags,
      lists_comments = excluded.lists_comments, comments_mark = excluded.comments_mark,
      comments_omitted = excluded.comments_omitted`,
    );
    this.#one = db.query(bodyRow, 'SELECT body FROM record WHERE workspace_id = ? AND md5 = ?');
    this.#recorded = db.query(recordedRow, 'SELECT sha256, name FROM record WHERE workspace_id = ? AND md5 = ?');
    // A record that names a SHA-256 speaks of that sample only; one without speaks of all with its MD5.
    const about = 'FROM record WHERE md5 = ?1 AND (?2 IS NULL OR sha256 IS NULL OR sha256 = ?2)';
    const reported = (body: string): string =>
      `SELECT workspace_id AS workspaceId, read_at AS readAt, ${body} AS body ${about} ORDER BY read_at DESC LIMIT 20`;
    this.#about = db.query(reportedRow, reported(`iif(workspace_id = ?3, '', ${bodyForWords})`));
    this.#withoutComments = db.query(
      reportedRow,
      reported("iif(json_valid(body), json_replace(body, '$.comments', json('[]')), '')"),
    );
    this.#ofMd5 = db.query(taggedRow, 'SELECT workspace_id AS workspaceId, tags FROM record WHERE md5 = ?');
    this.#drop = db.command('DELETE FROM record WHERE md5 = ?');
    this.#setMark = db.command('UPDATE record SET comments_mark = ? WHERE workspace_id = ? AND md5 = ?');
    this.#unmark = db.command('UPDATE record SET comments_mark = NULL WHERE md5 = ? AND comments_mark IS NOT NULL');
    this.#beingListed = db.query(
      placeRow,
      `SELECT workspace_id AS workspaceId, md5 FROM record WHERE ${isBeingListed}`,
    );
    this.#nameAbout = db.query(nameRow, `SELECT name ${about} AND name IS NOT NULL ORDER BY read_at DESC LIMIT 1`);
  }

  /** Runs inside the caller's transaction. */
  put(workspaceId: string, md5: string, record: SampleRecord, now: string): void {
    const { mark, isAsBefore } = this.#marked(workspaceId, md5, record);
    this.#keep(workspaceId, md5, record, { now, mark });
    if (!isAsBefore) this.#comments.replace(workspaceId, md5, record.comments, now);
  }

  /** The same, but for comments that are too many to be written at once: those are left to `listInSteps`. */
  putBriefly(workspaceId: string, md5: string, record: SampleRecord, now: string): void {
    const isLong = !isBrief(record.comments) || this.#comments.isLong(workspaceId, md5);
    if (!isLong) return this.put(workspaceId, md5, record, now);
    const { mark, isAsBefore } = this.#marked(workspaceId, md5, record);
    // Until they are written, whatever is listed next is not what was there before.
    this.#keep(workspaceId, md5, record, { now, mark: isAsBefore ? mark : unfinishedMark() });
  }

  /**
   * Writes the comments of a stored record in steps; the caller runs each in its own transaction. Ends early if the
   * sample was forgotten or the record replaced meanwhile. What a crash leaves behind is repaired when the comments of
   * `beingListed` records are written again.
   */
  *listInSteps(
    workspaceId: string,
    md5: string,
    comments: readonly Comment[],
    now: string,
  ): Generator<void, void, undefined> {
    const mark = markOf(comments);
    const stored = this.#before.get(workspaceId, md5);
    if (stored === null || stored.commentsMark === mark) return;
    const underWay = unfinishedMark();
    this.#setMark.run(underWay, workspaceId, md5);
    for (const _ of this.#comments.replaceInSteps(workspaceId, md5, comments, now)) {
      yield;
      if (this.#before.get(workspaceId, md5)?.commentsMark !== underWay) return;
    }
    this.#setMark.run(mark, workspaceId, md5);
  }

  /** Records of which not all comments are written. */
  beingListed(): { workspaceId: string; md5: string }[] {
    return this.#beingListed.all();
  }

  get(workspaceId: string, md5: string): SampleRecord | null {
    const stored = this.#one.get(workspaceId, md5);
    return stored && readRecord(stored.body);
  }

  recorded(workspaceId: string, md5: string): RecordedFacts | null {
    return this.#recorded.get(workspaceId, md5);
  }

  /**
   * Newest first, at most twenty, each with the comments that are looked for by the words of its sample: the first
   * thousand. `known` was put just now and is not read back: of ten thousand comments that takes ten milliseconds.
   */
  about(sample: { md5: string; sha256: string | null }, known: KnownRecord | null = null): SampleRecord[] {
    const stored = this.#about.all(sample.md5, sample.sha256, known?.workspaceId ?? null);
    return stored.flatMap(
      ({ workspaceId, body }) =>
        (known?.workspaceId === workspaceId ? readForWords(known.record) : readRecord(body)) ?? [],
    );
  }

  /** The same without the comments. */
  uncommented(sample: { md5: string; sha256: string | null }): SampleRecord[] {
    return this.reported(sample).map(({ record }) => record);
  }

  /**
   * The same without the comments, of which there may be tens of thousands, and with the source and time of each
   * record.
   */
  reported(sample: { md5: string; sha256: string | null }): LibrarySample['records'] {
    return this.#withoutComments.all(sample.md5, sample.sha256).flatMap(({ body, ...reported }) => {
      const record = readRecord(body);
      return record ? [{ ...reported, record }] : [];
    });
  }

  /**
   * Forgets every workspace's record of an MD5, with the listed comments; comments written here stay. Runs inside the
   * caller's transaction.
   */
  forget(md5: string, now: string): void {
    for (const { workspaceId, tags } of this.#ofMd5.all(md5)) {
      this.#tags.ofRecord(tags, []);
      this.#comments.replace(workspaceId, md5, [], now);
    }
    this.#drop.run(md5);
  }

  /**
   * At most so many of the comments that any workspace listed. What lists them again is not taken for what was there
   * before. @returns whether there may be more
   */
  forgetComments(md5: string, limit: number): boolean {
    this.#unmark.run(md5);
    return this.#comments.forgetListed(md5, limit);
  }

  nameOf(sample: { md5: string; sha256: string | null }): string | null {
    return this.#nameAbout.get(sample.md5, sample.sha256)?.name ?? null;
  }

  #marked(workspaceId: string, md5: string, { comments }: SampleRecord): { mark: string; isAsBefore: boolean } {
    const mark = markOf(comments);
    return { mark, isAsBefore: mark === this.#before.get(workspaceId, md5)?.commentsMark };
  }

  #keep(
    workspaceId: string,
    md5: string,
    record: SampleRecord,
    { now, mark }: { now: string; mark: string | null },
  ): void {
    const tags = this.#tags.ofRecord(this.#before.get(workspaceId, md5)?.tags ?? null, record.tags);
    this.#put.run(
      workspaceId,
      md5,
      record.sha256,
      record.name,
      now,
      JSON.stringify(record),
      tags,
      Number(record.listsComments),
      mark,
      record.commentsOmitted,
    );
  }
}

/**
 * Reading tens of thousands of comments for an index that has space for the words of a few hundred would block the
 * host.
 */
const commentsForWords = 1000;
const firstComments = `(SELECT json_group_array(json(value)) FROM (SELECT value FROM json_each(body, '$.comments')
  LIMIT ${commentsForWords}))`;
const bodyForWords = `iif(json_valid(body) AND json_array_length(body, '$.comments') > ${commentsForWords},
  json_replace(body, '$.comments', json(${firstComments})), body)`;

/** As long as `markOf`: SQLite writes only what changes of a row that stays as long as it was. */
const unfinishedMark = (): string => `${listingMark}${randomBytes(28).toString('hex')}`;

/** Two lists with one mark are the same. */
const markOf = (comments: readonly Comment[]): string => hash('sha256', JSON.stringify(comments));

/** As it would be read back. */
const readForWords = (record: SampleRecord): SampleRecord | null =>
  sampleRecord.safeParse({ ...record, comments: record.comments.slice(0, commentsForWords) }).data ?? null;

/** A record that can no longer be read counts as missing: it can be fetched from the service. */
function readRecord(body: string): SampleRecord | null {
  const read = sampleRecord.safeParse(readJson(body));
  return read.success ? read.data : null;
}

/**
 * To be awaited behind `recordLookup` and `noteRecord`: writes the comments that these left, of which there may be tens
 * of thousands. It ends early when the signal is aborted; the next start of the program writes the rest.
 */
export async function listComments(
  library: { commentsInSteps(noted: NotedRecord): Generator<void, void, undefined> },
  noted: NotedRecord,
  signal?: AbortSignal,
): Promise<void> {
  // To note so large a record takes some milliseconds by itself.
  if (!isBrief(noted.record.comments)) await nextTurn();
  for (const _ of library.commentsInSteps(noted)) {
    await nextTurn();
    if (signal?.aborted) return;
  }
}
