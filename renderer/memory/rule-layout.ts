import { z } from 'zod';
import { ruleSort } from '../../shared/domain/publication.ts';
import { StoredTable } from './stored-table.ts';

const layout = z.object({ sort: ruleSort, columns: z.array(z.string()).max(20) });
/** How a person arranged the list of rules. `columns`: beside the rule itself. */
export type RuleLayout = z.infer<typeof layout>;

/**
 * The arrangement of the rules of each workspace, kept in the browser's database: losing it loses nothing, and what was
 * stored by another program is not trusted.
 */
export class RuleLayouts {
  readonly #stored: StoredTable<{ workspaceId: string; layout: RuleLayout }, string>;

  constructor(name = 'vitrine-rule-layouts') {
    this.#stored = new StoredTable({ database: name, table: 'layouts', keys: 'workspaceId' });
  }

  /** null: it was never changed. */
  async read(workspaceId: string): Promise<RuleLayout | null> {
    const row = await this.#stored.try((layouts) => layouts.get(workspaceId));
    return layout.safeParse(row?.layout).data ?? null;
  }

  async keep(workspaceId: string, changed: RuleLayout): Promise<void> {
    await this.#stored.try((layouts) => layouts.put({ workspaceId, layout: changed }));
  }
}
