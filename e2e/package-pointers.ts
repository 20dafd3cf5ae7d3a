import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Desk } from './fixtures.ts';

/** SHA-256 of the package that is in use, as it would be found after a crash; empty when there is none. */
export function activePackage({ dataDirectory }: Pick<Desk, 'dataDirectory'>): string {
  const database = new DatabaseSync(join(dataDirectory, 'vitrine.db'), { readOnly: true });
  try {
    return String(database.prepare('SELECT active FROM rule_state WHERE active IS NOT NULL').get()?.['active'] ?? '');
  } finally {
    database.close();
  }
}
