import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SecretsState } from '../../../shared/domain/host.ts';
import { type Failure, FailureError } from '../../../shared/failure.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import { openTokenStore, type TokenStore } from '../tokens/token-store.ts';
import { openJournal } from './journal-opening.ts';

let folder: TestFolder;
let db: Database;
const reported: unknown[] = [];
beforeEach(() => {
  folder = makeTestFolder();
  db = openDatabase(folder.path);
  reported.length = 0;
});
afterEach(() => {
  db.close();
  folder.remove();
});

const report = (error: unknown): void => void reported.push(error);

/** Opens for anyone: a substitute for a keychain that works. */
const keychain = {
  backend: 'test',
  seal: async (text: string) => Buffer.from(text).reverse(),
  open: async (sealed: Uint8Array) => ({ text: Buffer.from(sealed).reverse().toString(), shouldReseal: false }),
};

/** A key of the usual rounds takes a third of a second. */
const rounds = 2 ** 10;
const withoutKeychain = (): Promise<TokenStore> => openTokenStore({ directory: folder.path, keychain: null, rounds });

/** A token store in the state that the test gives. */
function storeIn(state: SecretsState, failure: Failure | null = null) {
  const refuse = (): void => {
    if (failure) throw new FailureError(failure);
  };
  return {
    state: () => state,
    get: async () => (refuse(), null),
    set: async () => refuse(),
    onChange: () => () => true,
  };
}

test('the journal creates the key once in a keychain, keeps it there, and proves tampering from then on', async () => {
  const tokens = await openTokenStore({ directory: folder.path, keychain });
  await openJournal(db, tokens, report);
  const again = await openJournal(db, await openTokenStore({ directory: folder.path, keychain }), report);
  expect(again.verify()).toEqual({ rows: 1, assurance: 'tampering', broken: null });
  expect(tokens.names()).toEqual(['journal-key']);
  expect(reported).toEqual([]);
});

test('the journal has no durable key in memory until a passphrase makes the store durable', async () => {
  const tokens = await withoutKeychain();
  const journal = await openJournal(db, tokens, report);
  journal.append({ workspaceId: null, operation: 'export', hash: null, outcome: 'done' });
  expect(journal.verify()).toEqual({ rows: 1, assurance: 'accidents-only', broken: null });
  await tokens.create('a passphrase');
  // The key is stored after the passphrase; a `get` that waits its turn runs after that.
  while (!tokens.names().includes('journal-key')) await tokens.get('anything');
  expect(journal.verify()).toEqual({ rows: 2, assurance: 'tampering', broken: null });

  const locked = await withoutKeychain();
  const later = await openJournal(db, locked, report);
  expect(later.verify()).toEqual({ rows: 2, assurance: 'locked', broken: null });
  expect(reported).toEqual([]);
});

test('a key forgotten with the tokens is replaced, and entries it sealed are not reported as proven', async () => {
  const first = await withoutKeychain();
  await first.create('a passphrase');
  await openJournal(db, first, report);
  const locked = await withoutKeychain();
  const journal = await openJournal(db, locked, report);
  journal.append({ workspaceId: null, operation: 'export', hash: null, outcome: 'done' });
  await locked.forget();
  await locked.create('another passphrase');
  while (!locked.names().includes('journal-key')) await locked.get('anything');
  expect(journal.verify()).toEqual({ rows: 4, assurance: 'key-missing', broken: null });
  expect(reported).toEqual([]);
});

test('a keychain that refuses costs the seal, not the journal, and is reported', async () => {
  const failure: Failure = { kind: 'keychain-failed', backend: 'test' };
  const journal = await openJournal(
    db,
    storeIn({ store: 'keychain', state: 'open', backend: 'test' }, failure),
    report,
  );
  journal.append({ workspaceId: null, operation: 'export', hash: null, outcome: 'done' });
  expect(journal.verify()).toEqual({ rows: 1, assurance: 'accidents-only', broken: null });
  expect(reported).toEqual([new FailureError(failure)]);
});

test('a key that the store did not keep is not used', async () => {
  const refusing = {
    ...storeIn({ store: 'keychain', state: 'open', backend: 'test' }),
    set: () => Promise.reject(new FailureError({ kind: 'disk-full', path: 'x' })),
  };
  const journal = await openJournal(db, refusing, report);
  journal.append({ workspaceId: null, operation: 'export', hash: null, outcome: 'done' });
  expect(journal.verify()).toEqual({ rows: 3, assurance: 'key-missing', broken: null });
  expect(reported).toHaveLength(1);
});

test('removing an entry from the token file does not let a relinked journal prove itself', async () => {
  const tokens = await openTokenStore({ directory: folder.path, keychain });
  const journal = await openJournal(db, tokens, report);
  journal.append({ workspaceId: null, operation: 'export', hash: null, outcome: 'done' });
  await tokens.delete('journal-key');
  const again = await openJournal(db, await openTokenStore({ directory: folder.path, keychain }), report);
  expect(again.verify()).toEqual({ rows: 3, assurance: 'key-missing', broken: null });
});

test.each([
  ['DELETE FROM journal_key', 'JOURNAL_KEY'],
  ['DELETE FROM journal_key; DELETE FROM journal_end', 'JOURNAL_KEY'],
  ['DROP TABLE journal_end', 'JOURNAL_TABLES'],
  ['DROP TABLE journal_key', 'JOURNAL_TABLES'],
  ['DROP TABLE journal', 'JOURNAL_TABLES'],
])('after %s the data is damaged', async (sql, code) => {
  const store = storeIn({ store: 'memory', state: 'open', backend: null });
  (await openJournal(db, store, report)).append({
    workspaceId: null,
    operation: 'export',
    hash: null,
    outcome: 'done',
  });
  db.sql.exec(sql);
  await expect(openJournal(db, store, report)).rejects.toMatchObject({
    failure: { kind: 'data-damaged', path: db.path, code },
  });
});
