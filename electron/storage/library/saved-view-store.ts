import { z } from 'zod';
import { type SavedView, savedView } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import { readJson } from '../database/stored-json.ts';

const mostViews = 100;

const viewRow = z.object({
  id: z.number(),
  name: z.string(),
  query: z.string(),
  sort: z.string(),
  columns: z.string().nullable(),
});
const idRow = z.object({ id: z.number() });
const countRow = z.object({ views: z.number() });

/** Queries of the library that are kept under a name, in the order that a person gave them. */
export class SavedViewStore {
  readonly #db: Database;
  readonly #all;
  readonly #count;
  readonly #named;
  readonly #insert;
  readonly #update;
  readonly #rename;
  readonly #remove;
  readonly #setPlace;

  constructor(db: Database) {
    this.#db = db;
    this.#all = db.query(viewRow, 'SELECT id, name, query, sort, columns FROM saved_view ORDER BY place, id');
    this.#count = db.query(countRow, 'SELECT count(*) AS views FROM saved_view');
    this.#named = db.query(idRow, 'SELECT id FROM saved_view WHERE name = ?');
    this.#insert = db.command(
      `INSERT INTO saved_view (place, name, query, sort, columns) SELECT ifnull(max(place), 0) + 1, ?, ?, ?, ?
        FROM saved_view`,
    );
    this.#update = db.command('UPDATE saved_view SET name = ?, query = ?, sort = ?, columns = ? WHERE id = ?');
    this.#rename = db.command('UPDATE saved_view SET name = ? WHERE id = ?');
    this.#remove = db.command('DELETE FROM saved_view WHERE id = ?');
    this.#setPlace = db.command('UPDATE saved_view SET place = ? WHERE id = ?');
  }

  /** Those that can be read. */
  list(): SavedView[] {
    return this.#all.all().flatMap((row) => viewOf(row) ?? []);
  }

  /** Without an id a new one, at the end. Fails with `view-missing`, `view-name-taken`, `too-many-views`. */
  save({ id, name, query, sort, columns }: Omit<SavedView, 'id'> & { id: number | null }): SavedView {
    const stored = [name, query, JSON.stringify(sort), columns && JSON.stringify(columns)] as const;
    return this.#db.transaction(() => {
      this.#requireFree(name, id);
      if (id !== null && this.#update.run(...stored, id).changes === 0) missing(id);
      return { id: id ?? this.#add(stored), name, query, sort, columns };
    });
  }

  /** Fails with `view-missing`, `view-name-taken`. */
  rename(id: number, name: string): SavedView {
    return this.#db.transaction(() => {
      this.#requireFree(name, id);
      this.#rename.run(name, id);
      return this.list().find((view) => view.id === id) ?? missing(id);
    });
  }

  /** One that is gone already is left at that. */
  remove(id: number): void {
    this.#remove.run(id);
  }

  /** Puts one before another, or at the end. Fails with `view-missing`. */
  move(id: number, before: number | null): void {
    this.#db.transaction(() => {
      const ids = this.#all.all().map((row) => row.id);
      for (const one of [id, before ?? id]) if (!ids.includes(one)) missing(one);
      const others = ids.filter((one) => one !== id);
      const at = before === null ? others.length : before === id ? ids.indexOf(id) : others.indexOf(before);
      for (const [place, one] of others.toSpliced(at, 0, id).entries()) this.#setPlace.run(place + 1, one);
    });
  }

  /** Views could once share a name: one that already has it may retain it. */
  #requireFree(name: string, id: number | null): void {
    const holders = this.#named.all(name);
    if (holders.length > 0 && !holders.some((holder) => holder.id === id)) fail({ kind: 'view-name-taken' });
  }

  #add(stored: readonly [string, string, string, string | null]): number {
    if ((this.#count.get()?.views ?? 0) >= mostViews) fail({ kind: 'too-many-views', limit: mostViews });
    return this.#insert.run(...stored).rowId;
  }
}

function viewOf({ sort, columns, ...row }: z.infer<typeof viewRow>): SavedView | null {
  return (
    savedView.safeParse({ ...row, sort: readJson(sort), columns: columns === null ? null : readJson(columns) }).data ??
    null
  );
}

const missing = (id: number): never => fail({ kind: 'view-missing', id });
