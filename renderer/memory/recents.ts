import { z } from 'zod';
import { StoredTable } from './stored-table.ts';

/** A look-up that found its sample. Only what the sidebar shows. `at` is milliseconds since 1970, UTC. */
export interface RecentLookup {
  key: string;
  workspaceId: string;
  md5: string;
  name: string | null;
  at: number;
}

const keptOfEach = 30;

/**
 * The recent look-ups of each workspace, newest first. Kept in the browser's database and nowhere else: losing them
 * loses nothing, so when that database fails they are kept in memory until the page closes, and the page continues.
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

const storedCommand = z.object({ id: z.string(), at: z.number() });
/** `at` is milliseconds since 1970, UTC. */
type StoredCommand = z.infer<typeof storedCommand>;

const keptCommands = 20;

/**
 * Ids of the commands that were run of late, the latest first. Kept in the browser's database: losing them loses
 * nothing.
 */
export class RecentCommands {
  readonly #stored: StoredTable<StoredCommand, string>;
  readonly #listeners = new Set<() => void>();
  #ids: readonly string[] = [];

  constructor(name = 'vitrine-commands') {
    this.#stored = new StoredTable({ database: name, table: 'commands', keys: 'id' });
  }

  /** Reads what earlier pages remembered; called once. What was run before that comes first. */
  async load(): Promise<void> {
    const rows = (await this.#stored.try((commands) => commands.toArray())) ?? [];
    const read = rows.flatMap((row) => storedCommand.safeParse(row).data ?? []).toSorted((a, b) => b.at - a.at);
    this.#show([...this.#ids, ...read.map(({ id }) => id).filter((id) => !this.#ids.includes(id))]);
  }

  async remember(id: string): Promise<void> {
    const all = [id, ...this.#ids.filter((other) => other !== id)];
    this.#show(all);
    await this.#stored.try(async (commands) => {
      await commands.put({ id, at: Date.now() });
      await commands.bulkDelete(all.slice(keptCommands));
    });
  }

  async forgetAll(): Promise<void> {
    this.#show([]);
    await this.#stored.try((commands) => commands.clear());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly snapshot = (): readonly string[] => this.#ids;

  #show(ids: readonly string[]): void {
    this.#ids = ids.slice(0, keptCommands);
    for (const listener of this.#listeners) listener();
  }
}
