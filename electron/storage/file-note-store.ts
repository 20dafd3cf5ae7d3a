import { z } from 'zod';
import type { Database } from './database.ts';

/** Among the settings, where a name that is none means nothing. */
const prefix = 'under-way ';
const noteRow = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/), folder: z.string() });

/** Files that are being written into folders of the person's, each by an id that is in its name. */
export class FileNoteStore {
  readonly #all;
  readonly #put;
  readonly #drop;

  constructor(db: Database) {
    this.#all = db.query(
      noteRow,
      `SELECT substr(name, ${prefix.length + 1}) AS id, value AS folder FROM setting
        WHERE substr(name, 1, ${prefix.length}) = '${prefix}'`,
    );
    this.#put = db.command(`INSERT INTO setting (name, value) VALUES ('${prefix}' || ?, ?)`);
    this.#drop = db.command(`DELETE FROM setting WHERE name = '${prefix}' || ?`);
  }

  all(): { id: string; folder: string }[] {
    return this.#all.all();
  }

  /** Safe from a power cut when it returns. Throws as a write does. */
  put(id: string, folder: string): void {
    this.#put.run(id, folder);
  }

  drop(id: string): void {
    this.#drop.run(id);
  }
}
