/** Numbers of samples in the order of a list. */
export interface KeptList {
  ids: Float64Array;
  /** How many the list has in all; more than there are `ids` where only its beginning was read. */
  total: number;
}

const mostLists = 4;
const mostIds = 8_000_000;

/** The lists that were asked for last, at most four, and eight million numbers or one list. */
export class KeptLists {
  readonly #lists = new Map<string, KeptList>();

  get(key: string): KeptList | null {
    const list = this.#lists.get(key);
    if (list === undefined) return null;
    this.keep(key, list);
    return list;
  }

  keep(key: string, list: KeptList): KeptList {
    this.#lists.delete(key);
    this.#lists.set(key, list);
    for (const oldest of this.#lists.keys()) if (this.#isTooMuch()) this.#lists.delete(oldest);
    return list;
  }

  #isTooMuch(): boolean {
    const ids = [...this.#lists.values()].reduce((sum, list) => sum + list.ids.length, 0);
    return this.#lists.size > mostLists || (this.#lists.size > 1 && ids > mostIds);
  }
}
