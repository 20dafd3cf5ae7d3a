import { Dexie, type Table } from 'dexie';
import { z } from 'zod';

const unsavedNote = z.object({
  text: z.string(),
  /** The host's texts that this one goes on from: any other came from elsewhere meanwhile. */
  basedOn: z.array(z.string()).readonly(),
});
export type UnsavedNote = z.infer<typeof unsavedNote>;

interface StoredNote extends UnsavedNote {
  sha256: string;
}

/**
 * What was typed into a sample's note and has not reached the host yet. It lies in the browser's database for the moment
 * between a keystroke and its saving: a page that is loaded again in between finds it.
 */
export class UnsavedNotes {
  readonly #stored: Table<StoredNote, string> | null;

  constructor(name = 'vitrine-notes') {
    this.#stored = openTable(name);
  }

  async read(sha256: string): Promise<UnsavedNote | null> {
    const note = unsavedNote.safeParse(await this.#try((notes) => notes.get(sha256)));
    return note.success ? note.data : null;
  }

  /** The samples whose notes are here. */
  async samples(): Promise<string[]> {
    return (await this.#try((notes) => notes.toCollection().primaryKeys())) ?? [];
  }

  /** @returns false where the browser keeps nothing */
  async keep(sha256: string, { text, basedOn }: UnsavedNote): Promise<boolean> {
    return (await this.#try((notes) => notes.put({ sha256, text, basedOn }))) !== null;
  }

  async clear(sha256: string): Promise<void> {
    await this.#try((notes) => notes.delete(sha256));
  }

  /** A private window, a full disk or a damaged profile: null, and the host's copy is all there is. */
  async #try<T>(work: (notes: Table<StoredNote, string>) => PromiseLike<T>): Promise<T | null> {
    if (this.#stored === null) return null;
    try {
      return await work(this.#stored);
    } catch {
      return null;
    }
  }
}

function openTable(name: string): Table<StoredNote, string> | null {
  try {
    const database = new Dexie(name);
    database.version(1).stores({ notes: 'sha256' });
    return database.table<StoredNote, string>('notes');
  } catch {
    return null;
  }
}
