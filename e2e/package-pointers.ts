import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Desk } from './fixtures.ts';

type At = Pick<Desk, 'dataDirectory'>;

/** SHA-256 of the package that is in use, as it would be found after a crash; empty when there is none. */
export const activePackage = (desk: At): string =>
  pointer(desk, 'SELECT active AS sha256 FROM rule_state WHERE active IS NOT NULL');

/** The same of the package that waits to be installed. */
export const waitingPackage = (desk: At): string =>
  pointer(desk, 'SELECT candidate AS sha256 FROM rule_state WHERE candidate IS NOT NULL');

function pointer({ dataDirectory }: At, query: string): string {
  const database = new DatabaseSync(join(dataDirectory, 'vitrine.db'), { readOnly: true });
  try {
    return String(database.prepare(query).get()?.['sha256'] ?? '');
  } finally {
    database.close();
  }
}
