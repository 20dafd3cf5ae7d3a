import { vi } from 'vitest';
import type { Database } from '../database/database.ts';

/**
 * The text of each statement that is written while `work` runs, once, whether it is used or not: most are prepared when
 * they are first used.
 */
export function statementsOf(db: Database, work: () => void): string[] {
  const [query, command, prepare] = [vi.spyOn(db, 'query'), vi.spyOn(db, 'command'), vi.spyOn(db.sql, 'prepare')];
  work();
  const texts = [
    ...query.mock.calls.map(([, text]) => text),
    ...[...command.mock.calls, ...prepare.mock.calls].map(([text]) => text),
  ];
  for (const spy of [query, command, prepare]) spy.mockRestore();
  return [...new Set(texts)];
}
