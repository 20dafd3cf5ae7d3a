import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { makeTestFolder, openTestDatabase, type TestDatabase, type TestFolder } from './database.fixture.ts';

/** What a file of tests makes of a desk, each time that one is opened. */
type Take = (desk: TestDatabase) => void;
/**
 * As a restart does: the desk is closed, and taken anew. `meanwhile` runs while nothing holds what is in its folder.
 */
type Reopen = (meanwhile?: (folder: string) => void) => void;

/** Each test of this file has a desk in a folder of its own. */
export function databaseForEachTest(take: Take): Reopen {
  const { begin, end, reopen } = heldDesk(take);
  beforeEach(begin);
  afterEach(end);
  return reopen;
}

/** The tests of this file share a desk: none may change what another reads. */
export function databaseForAllTests(take: Take): void {
  const { begin, end } = heldDesk(take);
  beforeAll(begin);
  afterAll(end);
}

function heldDesk(take: Take): { begin(): void; end(): void; reopen: Reopen } {
  let folder: TestFolder;
  let desk: TestDatabase;
  const open = (): void => {
    desk = openTestDatabase(folder.path);
    take(desk);
  };
  return {
    begin() {
      folder = makeTestFolder();
      open();
    },
    end() {
      desk.db.close();
      folder.remove();
    },
    reopen(meanwhile) {
      desk.db.close();
      meanwhile?.(folder.path);
      open();
    },
  };
}
