import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { JournalWorkspace } from '../../shared/domain/journal.ts';
import { workspaceId } from '../../shared/domain/workspace.ts';
import { isCountable } from './journal-rows.ts';
import { rowsOf } from './named-rows.ts';

/** More than a desk ever has; whoever writes ids into rows makes no list without end. */
const mostWorkspaces = 500;
const longestName = 80;
const idRow = z.object({ id: z.string() });
const namedRow = z.object({ id: z.string(), name: z.string(), number: z.number() });
const lastRow = z.object({ last: z.number().nullable() });

/**
 * Which workspaces rows are of, and what each was called last. The journal only grows: rows that came since are looked
 * at alone.
 */
export class JournalWorkspaces {
  readonly #names = new Map<string, string | null>();
  #last = Number.MIN_SAFE_INTEGER;

  list(sql: DatabaseSync): JournalWorkspace[] {
    const { last } = rowsOf(sql, lastRow, `SELECT max(number) AS last FROM journal WHERE ${isCountable}`, {})[0] ?? {};
    const since = 'FROM journal WHERE journal.number > :from AND journal.number <= :to';
    const bounds = { from: this.#last, to: last ?? this.#last };
    for (const { id } of rowsOf(
      sql,
      idRow,
      `SELECT DISTINCT workspace_id AS id ${since} AND workspace_id IS NOT NULL LIMIT ${mostWorkspaces}`,
      bounds,
    ))
      this.#note(id, this.#names.get(id) ?? null);
    const named = `SELECT workspace_id AS id, detail ->> 'name' AS name, max(number) AS number ${since}
      AND operation = 'workspace' AND workspace_id IS NOT NULL
      AND json_valid(detail) AND json_type(detail, '$.name') = 'text' GROUP BY workspace_id LIMIT ${mostWorkspaces}`;
    for (const { id, name } of rowsOf(sql, namedRow, named, bounds)) this.#note(id, name.slice(0, longestName));
    this.#last = bounds.to;
    return [...this.#names].map(([id, name]) => ({ id, name }));
  }

  #note(id: string, name: string | null): void {
    if (workspaceId.safeParse(id).success && (this.#names.has(id) || this.#names.size < mostWorkspaces))
      this.#names.set(id, name);
  }
}
