import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Vitrine } from './fixtures.ts';

type At = Pick<Vitrine, 'dataDirectory'>;

/** SHA-256 of the package that is in use, as it would be found after a crash; empty when there is none. */
export const activePackage = (vitrine: At): string =>
  pointer(vitrine, 'SELECT active AS sha256 FROM rule_state WHERE active IS NOT NULL');

/** The same of the package that waits to be installed. */
export const waitingPackage = (vitrine: At): string =>
  pointer(vitrine, 'SELECT candidate AS sha256 FROM rule_state WHERE candidate IS NOT NULL');

function pointer({ dataDirectory }: At, query: string): string {
  const database = new DatabaseSync(join(dataDirectory, 'vitrine.db'), { readOnly: true });
  try {
    return String(database.prepare(query).get()?.['sha256'] ?? '');
  } finally {
    database.close();
  }
}
