import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { makeTestFolder, openTestDatabase, type TestDatabase, type TestFolder } from './database.fixture.ts';

/** Receives the test database each time that it is opened. */
type Take = (database: TestDatabase) => void;
/**
 * Simulates a restart: the database is closed and opened again. `meanwhile` runs while no file in its folder is held.
 */
type Reopen = (meanwhile?: (folder: string) => void) => void;

/** Each test of this file has a database in a folder of its own. */
export function databaseForEachTest(take: Take): Reopen {
  const { begin, end, reopen } = heldDatabase(take);
  beforeEach(begin);
  afterEach(end);
  return reopen;
}

/** The tests of this file share a database: none may change what another reads. */
export function databaseForAllTests(take: Take): void {
  const { begin, end } = heldDatabase(take);
  beforeAll(begin);
  afterAll(end);
}

function heldDatabase(take: Take): { begin(): void; end(): void; reopen: Reopen } {
  let folder: TestFolder;
  let database: TestDatabase;
  const open = (): void => {
    database = openTestDatabase(folder.path);
    take(database);
  };
  return {
    begin() {
      folder = makeTestFolder();
      open();
    },
    end() {
      database.db.close();
      folder.remove();
    },
    reopen(meanwhile) {
      database.db.close();
      meanwhile?.(folder.path);
      open();
    },
  };
}
