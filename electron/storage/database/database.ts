import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { z } from 'zod';
import { fail } from '../../../shared/failure.ts';
import { type DataLock, holdDataDirectory } from '../directory/data-lock.ts';
import { makePrivateFile } from '../directory/private-files.ts';
import { migrate, migrations, readSchemaVersion } from '../migrations/migrations.ts';
import { Checkpoints, type Durability, pagesBeforeOwnCheckpoint } from './checkpoints.ts';
import { overSqlite, translateSqliteError } from './sqlite-error.ts';
import { Command, Query } from './statement.ts';
import { WalSync } from './wal-sync.ts';

/** Who holds this file holds the data directory. */
export const lockFileName = 'lock.db';

/**
 * Opens `vitrine.db` in the data directory, making both when they are missing, for their owner only, and holds the
 * directory for this process. Fails with `data-in-use`, `data-newer`, `data-damaged`, `not-writable` or `disk-full`,
 * and changes nothing then.
 */
export function openDatabase(dataDirectory: string, steps: readonly string[] = migrations): Database {
  const lock = holdDataDirectory(dataDirectory, { fileName: lockFileName, waitMs: 0 });
  const path = join(dataDirectory, 'vitrine.db');
  try {
    return new Database(openUpToDate(path, steps), path, lock);
  } catch (error) {
    lock.release();
    throw translateSqliteError(error, path);
  }
}

function openUpToDate(path: string, steps: readonly string[]): DatabaseSync {
  const found = readSchemaVersion(path);
  if (found > steps.length) fail({ kind: 'data-newer', path, found, supported: steps.length });
  makePrivateFile(path);
  const sql = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 250 });
  try {
    configure(sql);
    migrate(sql, steps);
    keepUndoInMemory(sql);
    return sql;
  } catch (error) {
    sql.close();
    throw error;
  }
}

/**
 * WAL lets readers in worker threads read beside the one writer. `synchronous = FULL`, because an action recorded in
 * the journal must survive a power cut; many writes share one sync when they share a `transaction`. The empty
 * transaction detects a read-only file now, not at the first look-up: SQLite opens such a file without an error.
 */
function configure(sql: DatabaseSync): void {
  sql.exec(
    `PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 16777216; PRAGMA
      wal_autocheckpoint = ${pagesBeforeOwnCheckpoint}; ${waiting['at-once']}; BEGIN IMMEDIATE; COMMIT`,
  );
}

/**
 * The pages that a step within a transaction changes, as they were, for the case that it is undone alone: otherwise
 * they go into a file of their own, which was two thirds of all that a bulk download wrote. Not before migrations,
 * which may sort more than memory holds.
 */
function keepUndoInMemory(sql: DatabaseSync): void {
  sql.exec('PRAGMA temp_store = MEMORY');
}

/** Whether a commit waits for the sync. */
const waiting: Record<Durability, string> = {
  'at-once': 'PRAGMA synchronous = FULL',
  soon: 'PRAGMA synchronous = NORMAL',
};

/** The one writing connection. Every error of SQLite that means something to the person comes out as a failure. */
export class Database {
  readonly sql: DatabaseSync;
  readonly path: string;
  readonly #lock: DataLock;
  readonly #walSync: WalSync;
  readonly #checkpoints: Checkpoints;
  readonly #lastWrites = new LastWrites();
  /** Beginnings and endings of transactions, prepared once: a bulk download has thousands. */
  readonly #bounds = new Map<string, StatementSync>();
  #depth = 0;

  constructor(sql: DatabaseSync, path: string, lock: DataLock) {
    this.sql = sql;
    this.path = path;
    this.#lock = lock;
    this.#walSync = new WalSync(path);
    this.#checkpoints = new Checkpoints(path);
  }

  query<Row>(row: z.ZodType<Row>, text: string): Query<Row> {
    return new Query(() => this.sql.prepare(text), row, this.path);
  }

  command(text: string): Command {
    return new Command(() => this.sql.prepare(text), this.path);
  }

  /**
   * All of `work` or nothing of it. May be called inside itself: the inner one is undone alone when it throws, and is
   * as durable as the outer one.
   */
  transaction<T>(work: () => T, durability: Durability = 'at-once'): T {
    if (this.#depth > 0) return this.#transaction(work);
    if (durability === 'soon') this.#waitFor('soon');
    try {
      return this.#transaction(work);
    } finally {
      if (durability === 'soon') this.#waitFor('at-once');
      this.#checkpoints.committed(durability);
    }
  }

  /**
   * Writes at the end of the outermost transaction under way, or now where there is none. Of several under one key the
   * last is made; those of a step that is undone are not.
   */
  writeLast(key: string, write: () => void): void {
    if (this.#depth === 0) write();
    else this.#lastWrites.add(key, write);
    if (this.#depth === 1 && this.#lastWrites.isFull) this.#lastWrites.run();
  }

  /**
   * Resolves when all that was committed before the call is safe from a power cut. @throws FailureError as a write does
   */
  synced(): Promise<void> {
    return this.#walSync.sync();
  }

  #transaction<T>(work: () => T): T {
    const outermost = this.#depth === 0;
    this.#bound(outermost ? 'BEGIN IMMEDIATE' : `SAVEPOINT level_${this.#depth}`);
    this.#depth += 1;
    const { mark } = this.#lastWrites;
    try {
      const value = refusePromise(work());
      if (outermost) this.#lastWrites.run();
      this.#bound(outermost ? 'COMMIT' : `RELEASE level_${this.#depth - 1}`);
      return value;
    } catch (error) {
      this.#lastWrites.undo(mark);
      this.#undo(outermost);
      throw translateSqliteError(error, this.path);
    } finally {
      this.#depth -= 1;
    }
  }

  close(): void {
    if (!this.sql.isOpen) return;
    this.#checkpoints.close();
    try {
      this.sql.close();
    } finally {
      this.#lock.release();
    }
  }

  #undo(outermost: boolean): void {
    // SQLite ends the whole transaction itself on some errors, such as a full disk.
    if (!this.sql.isTransaction) return;
    const level = `level_${this.#depth - 1}`;
    this.#bound(outermost ? 'ROLLBACK' : `ROLLBACK TO ${level}`);
    if (!outermost) this.#bound(`RELEASE ${level}`);
  }

  /**
   * Compiled each time: these take effect when they are, and not when they are run (https://sqlite.org/pragma.html).
   */
  #waitFor(durability: Durability): void {
    overSqlite(this.path, () => this.sql.exec(waiting[durability]));
  }

  #bound(text: string): void {
    overSqlite(this.path, () => {
      const statement = this.#bounds.get(text) ?? this.sql.prepare(text);
      this.#bounds.set(text, statement);
      statement.run();
    });
  }
}

/** Work that continues after it returned would write outside the transaction. */
function refusePromise<T>(value: T): T {
  if (value instanceof Promise) throw new TypeError('a transaction cannot wait for a promise');
  return value;
}

/** What waits is held in memory: to forget a workspace is one transaction of as many samples as it had. */
const most = 10_000;

/**
 * Writes that wait for the end of the transaction they were asked for in. A full-text index brings its words to the
 * disk, merging them with those before, whenever a statement that can fail half-way begins behind them (fts5_main.c,
 * xSavepoint): row by row it is done for each row, which took six times the work of doing it once.
 */
export class LastWrites {
  #asked: { key: string; write: () => void }[] = [];

  /** How many were asked for: where a step of the transaction begins. */
  get mark(): number {
    return this.#asked.length;
  }

  /** As many wait as may: they are to be made now, where no step is under way with which they would be undone. */
  get isFull(): boolean {
    return this.#asked.length >= most;
  }

  add(key: string, write: () => void): void {
    this.#asked.push({ key, write });
  }

  /** The step that began at `mark` is undone. */
  undo(mark: number): void {
    this.#asked.length = mark;
  }

  /** The latest of each key, and nothing is asked for any more. */
  run(): void {
    const latest = new Map(this.#asked.map(({ key, write }) => [key, write]));
    this.#asked = [];
    for (const write of latest.values()) write();
  }
}
