import type { Table } from 'dexie';

/** `keys`: the primary key of the rows, and what else they are found by, as Dexie writes it. */
export interface StoredIn {
  database: string;
  table: string;
  keys: string;
}

/**
 * A table of the browser's database that the page can do without. The library that reads it is loaded when it is first
 * asked for something: the page draws before it knows what an earlier one remembered.
 */
export class StoredTable<Row, Key> {
  readonly #where: StoredIn;
  readonly #load;
  #opened: Promise<Table<Row, Key>> | null = null;

  constructor(where: StoredIn, load = () => import('dexie')) {
    this.#where = where;
    this.#load = load;
  }

  /**
   * In the order of the calls. A private window, a full disk, a damaged profile, or no host that the library could be
   * had from: null, and the next call tries again.
   */
  async try<T>(work: (rows: Table<Row, Key>) => PromiseLike<T>): Promise<T | null> {
    try {
      return await work(await (this.#opened ??= this.#open()));
    } catch {
      return null;
    }
  }

  async #open(): Promise<Table<Row, Key>> {
    try {
      const { Dexie } = await this.#load();
      const { database, table, keys } = this.#where;
      const opened = new Dexie(database);
      opened.version(1).stores({ [table]: keys });
      return opened.table<Row, Key>(table);
    } catch (error) {
      this.#opened = null;
      throw error;
    }
  }
}
