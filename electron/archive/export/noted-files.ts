import { randomBytes } from 'node:crypto';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../../base/files.ts';
import { writeFileSafely, type WrittenFile } from './export-file.ts';

/** What is written now, or was when the program ended. It outlasts a crash. */
export interface FileNotes {
  all(): { id: string; folder: string }[];
  put(id: string, folder: string): void;
  drop(id: string): void;
}

/**
 * Files on their way into folders of the person's that no job stands for. Each is noted before it is there: only so can
 * the next start find what a crash left of it, wherever that folder is.
 */
export class NotedFiles {
  readonly #notes: FileNotes;

  constructor(notes: FileNotes) {
    this.#notes = notes;
  }

  /** As `writeFileSafely` does. Throws as the notes do, too. */
  write(folder: string, fileName: string, bytes: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
    return this.underWay(folder, (unfinished) => writeFileSafely(folder, fileName, bytes, unfinished));
  }

  /** `work` writes it under the name that it is given, and gives it another one when it is finished. */
  async underWay<T>(folder: string, work: (unfinished: string) => Promise<T>): Promise<T> {
    const id = randomBytes(16).toString('hex');
    this.#notes.put(id, folder);
    try {
      return await work(unfinishedNameOf(id));
    } finally {
      await this.#removeQuietly(id, folder);
    }
  }

  /**
   * To be called at a start. What cannot be removed now, such as what lies on a disk that is not there, is left to
   * another one.
   */
  async removeLeft(): Promise<void> {
    for (const { id, folder } of this.#notes.all()) await this.#removeQuietly(id, folder);
  }

  async #removeQuietly(id: string, folder: string): Promise<void> {
    await Promise.allSettled([this.#remove(id, folder)]);
  }

  /** A link, or a folder, is none of ours: it stays. */
  async #remove(id: string, folder: string): Promise<void> {
    const path = join(folder, unfinishedNameOf(id));
    const found = await ignoreMissing(lstat(path));
    if (found?.isFile() === true) await rm(path, { force: true });
    if (found !== null || (await ignoreMissing(lstat(folder))) !== null) this.#notes.drop(id);
  }
}

/** Nothing else has this name. */
const unfinishedNameOf = (id: string): string => `.vitrine-${id}.part`;
