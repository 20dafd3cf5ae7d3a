import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { persistently, syncFile, syncFolder } from '../../base/files.ts';
import { unpublishedPath } from '../vault-folder.ts';

/**
 * A pack as the disk knows it. It gets its name with its first samples: until then it is swept like anything else
 * that was not finished.
 */
export class DurablePack {
  readonly #folder: string;
  readonly #pack: string;
  #isPublished: boolean;
  #last: Promise<void> = Promise.resolve();

  constructor(folder: string, pack: string, isPublished: boolean) {
    this.#folder = folder;
    this.#pack = pack;
    this.#isPublished = isPublished;
  }

  /**
   * Syncs all that was written. One after the other, and after a failure never again: a system tells an error once,
   * and a later sync would take for durable what was lost with it.
   */
  sync(): Promise<void> {
    this.#last = this.#last.then(() => this.#syncNow());
    return this.#last;
  }

  async #syncNow(): Promise<void> {
    const [unpublished, path] = [unpublishedPath(this.#folder, this.#pack), join(this.#folder, this.#pack)];
    await syncFile(this.#isPublished ? path : unpublished);
    if (this.#isPublished) return;
    await persistently(() => rename(unpublished, path));
    this.#isPublished = true;
    await syncFolder(this.#folder);
  }
}
