import { z } from 'zod';
import { ruleSort } from '../../shared/domain/publication.ts';
import { StoredTable } from './stored-table.ts';

export const leastInspector = 240;
export const mostInspector = 480;

const libraryLayout = z.object({
  /** Ids of the columns in their order; one that came with a later program is not among them. */
  order: z.array(z.string()),
  hidden: z.array(z.string()),
  showsInspector: z.boolean(),
  /** CSS pixels. */
  inspectorWidth: z.number().min(leastInspector).max(mostInspector),
});
/** How the person arranged the library. */
export type LibraryLayout = z.infer<typeof libraryLayout>;

export const usualLayout: LibraryLayout = {
  order: [],
  hidden: ['type', 'severity', 'threat', 'comments', 'firstSeen'],
  showsInspector: true,
  inspectorWidth: 280,
};

const triageLayout = z.object({ order: z.array(z.string()), hidden: z.array(z.string()) });
/** How the person arranged the table of many hashes. */
export type TriageLayout = z.infer<typeof triageLayout>;

export const usualTriageLayout: TriageLayout = { order: [], hidden: [] };

interface LayoutOf<Layout> {
  /** Of the browser's database. */
  name: string;
  /** In that database. */
  key: string;
  schema: z.ZodType<Layout>;
  usual: Layout;
}

/**
 * An arrangement, kept in the browser's database: losing it loses nothing, and what was stored by another program is
 * not trusted.
 */
export class KeptLayout<Layout extends object> {
  readonly #of: LayoutOf<Layout>;
  readonly #stored: StoredTable<{ key: string; layout: Layout }, string>;
  readonly #listeners = new Set<() => void>();
  #layout: Layout;
  #isChanged = false;

  constructor(of: LayoutOf<Layout>) {
    this.#of = of;
    this.#layout = of.usual;
    this.#stored = new StoredTable({ database: of.name, table: 'layouts', keys: 'key' });
  }

  /** Reads what an earlier page kept; called once. What was changed before that stays. */
  async load(): Promise<void> {
    const row = await this.#stored.try((layouts) => layouts.get(this.#of.key));
    const read = this.#of.schema.safeParse(row?.layout);
    if (read.success && !this.#isChanged) this.#show(read.data);
  }

  async change(change: Partial<Layout>): Promise<void> {
    this.#isChanged = true;
    const layout = { ...this.#layout, ...change };
    this.#show(layout);
    await this.#stored.try((layouts) => layouts.put({ key: this.#of.key, layout }));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly snapshot = (): Layout => this.#layout;

  #show(layout: Layout): void {
    this.#layout = layout;
    for (const listener of this.#listeners) listener();
  }
}

export class LibraryLayouts extends KeptLayout<LibraryLayout> {
  constructor(name = 'vitrine-library') {
    super({ name, key: 'library', schema: libraryLayout, usual: usualLayout });
  }
}

export class TriageLayouts extends KeptLayout<TriageLayout> {
  constructor(name = 'vitrine-triage') {
    super({ name, key: 'triage', schema: triageLayout, usual: usualTriageLayout });
  }
}

const ruleLayout = z.object({ sort: ruleSort, columns: z.array(z.string()).max(20) });
/** How a person arranged the list of rules. `columns`: beside the rule itself. */
export type RuleLayout = z.infer<typeof ruleLayout>;

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
    return ruleLayout.safeParse(row?.layout).data ?? null;
  }

  async keep(workspaceId: string, changed: RuleLayout): Promise<void> {
    await this.#stored.try((layouts) => layouts.put({ workspaceId, layout: changed }));
  }
}
