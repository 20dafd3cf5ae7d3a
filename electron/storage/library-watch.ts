import type { Database } from './database.ts';

/** Tells when rows of the library came, changed or went. To be called once. */
export const watchLibrary = (db: Database, changed: () => void): void =>
  watchRows(db, { table: 'sample', changes: ['INSERT', 'UPDATE', 'DELETE'] }, changed);

/** Tells when rows came to the journal. To be called once. */
export const watchJournal = (db: Database, changed: () => void): void =>
  watchRows(db, { table: 'journal', changes: ['INSERT'] }, changed);

/**
 * Tells whoever's statement it was: once in the turn after, when what was written together is there. The triggers are
 * of this connection and not of the database.
 */
function watchRows(
  db: Database,
  { table, changes }: { table: string; changes: readonly string[] },
  changed: () => void,
): void {
  let isToBeTold = false;
  const tell = (): void => {
    isToBeTold = false;
    changed();
  };
  db.sql.function(`${table}_changed`, () => {
    if (!isToBeTold) setImmediate(tell);
    isToBeTold = true;
    return null;
  });
  for (const change of changes) {
    db.command(
      `CREATE TEMP TRIGGER ${table}_watch_${change} AFTER ${change} ON main.${table} BEGIN
        SELECT ${table}_changed(); END`,
    ).run();
  }
}
