import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FailureError } from '../../../shared/failure.ts';
import { ignoreMissing, makeChildFolder, openRegular, persistently, syncFolder } from '../../base/files.ts';
import { type Copied, readFrom } from '../directory/folder-copy.ts';

const folderName = 'files';
const unfinished = '.unfinished';
/** With what SQLite has beside a database that it copies. */
const cutOff = /^[0-9a-f]{32}\.unfinished(?:-journal|-wal|-shm)?$/;

const isObjectName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
const isOwnFolder = (name: string): boolean => /^[0-9a-f]{2}$/.test(name);

/**
 * Where the bytes of a file of a backup lie: by their SHA-256, so that no state of a backup changes what another one
 * has.
 */
export const objectPath = (backup: string, sha256: string): string =>
  join(backup, folderName, sha256.slice(0, 2), sha256);

/** The bytes of all files of a backup. Throws the system's errors. */
export class BackupObjects {
  readonly #backup: string;
  readonly #folder: string;
  readonly #changed = new Set<string>();

  constructor(backup: string) {
    this.#backup = backup;
    this.#folder = join(backup, folderName);
  }

  /** Makes the folder, and clears it of what was cut off. */
  async open(): Promise<void> {
    await makeChildFolder(this.#folder);
    for (const name of await readdir(this.#folder))
      if (cutOff.test(name)) await rm(join(this.#folder, name), { force: true });
  }

  /** A path for bytes whose SHA-256 is not known yet. */
  newPath(): string {
    return join(this.#folder, `${randomBytes(16).toString('hex')}${unfinished}`);
  }

  async has({ sha256, sizeBytes }: Copied): Promise<boolean> {
    const facts = await ignoreMissing(lstat(objectPath(this.#backup, sha256)));
    return facts?.isFile() === true && facts.size === sizeBytes;
  }

  /** Keeps what is written to a `newPath`; null: nothing. What it leaves there when it fails is removed. */
  async filled(fill: (path: string) => Promise<Copied | null>): Promise<(Copied & { isNew: boolean }) | null> {
    const path = this.newPath();
    try {
      const copied = await fill(path);
      if (copied !== null) return await this.keep(path, copied);
      await rm(path, { force: true });
      return null;
    } catch (error) {
      await Promise.allSettled([rm(path, { force: true })]);
      throw error;
    }
  }

  /** Gives the bytes at a `newPath` their name. What bears that already and has rotted since is replaced. */
  async keep(path: string, copied: Copied): Promise<Copied & { isNew: boolean }> {
    const isNew = (await readObject(this.#backup, copied, () => {})) !== 'whole';
    if (isNew) await this.#moveIn(path, copied.sha256);
    else await rm(path);
    return { ...copied, isNew };
  }

  /** All that was put has its name after a power cut too. */
  async sync(): Promise<void> {
    for (const folder of this.#changed) await syncFolder(folder);
    await syncFolder(this.#folder);
    this.#changed.clear();
  }

  /** Removes all bytes that these do not name; a folder that is none of its own is left alone. */
  async sweep(kept: ReadonlySet<string>): Promise<void> {
    for (const folder of await readdir(this.#folder, { withFileTypes: true })) {
      const path = join(this.#folder, folder.name);
      if (cutOff.test(folder.name)) await rm(path, { force: true });
      else if (folder.isDirectory() && isOwnFolder(folder.name))
        for (const name of await readdir(path))
          if (isObjectName(name) && !kept.has(name)) await rm(join(path, name), { force: true });
    }
  }

  async #moveIn(path: string, sha256: string): Promise<void> {
    const folder = join(this.#folder, sha256.slice(0, 2));
    await makeChildFolder(folder);
    await persistently(() => rename(path, objectPath(this.#backup, sha256)));
    this.#changed.add(folder);
  }
}

/**
 * Opens the bytes of a file of a backup; null when they are not there, or what is there is no file: a link, or a pipe
 * that never gives a byte. Throws the system's errors.
 */
export const openObject = (backup: string, sha256: string): Promise<FileHandle | null> =>
  openRegular(objectPath(backup, sha256));

/**
 * Whether the bytes are those of their name. What cannot be read is altered. Throws what `onBytes` throws, and the
 * system's errors of opening.
 */
export async function readObject(
  backup: string,
  { sha256, sizeBytes }: Copied,
  onBytes: (bytes: number) => void,
): Promise<'whole' | 'altered' | 'missing'> {
  const path = objectPath(backup, sha256);
  if ((await ignoreMissing(lstat(path))) === null) return 'missing';
  const file = await openRegular(path);
  if (file === null) return 'altered';
  try {
    const hash = createHash('sha256');
    let read = 0;
    for await (const chunk of readFrom(file.createReadStream({ end: sizeBytes, autoClose: false }), path)) {
      hash.update(chunk);
      read += chunk.length;
      onBytes(chunk.length);
    }
    return read === sizeBytes && hash.digest('hex') === sha256 ? 'whole' : 'altered';
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === 'disk-failed') return 'altered';
    throw error;
  } finally {
    await file.close();
  }
}
