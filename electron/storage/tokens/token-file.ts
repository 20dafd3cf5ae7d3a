import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../base/files.ts';
import { readOwnFile } from '../../base/owned-file.ts';
import { removeUnfinished, translateFileError, writeFileAtomic } from '../directory/atomic-file.ts';

/** How a file's content becomes text and back; `read` gives null for anything it did not write. */
export interface TokenFormat<Content> {
  write(content: Content): string;
  read(text: string): Content | null;
}

/** What a file of sealed tokens holds: kept in memory, written whole and atomically, changed only once written. */
export class TokenFile<Content> {
  readonly path: string;
  readonly #format: TokenFormat<Content>;
  #content: Content | 'damaged' | null = null;

  constructor(path: string, format: TokenFormat<Content>) {
    this.path = path;
    this.#format = format;
  }

  /** Reads it, and clears away what a crash left of earlier writes. */
  async load(): Promise<void> {
    await removeUnfinished(this.path);
    const text = readIfThere(this.path);
    this.#content = text === null ? null : (this.#format.read(text) ?? 'damaged');
  }

  /** null when there is no file. */
  get content(): Content | 'damaged' | null {
    return this.#content;
  }

  /**
   * A damaged file is moved aside first, never overwritten: it is the only copy of any data that can still be
   * recovered.
   */
  async replace(content: Content): Promise<void> {
    if (this.#content === 'damaged') await this.#putAside();
    await writeFileAtomic(this.path, this.#format.write(content));
    this.#content = content;
  }

  /** For good. */
  async remove(): Promise<void> {
    try {
      await rm(this.path, { force: true });
      await syncFolder(dirname(this.path));
    } catch (error) {
      throw translateFileError(error, this.path);
    }
    this.#content = null;
  }

  async #putAside(): Promise<void> {
    try {
      await rename(this.path, `${this.path}.damaged-${Date.now()}`);
    } catch (error) {
      throw translateFileError(error, this.path);
    }
  }
}

function readIfThere(path: string): string | null {
  try {
    return readOwnFile(path);
  } catch (error) {
    throw translateFileError(error, path);
  }
}
