import { z } from 'zod';
import { StoredTable } from './stored-table.ts';

const ruleDraft = z.object({ source: z.string() });

/**
 * Rules that a person is writing to try them: one draft for each workspace. It never leaves the page but to be compiled
 * and run.
 */
export class RuleDrafts {
  readonly #stored: StoredTable<{ workspaceId: string; source: string }, string>;

  constructor(name = 'vitrine-rule-drafts') {
    this.#stored = new StoredTable({ database: name, table: 'drafts', keys: 'workspaceId' });
  }

  async read(workspaceId: string): Promise<string | null> {
    return ruleDraft.safeParse(await this.#stored.try((drafts) => drafts.get(workspaceId))).data?.source ?? null;
  }

  async keep(workspaceId: string, source: string): Promise<void> {
    await this.#stored.try((drafts) => drafts.put({ workspaceId, source }));
  }
}
