import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { openJournal } from '../journal/journal-opening.ts';
import type { Journal } from '../journal/journal.ts';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import { openTokenStore } from '../tokens/token-store.ts';
import { leaveRestoreNote } from './database-copy.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

const note = { folder: '/backups/desk', made: '2030-01-01T00:00:00.000Z', restored: '2030-01-02T00:00:00.000Z' };
const keychain = {
  backend: 'test',
  seal: async (text: string) => Buffer.from(text).reverse(),
  open: async (sealed: Uint8Array) => ({ text: Buffer.from(sealed).reverse().toString(), shouldReseal: false }),
};

/** Opens what is in the folder once. @returns what `look` makes of its journal */
async function opened<T>(look: (journal: Journal, rows: unknown[]) => T): Promise<T> {
  const db = openDatabase(folder.path);
  try {
    const journal = await openJournal(db, await openTokenStore({ directory: folder.path, keychain }), (error) =>
      expect(error).toBeNull(),
    );
    return look(
      journal,
      db.sql
        .prepare(
          `SELECT operation, outcome, detail, sealed_by IS NOT NULL AS sealed FROM journal WHERE operation <> 'look-up'
            ORDER BY number`,
        )
        .all(),
    );
  } finally {
    db.close();
  }
}

test('a restore adds one sealed entry to the journal when its data is first opened', async () => {
  await opened(
    (journal) => void journal.append({ workspaceId: null, operation: 'look-up', hash: null, outcome: 'found' }),
  );
  leaveRestoreNote(join(folder.path, 'vitrine.db'), note);
  const rows = await opened((_, found) => found);
  expect(rows).toEqual([
    expect.objectContaining({ operation: 'key-change' }),
    { operation: 'restore', outcome: 'done', detail: JSON.stringify(note), sealed: 1 },
  ]);
  await opened((journal, found) => {
    expect(found).toEqual(rows);
    expect(journal.verify()).toEqual({ rows: 3, assurance: 'tampering', broken: null });
  });
});

test('a restore note has the entry of the latest restore, and an entry without details when modified', async () => {
  await opened(() => {});
  const path = join(folder.path, 'vitrine.db');
  leaveRestoreNote(path, note);
  leaveRestoreNote(path, { ...note, folder: '/backups/other' });
  expect((await opened((_, rows) => rows)).at(-1)).toMatchObject({
    operation: 'restore',
    detail: expect.stringContaining('/backups/other'),
  });
  leaveRestoreNote(path, note);
  const sql = new DatabaseSync(path);
  sql.exec("UPDATE setting SET value = '{' WHERE name = 'restored-from'");
  sql.close();
  expect((await opened((_, rows) => rows)).slice(-2)).toMatchObject([
    { operation: 'restore' },
    { operation: 'restore', detail: '{}' },
  ]);
});

test('a database without settings is left unchanged', async () => {
  const path = join(folder.path, 'vitrine.db');
  new DatabaseSync(path).close();
  leaveRestoreNote(path, note);
  expect(await opened((_, rows) => rows)).toMatchObject([{ operation: 'key-change' }]);
});
