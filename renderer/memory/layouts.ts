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

interface StoredLayout {
  key: 'library';
  layout: LibraryLayout;
}

/**
 * The arrangement of the library, kept in the browser's database: losing it loses nothing, and what was stored by
 * another program is not trusted.
 */
export class LibraryLayouts {
  readonly #stored: StoredTable<StoredLayout, string>;
  readonly #listeners = new Set<() => void>();
  #layout = usualLayout;
  #isChanged = false;

  constructor(name = 'vitrine-library') {
    this.#stored = new StoredTable({ database: name, table: 'layouts', keys: 'key' });
  }

  /** Reads what an earlier page kept; called once. What was changed before that stays. */
  async load(): Promise<void> {
    const row = await this.#stored.try((layouts) => layouts.get('library'));
    const read = libraryLayout.safeParse(row?.layout);
    if (read.success && !this.#isChanged) this.#show(read.data);
  }

  async change(change: Partial<LibraryLayout>): Promise<void> {
    this.#isChanged = true;
    const layout = { ...this.#layout, ...change };
    this.#show(layout);
    await this.#stored.try((layouts) => layouts.put({ key: 'library', layout }));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly snapshot = (): LibraryLayout => this.#layout;

  #show(layout: LibraryLayout): void {
    this.#layout = layout;
    for (const listener of this.#listeners) listener();
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
