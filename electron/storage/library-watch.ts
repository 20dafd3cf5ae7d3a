import type { Database } from './database.ts';

/**
 * Tells when rows of the library came, changed or went, whoever's statement it was: once in the turn after, when what was written together
 * is there. The triggers are of this connection and not of the database.
 */
export function watchLibrary(db: Database, changed: () => void): void {
  let isToBeTold = false;
  const tell = (): void => {
    isToBeTold = false;
    changed();
  };
  db.sql.function('library_changed', () => {
    if (!isToBeTold) setImmediate(tell);
    isToBeTold = true;
    return null;
  });
  for (const change of ['INSERT', 'UPDATE', 'DELETE']) {
    db.command(`CREATE TEMP TRIGGER library_watch_${change} AFTER ${change} ON main.sample BEGIN SELECT library_changed(); END`).run();
  }
}
