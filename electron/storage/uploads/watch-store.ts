import { z } from 'zod';
import { type WatchedFile, watchedFile } from '../../../shared/domain/watch.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import { failureOf } from '../database/stored-json.ts';
import type { Journal } from '../journal/journal.ts';

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

  /** The journal gets a row, unless nothing changed. */
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

  /** An entry that is not opened at all, such as a folder. @returns whether it is new: it is reported once */
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

/** A file as it lies in the watched folder. */
export interface FolderFile {
  /** Inside the folder, with `/`. */
  path: string;
  sizeBytes: number;
  /** When it was last modified, in milliseconds since 1970. */
  changedMs: number;
}

/** The folder, whether it is on or not. */
export interface WatchedFolder {
  path: string;
  workspaceId: string | null;
  isOn: boolean;
  leftAlone: number;
}

const folderRow = z.object({
  path: z.string(),
  workspaceId: z.string().nullable(),
  isOn: z.number(),
  leftAlone: z.number(),
});

const folderFileRow = z.object({ path: z.string(), sizeBytes: z.number(), changedMs: z.number() });

const watchedRow = z.object({ ...watchedFile.shape, failure: z.string().nullable() });

const watchedFileOf = (row: z.infer<typeof watchedRow>): WatchedFile => ({
  ...row,
  failure: failureOf(row.failure),
});

/** A file whose bytes are known. */
interface HashedFolderFile {
  path: string;
  sha256: string;
}

const contentRow = z.object({ sha256: z.string() });
const jobRow = z.object({ job: z.number() });
const endRow = z.object({ files: z.number(), hits: z.number() });

/** The outcomes of files of the watched folder. A call is one transaction, or joins the caller's. */
class WatchOutcomes {
  readonly #db: Database;
  readonly #known;
  readonly #remember;
  readonly #settle;
  readonly #note;
  readonly #scan;
  readonly #toScan;
  readonly #jobs;
  readonly #sum;
  readonly #end;
  readonly #unscanned;

  constructor(db: Database) {
    this.#db = db;
    this.#known = db.query(
      contentRow,
      'SELECT sha256 FROM watched_content WHERE workspace_id = ? AND sha256 IN (SELECT value FROM json_each(?))',
    );
    this.#remember = db.command('INSERT OR IGNORE INTO watched_content (workspace_id, sha256) VALUES (?, ?)');
    this.#settle = db.command("UPDATE watched_file SET state = ?, sha256 = ? WHERE path = ? AND state = 'hashing'");
    const notYet = "state = 'scanning' AND scan_job IS NULL";
    this.#note = db.command(
      `UPDATE watched_file SET state = 'drafted', failure = ? WHERE ${notYet}
        AND path IN (SELECT value FROM json_each(?))`,
    );
    this.#scan = db.command(
      `UPDATE watched_file SET scan_job = ? WHERE ${notYet} AND path IN (SELECT value FROM json_each(?))`,
    );
    this.#toScan = db.query(
      folderFileRow,
      `SELECT path, size_bytes AS sizeBytes, changed_ms AS changedMs FROM watched_file WHERE ${notYet} AND path > ?
        ORDER BY path LIMIT ${filesAPage}`,
    );
    this.#jobs = db.query(jobRow, 'SELECT DISTINCT scan_job AS job FROM watched_file WHERE scan_job IS NOT NULL');
    const reported = `FROM job_item AS item JOIN scan_result AS result USING (job_id, position)
      WHERE item.job_id = watched_file.scan_job AND item.hash = watched_file.sha256 AND result.side = 'local'`;
    this.#sum = db.command(
      `UPDATE watched_file SET state = 'drafted', failure = (SELECT result.failure ${reported}),
      hits = (SELECT ifnull((SELECT hits FROM scan_total AS total WHERE total.job_id = item.job_id
        AND total.position = item.position), 0) ${reported} AND result.state = 'scanned')
      WHERE scan_job = ?`,
    );
    this.#end = db.query(
      endRow,
      'SELECT count(*) AS files, ifnull(sum(hits > 0), 0) AS hits FROM watched_file WHERE scan_job = ?',
    );
    this.#unscanned = db.command('UPDATE watched_file SET scan_job = NULL WHERE scan_job = ?');
  }

  /** Those of these contents that came into the workspace's draft before. */
  known(workspaceId: string, sha256s: readonly string[]): Set<string> {
    return new Set(this.#known.all(workspaceId, JSON.stringify(sha256s)).map(({ sha256 }) => sha256));
  }

  /** They are to be scanned from then on. */
  drafted(workspaceId: string, files: readonly HashedFolderFile[]): void {
    this.#soon(() => {
      for (const { path, sha256 } of files) {
        this.#settle.run('scanning', sha256, path);
        this.#remember.run(workspaceId, sha256);
      }
    });
  }

  cameBefore(files: readonly HashedFolderFile[]): void {
    this.#soon(() => {
      for (const { path, sha256 } of files) this.#settle.run('known', sha256, path);
    });
  }

  /** Why drafted files were not scanned. */
  notScanned(paths: readonly string[], failure: Failure): void {
    this.#soon(() => this.#note.run(JSON.stringify(failure), JSON.stringify(paths)));
  }

  scanning(paths: readonly string[], jobId: number): void {
    this.#soon(() => this.#scan.run(jobId, JSON.stringify(paths)));
  }

  /** Drafted files after this path that no scan looks at: a page of them, by path. */
  toScan(after: string): FolderFile[] {
    return this.#toScan.all(after);
  }

  /** Jobs that scan files now, or did so when the program ended. */
  scanJobs(): number[] {
    return this.#jobs.all().map(({ job }) => job);
  }

  /** Takes over what the scan found. @returns how many files it looked at for us, and how many of them have hits */
  scanned(jobId: number): { files: number; hits: number } {
    return this.#soon(() => {
      this.#sum.run(jobId);
      const end = this.#end.get(jobId) ?? { files: 0, hits: 0 };
      this.#unscanned.run(jobId);
      return end;
    });
  }

  #soon<T>(work: () => T): T {
    return this.#db.transaction(work, 'soon');
  }
}
