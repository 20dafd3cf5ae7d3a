import { z } from 'zod';
import type { WatchedFile } from '../../shared/domain/watch.ts';
import type { Failure } from '../../shared/failure.ts';
import type { Database } from './database.ts';
import type { Journal } from './journal-store.ts';
import { WatchOutcomes } from './watch-outcomes.ts';
import {
  type FolderFile,
  folderFileRow,
  folderRow,
  watchedFileOf,
  type WatchedFolder,
  watchedRow,
} from './watch-rows.ts';

const shownAtMost = 200;
/** What one step takes on: some milliseconds. */
const filesAStep = 2000;
const filesAPage = 500;
/** It is found again when there is a file of that name again, whatever that is. */
const neverMs = -1;

const totalRow = z.object({ found: z.number() });
const pathRow = z.object({ path: z.string() });
const numberRow = z.object({ number: z.number() });

/** The watched folder, and what was seen in it: at most some hundred files a call, which is one transaction. */
export class WatchStore {
  readonly outcomes: WatchOutcomes;
  readonly #db: Database;
  readonly #journal: Journal;

  readonly #sql: ReturnType<typeof folderStatements> & ReturnType<typeof fileStatements>;

  constructor(db: Database, journal: Journal) {
    this.#db = db;
    this.#journal = journal;
    this.outcomes = new WatchOutcomes(db);
    this.#sql = { ...folderStatements(db), ...fileStatements(db) };
  }

  /** null: none was chosen. */
  folder(): WatchedFolder | null {
    const row = this.#sql.folder.get();
    return row && { ...row, isOn: row.isOn === 1 };
  }

  /** The folder, while it is on. */
  watched(): string | null {
    const folder = this.folder();
    return folder?.isOn ? folder.path : null;
  }

  /** Another folder is off, and nothing of it was seen: `forgetInSteps` comes first. */
  choose(path: string): void {
    this.#db.transaction(() => this.#sql.choose.run(path));
  }

  /** The journal says so, unless it is as it was. */
  turn(isOn: boolean, workspaceId: string): void {
    this.#db.transaction(() => {
      const before = this.folder();
      this.#sql.turn.run(Number(isOn), workspaceId);
      if (before === null || (before.isOn === isOn && (!isOn || before.workspaceId === workspaceId))) return;
      const { path, leftAlone } = before;
      const detail = isOn ? { folder: path, leftAlone } : { folder: path };
      this.#journal.append({ workspaceId, operation: 'watch', hash: null, outcome: isOn ? 'on' : 'off', detail });
    });
  }

  clear(): void {
    this.#soon(() => this.#sql.clear.run());
  }

  /** The newest two hundred, and how many there are. */
  listed(): { found: number; files: WatchedFile[] } {
    return { found: this.#sql.found.get()?.found ?? 0, files: this.#sql.files.all().map(watchedFileOf) };
  }

  /** Takes files down that wait for their last byte. @returns those of them that were not known as they are */
  note(files: readonly FolderFile[], found: string): FolderFile[] {
    return this.#soon(() => {
      const fresh = this.#sql.isNew.all(JSON.stringify(files));
      for (const file of fresh) this.#wait(file, found);
      return fresh;
    });
  }

  /** What has come already, and is as it was or waits to be taken, stays as it is. @returns how many are left alone */
  leaveAlone(files: readonly FolderFile[]): number {
    return this.#soon(() => {
      this.#sql.leaveAlone.run(JSON.stringify(files));
      return this.#sql.leftAlone.get(JSON.stringify(files))?.found ?? 0;
    });
  }

  setLeftAlone(files: number): void {
    this.#soon(() => this.#sql.setLeftAlone.run(files));
  }

  /** Those that are `waiting` or `hashing`, a page at a time. */
  *toTakeInSteps(): Generator<FolderFile[], void, undefined> {
    for (let page = this.#sql.next.all(''); page.length > 0; page = this.#sql.next.all(page.at(-1)?.path ?? ''))
      yield page;
  }

  /** Whether it is `waiting` or `hashing`. */
  isToTake(path: string): boolean {
    return this.#sql.toTake.get(path) !== null;
  }

  setState(paths: readonly string[], state: 'waiting' | 'hashing'): void {
    this.#soon(() => this.#sql.state.run(state, JSON.stringify(paths)));
  }

  /** It cannot be taken now. */
  waitOn(path: string, failure: Failure): void {
    this.#soon(() => this.#sql.waitOn.run(path, JSON.stringify(failure)));
  }

  /** `isGone`: one that comes back is a new one. */
  leaveOut(path: string, failure: Failure, { isGone }: { isGone: boolean }): void {
    this.#soon(() => this.#sql.leaveOut.run(path, JSON.stringify(failure), Number(isGone)));
  }

  /** What is not even looked into, such as a folder. @returns whether it was not known: it is told of once */
  noteShut(path: string, failure: Failure, found: string): boolean {
    return this.#soon(() => {
      const isNew = this.#sql.unreadable.run(path, JSON.stringify(failure), found).changes > 0;
      if (isNew) this.#sql.count.get();
      return isNew;
    });
  }

  /** What `noteShut` took down. */
  shut(): string[] {
    return this.#sql.shut.all().map(({ path }) => path);
  }

  /** It can be looked into, or is gone; a file that has its name by now stays. */
  opened(path: string): void {
    this.#soon(() => this.#sql.open.run(path));
  }

  /** As if it had never been seen. */
  drop(path: string): void {
    this.#soon(() => this.#sql.drop.run(path));
  }

  /** All that was seen. Every step is a transaction. */
  *forgetInSteps(): Generator<void, void, undefined> {
    while (this.#soon(() => this.#sql.dropSome.run().changes) === filesAStep) yield;
  }

  /** What other stores write in `work` is stored with it or not at all. */
  together<T>(work: () => T): T {
    return this.#soon(work);
  }

  #wait({ path, sizeBytes, changedMs }: FolderFile, found: string): void {
    const { number = 0 } = this.#sql.count.get() ?? {};
    this.#sql.put.run(path, sizeBytes, changedMs, found, number);
  }

  #soon<T>(work: () => T): T {
    return this.#db.transaction(work, 'soon');
  }
}

/** Of the folder, and of the files in it that are listed. */
function folderStatements(db: Database) {
  const listed = `FROM watched_file INDEXED BY watched_file_by_number WHERE number > 0
        AND number > (SELECT cleared_up_to FROM watched_folder)`;
  return {
    folder: db.query(
      folderRow,
      'SELECT path, workspace_id AS workspaceId, is_on AS isOn, left_alone AS leftAlone FROM watched_folder',
    ),
    choose: db.command(
      `INSERT INTO watched_folder (only, path) VALUES (1, ?) ON CONFLICT DO UPDATE
      SET path = excluded.path, is_on = 0, left_alone = 0, cleared_up_to = last_number WHERE path <> excluded.path`,
    ),
    turn: db.command('UPDATE watched_folder SET is_on = ?, workspace_id = ?'),
    setLeftAlone: db.command('UPDATE watched_folder SET left_alone = ?'),
    count: db.query(
      numberRow,
      'UPDATE watched_folder SET last_number = last_number + 1 RETURNING last_number AS number',
    ),
    clear: db.command('UPDATE watched_folder SET cleared_up_to = last_number'),
    found: db.query(totalRow, `SELECT count(*) AS found ${listed}`),
    files: db.query(
      watchedRow,
      `SELECT path, size_bytes AS sizeBytes, iif(state IN ('waiting', 'hashing'), NULL, sha256) AS sha256, state, hits,
        found, failure ${listed}
      ORDER BY number DESC LIMIT ${shownAtMost}`,
    ),
  };
}

/** Of single files. */
function fileStatements(db: Database) {
  const toTake = "FROM watched_file INDEXED BY watched_file_to_take WHERE state IN ('waiting', 'hashing')";
  const isShut = `state = 'left-out' AND size_bytes = 0 AND changed_ms = 0
        AND iif(json_valid(failure), failure ->> 'kind', NULL) IN ('file-unreadable', 'watch-refused')`;
  return {
    isNew: db.query(
      folderFileRow,
      `SELECT value ->> 'path' AS path, value ->> 'sizeBytes' AS sizeBytes, value ->> 'changedMs' AS changedMs
        FROM json_each(?)
      WHERE NOT EXISTS (SELECT 1 FROM watched_file WHERE path = value ->> 'path' AND size_bytes = value ->> 'sizeBytes'
        AND changed_ms = value ->> 'changedMs')`,
    ),
    put: db.command(
      `INSERT INTO watched_file (path, size_bytes, changed_ms, state, found, number)
        VALUES (?1, ?2, ?3, 'waiting', ?4, ?5) ON CONFLICT DO UPDATE
      SET size_bytes = ?2, changed_ms = ?3, found = ?4, sha256 = NULL, hits = NULL, scan_job = NULL, failure = NULL,
        number = iif(state IN ('waiting', 'hashing'), number, ?5), state = 'waiting'`,
    ),
    leaveAlone: db.command(
      `INSERT INTO watched_file (path, size_bytes, changed_ms, state, found, number)
        SELECT value ->> 'path', value ->> 'sizeBytes', value ->> 'changedMs', 'left-alone', '', 0
      FROM json_each(?) WHERE true ON CONFLICT DO UPDATE SET size_bytes = excluded.size_bytes,
        changed_ms = excluded.changed_ms,
        state = 'left-alone', number = 0, sha256 = NULL, hits = NULL, scan_job = NULL, failure = NULL
      WHERE state NOT IN ('waiting', 'hashing') AND (size_bytes <> excluded.size_bytes
        OR changed_ms <> excluded.changed_ms)`,
    ),
    leftAlone: db.query(
      totalRow,
      `SELECT count(*) AS found FROM watched_file WHERE path IN (SELECT value ->> 'path' FROM json_each(?))
        AND state = 'left-alone'`,
    ),
    next: db.query(
      folderFileRow,
      `SELECT path, size_bytes AS sizeBytes, changed_ms AS changedMs ${toTake} AND path > ? ORDER BY path
        LIMIT ${filesAPage}`,
    ),
    toTake: db.query(
      folderFileRow,
      `SELECT path, size_bytes AS sizeBytes, changed_ms AS changedMs ${toTake} AND path = ?`,
    ),
    state: db.command(
      'UPDATE watched_file SET state = ?, failure = NULL WHERE path IN (SELECT value FROM json_each(?))',
    ),
    waitOn: db.command("UPDATE watched_file SET state = 'waiting', failure = ?2 WHERE path = ?1"),
    leaveOut: db.command(
      `UPDATE watched_file SET state = 'left-out', failure = ?2, changed_ms = iif(?3, ${neverMs}, changed_ms)
        WHERE path = ?1`,
    ),
    unreadable: db.command(
      `INSERT INTO watched_file (path, size_bytes, changed_ms, state, failure, found, number)
      SELECT ?1, 0, 0, 'left-out', ?2, ?3, (SELECT last_number + 1 FROM watched_folder)
        WHERE NOT EXISTS (SELECT 1 FROM watched_file WHERE path = ?1)`,
    ),
    shut: db.query(pathRow, `SELECT path FROM watched_file WHERE ${isShut}`),
    open: db.command(`DELETE FROM watched_file WHERE path = ? AND ${isShut}`),
    drop: db.command('DELETE FROM watched_file WHERE path = ?'),
    dropSome: db.command(
      `DELETE FROM watched_file WHERE rowid IN (SELECT rowid FROM watched_file LIMIT ${filesAStep})`,
    ),
  };
}
