import { type BigIntStats, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fail, FailureError } from '../../../shared/failure.ts';
import { translateSqliteError } from '../database/sqlite-error.ts';
import { makeDataDirectory, makeOwnFolder, makePrivateFile } from './private-files.ts';

export interface DataLock {
  release(): void;
}

interface LockOptions {
  /** The file in the directory that bears the lock. Nothing else is kept in it. */
  fileName: string;
  /** How long to wait for a holder that is ending; the thread blocks meanwhile. */
  waitMs: number;
}

/**
 * Holds a data directory for this process, making it first (0700). The lock is an exclusive SQLite transaction on
 * a database of its own, so that other connections to the data itself are not shut out, and no PID file, so that the
 * system lets go of it however the process dies. POSIX drops such a lock when *any* descriptor of that file is
 * closed by its holder: the process that holds it must never open it as a file.
 * Fails with `data-in-use`, `not-writable`, `disk-full` or `not-own`.
 */
export function holdDataDirectory(directory: string, options: LockOptions): DataLock {
  makeDataDirectory(directory);
  return hold(directory, options);
}

/** The same with a folder of a person's choice, which may belong to someone else. */
export function holdFolder(directory: string, options: LockOptions): DataLock {
  makeOwnFolder(directory);
  return hold(directory, options);
}

function hold(directory: string, { fileName, waitMs }: LockOptions): DataLock {
  const path = join(directory, fileName);
  makePrivateFile(path, directory);
  try {
    const lock = new DatabaseSync(path, { timeout: waitMs });
    return { release: heldBy(lock) };
  } catch (error) {
    throw inUse(translateSqliteError(error, directory), fileName);
  }
}

/** @returns the way to let go of it */
function heldBy(lock: DatabaseSync): () => void {
  try {
    // The journal in memory: the lock file stays empty and leaves nothing beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** A damaged lock file does not mean that the data is damaged; but it cannot be held. */
function inUse(error: Error, fileName: string): Error {
  if (!(error instanceof FailureError) || error.failure.kind !== 'data-damaged') return error;
  const { path, code } = error.failure;
  return new FailureError({ kind: 'not-writable', path: join(path, fileName), code }, { cause: error });
}

const lookEveryMs = 2_000;

interface DataPlaceOptions {
  directory: string;
  /** A file in it that is open as long as the program runs. */
  file: string;
  /** The file whose lock shows that the directory belongs to this program. */
  lockFile: string;
  /** Called when it goes, when it is back, and when it is lost. */
  onChange(): void;
  /** Called once, when it is not this program's any more. Nothing must be written from then on. */
  onLost(): void;
}

/** `lost`: it is there, and nothing keeps another program from it. That one may have written: there is no way back. */
type State = 'there' | 'gone' | 'lost';

/**
 * Whether the data directory is still where it was, and this program's. A folder can be renamed, deleted or unmounted
 * under a running program; the system then still accepts writes to open files, and the data is lost. The lock is on the
 * file and not on its name: removing the file lets a second program in, while the first still holds a lock that no one
 * checks.
 */
export class DataPlace {
  readonly #options: DataPlaceOptions;
  readonly #file: OpenedFile;
  readonly #lockFile: OpenedFile;
  readonly #timer: NodeJS.Timeout;
  #state: State = 'there';
  #wasLost = false;

  /** Throws the system's error when a file is not there now. */
  constructor(options: DataPlaceOptions) {
    this.#options = options;
    this.#file = new OpenedFile(options.file);
    this.#lockFile = new OpenedFile(options.lockFile);
    this.#timer = setInterval(() => void this.#look(), lookEveryMs).unref();
  }

  /** Takes some microseconds. Fails with `data-gone` or `data-not-held`. */
  requireThere(): void {
    const { directory, lockFile } = this.#options;
    const state = this.#look();
    if (state === 'gone') fail({ kind: 'data-gone', path: directory });
    if (state === 'lost') fail({ kind: 'data-not-held', path: lockFile });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): State {
    const before = this.#state;
    const state = this.#find();
    this.#state = state;
    if (state !== before) this.#options.onChange();
    if (state === 'lost') this.#lose();
    return state;
  }

  #lose(): void {
    if (this.#wasLost) return;
    this.#wasLost = true;
    this.#options.onLost();
  }

  #find(): State {
    if (!this.#file.isThere()) return 'gone';
    if (this.#wasLost) return 'lost';
    if (this.#lockFile.isThere()) return 'there';
    // The directory may have gone in between, and the lock file with it.
    return this.#file.isThere() ? 'lost' : 'gone';
  }
}

/** A file as it was found: another one of its name is not it. */
class OpenedFile {
  readonly #path: string;
  readonly #opened: BigIntStats;

  constructor(path: string) {
    this.#path = path;
    this.#opened = statSync(path, { bigint: true });
  }

  isThere(): boolean {
    try {
      const found = statSync(this.#path, { bigint: true });
      // Some network mounts change the number of the same file.
      return (
        found.ino === this.#opened.ino || (found.birthtimeNs !== 0n && found.birthtimeNs === this.#opened.birthtimeNs)
      );
    } catch {
      // Whatever the reason: it cannot be written there.
      return false;
    }
  }
}
