import { z } from 'zod';
import { StoredTable } from './stored-table.ts';

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
 * What was typed into a sample's note and has not reached the host yet. It lies in the browser's database for the
 * moment between a keystroke and its saving: a page that is loaded again in between finds it.
 */
export class UnsavedNotes {
  readonly #stored: StoredTable<StoredNote, string>;

  constructor(name = 'vitrine-notes') {
    this.#stored = new StoredTable({ database: name, table: 'notes', keys: 'sha256' });
  }

  async read(sha256: string): Promise<UnsavedNote | null> {
    const note = unsavedNote.safeParse(await this.#stored.try((notes) => notes.get(sha256)));
    return note.success ? note.data : null;
  }

  /** The samples whose notes are here. */
  async samples(): Promise<string[]> {
    return (await this.#stored.try((notes) => notes.toCollection().primaryKeys())) ?? [];
  }

  /** @returns false where the browser keeps nothing */
  async keep(sha256: string, { text, basedOn }: UnsavedNote): Promise<boolean> {
    return (await this.#stored.try((notes) => notes.put({ sha256, text, basedOn }))) !== null;
  }

  async clear(sha256: string): Promise<void> {
    await this.#stored.try((notes) => notes.delete(sha256));
  }
}
