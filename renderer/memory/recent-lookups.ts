import { StoredTable } from './stored-table.ts';

/** A look-up that found its sample. Only what the rail shows. `at` is milliseconds since 1970, UTC. */
export interface RecentLookup {
  key: string;
  workspaceId: string;
  md5: string;
  name: string | null;
  at: number;
}

const keptOfEach = 30;

/**
 * The look-ups of late, of each workspace, newest first. Kept in the browser's database and nowhere else: losing
 * them loses nothing, so when that database fails they are remembered until the page closes, and the page goes on.
 */
export class RecentLookups {
  readonly #stored: StoredTable<RecentLookup, string>;
  readonly #listeners = new Set<() => void>();
  #all: readonly RecentLookup[] = [];

  constructor(name = 'vitrine-page') {
    this.#stored = new StoredTable({ database: name, table: 'recents', keys: 'key' });
  }

  /** Reads what earlier pages remembered; called once. */
  async load(): Promise<void> {
    const stored = await this.#stored.try((recents) => recents.toArray());
    const here = new Set(this.#all.map(({ key }) => key));
    this.#show([...this.#all, ...(stored ?? []).filter(({ key }) => !here.has(key))]);
  }

  get all(): readonly RecentLookup[] {
    return this.#all;
  }

  async remember(lookup: Omit<RecentLookup, 'key'>): Promise<void> {
    const recent = { ...lookup, key: `${lookup.workspaceId}:${lookup.md5}` };
    const others = this.#all.filter(({ key }) => key !== recent.key);
    const mine = others.filter(({ workspaceId }) => workspaceId === recent.workspaceId);
    const tooOld = mine.slice(keptOfEach - 1).map(({ key }) => key);
    this.#show([recent, ...others.filter(({ key }) => !tooOld.includes(key))]);
    await this.#stored.try(async (recents) => {
      await recents.put(recent);
      await recents.bulkDelete(tooOld);
    });
  }

  /** Forgets the look-ups of every workspace that is not among these. */
  async keepOnly(workspaceIds: readonly string[]): Promise<void> {
    const gone = this.#all.filter(({ workspaceId }) => !workspaceIds.includes(workspaceId)).map(({ key }) => key);
    if (gone.length === 0) return;
    this.#show(this.#all.filter(({ key }) => !gone.includes(key)));
    await this.#stored.try((recents) => recents.bulkDelete(gone));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly snapshot = (): readonly RecentLookup[] => this.#all;

  #show(all: readonly RecentLookup[]): void {
    this.#all = all.toSorted((a, b) => b.at - a.at);
    for (const listener of this.#listeners) listener();
  }
}
