import { z } from 'zod';
import { StoredTable } from './stored-table.ts';

const storedCommand = z.object({ id: z.string(), at: z.number() });
/** `at` is milliseconds since 1970, UTC. */
type StoredCommand = z.infer<typeof storedCommand>;

const kept = 20;

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
      await commands.bulkDelete(all.slice(kept));
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
    this.#ids = ids.slice(0, kept);
    for (const listener of this.#listeners) listener();
  }
}
