import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { openDatabase } from '../database/database.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { durableKeyFrom, endMacOf, linkOf, newDurableKey, startLink } from './journal-chain.ts';
import { selectEnd, selectRows, type StoredJournalRow } from './journal-rows.ts';

let database: TestDatabase;
const reopen = databaseForEachTest((opened) => {
  database = opened;
});

const hash = 'a'.repeat(32);
const durable = durableKeyFrom(Buffer.alloc(32, 7));
const look = (outcome = 'found', hashLookedUp = hash): unknown =>
  database.journal.append({ workspaceId: 'lab', operation: 'look-up', hash: hashLookedUp, outcome });
const lookTimes = (count: number): void => {
  for (let index = 0; index < count; index += 1) look(`found-${index}`);
};
const tamper = (sql: string): void => database.db.sql.exec(sql);
const broken = (): unknown => database.journal.verify().broken;
const rows = (): StoredJournalRow[] => selectRows(database.db, 'ORDER BY journal.number').all();

/**
 * What an attacker can do who reads the database's key and the source: link every row again and move that key's end.
 */
function linkAgain(): void {
  const key = database.keys.database;
  let link: Uint8Array = startLink;
  const relink = database.db.command('UPDATE journal SET link = ? WHERE number = ?');
  for (const row of rows()) relink.run((link = linkOf(key, link, row)), row.number);
  const end = { keyId: 'database', count: rows().length, link };
  database.db
    .command('UPDATE journal_end SET count = ?, link = ?, mac = ? WHERE key_id = ?')
    .run(end.count, link, endMacOf(key, end), 'database');
}

test('rows are numbered, dated in UTC, and read back newest first by any hash', () => {
  look('unknown-hash');
  look('found', 'b'.repeat(32));
  const row = database.journal.append({
    workspaceId: null,
    operation: 'export',
    hash: 'c'.repeat(64),
    outcome: 'done',
    detail: { to: 'folder', size: 3, whole: true, none: null },
  });
  expect(row).toMatchObject({ number: 3, detail: { to: 'folder', size: 3, whole: true, none: null } });
  expect(row.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(database.journal.forHash([hash, 'c'.repeat(64)], 10)).toEqual([
    row,
    expect.objectContaining({ number: 1, outcome: 'unknown-hash' }),
  ]);
  expect(database.journal.forHash([hash, 'c'.repeat(64)], 1)).toEqual([row]);
  expect(database.journal.forHash([], 10)).toEqual([]);
});

test('an empty journal and one continued after a restart are valid', () => {
  expect(database.journal.verify()).toEqual({ rows: 0, assurance: 'accidents-only', broken: null });
  lookTimes(2);
  reopen();
  lookTimes(2);
  expect(database.journal.verify()).toEqual({ rows: 4, assurance: 'accidents-only', broken: null });
});

test('a row appended in a failed transaction is undone with it, and the chain stays valid', () => {
  look();
  expect(() =>
    database.db.transaction(() => {
      look('never');
      throw new Error('no');
    }),
  ).toThrow('no');
  look();
  expect(database.journal.verify()).toMatchObject({ rows: 2, broken: null });
});

test.each([
  ["UPDATE journal SET outcome = 'done' WHERE number = 3", { number: 3, reason: 'edited' }],
  ["UPDATE journal SET time = '2020-01-01T00:00:00.000Z' WHERE number = 1", { number: 1, reason: 'edited' }],
  ['UPDATE journal SET workspace_id = NULL WHERE number = 2', { number: 2, reason: 'edited' }],
  ['UPDATE journal SET detail = \'{"a":1}\' WHERE number = 4', { number: 4, reason: 'edited' }],
  ["UPDATE journal SET operation = 'nonsense', detail = 'no JSON' WHERE number = 4", { number: 4, reason: 'edited' }],
  ['DELETE FROM journal WHERE number = 2', { number: 2, reason: 'removed', count: 1 }],
  ['DELETE FROM journal WHERE number IN (2, 3, 4)', { number: 2, reason: 'removed', count: 3 }],
  ['DELETE FROM journal WHERE number = 1', { number: 1, reason: 'removed', count: 1 }],
  [
    'DELETE FROM journal WHERE number = 2; UPDATE journal SET number = number - 1 WHERE number > 2',
    { number: 2, reason: 'edited' },
  ],
  [
    `UPDATE journal SET number = 99 WHERE number = 2; UPDATE journal SET number = 2 WHERE number = 3; UPDATE journal
      SET number = 3 WHERE number = 99`,
    { number: 2, reason: 'edited' },
  ],
  ['UPDATE journal SET number = 1 << 60 WHERE number = 5', { number: 5, reason: 'removed', count: 1 }],
  ['UPDATE journal SET number = 0 WHERE number = 3', { number: 0, reason: 'added' }],
  ['UPDATE journal SET number = -(1 << 60) WHERE number = 3', { number: Number.MIN_SAFE_INTEGER, reason: 'added' }],
  ['DELETE FROM journal WHERE number = 5', { number: 5, reason: 'cut-off', were: 5 }],
  ['DELETE FROM journal WHERE number > 2', { number: 3, reason: 'cut-off', were: 5 }],
  ['UPDATE journal_end SET count = 1 << 60', { number: null, reason: 'end-edited' }],
  ['DELETE FROM journal', { number: 1, reason: 'cut-off', were: 5 }],
  ["DELETE FROM journal_end WHERE key_id = 'database'", { number: null, reason: 'end-missing' }],
  ['UPDATE journal_end SET count = 4; DELETE FROM journal WHERE number = 5', { number: null, reason: 'end-edited' }],
  [
    `INSERT INTO journal SELECT 6, time, workspace_id, operation, hash, outcome, detail, link, sealed_by, seal
      FROM journal WHERE number = 5`,
    { number: 6, reason: 'added' },
  ],
])('the check finds %s', (sql, expected) => {
  lookTimes(5);
  expect(broken()).toBeNull();
  tamper(sql);
  expect(broken()).toEqual(expected);
  look();
  expect(broken()).not.toBeNull();
});

const furthest = (number: bigint): string =>
  `INSERT INTO journal SELECT ${number}, time, workspace_id, operation, hash, outcome, detail, link, sealed_by, seal
    FROM journal WHERE number = 5`;

test.each([
  ['UPDATE journal SET number = 9223372036854775807 WHERE number = 5', { number: 5, reason: 'removed', count: 1 }],
  ['UPDATE journal SET number = 9007199254740990 WHERE number = 5', { number: 5, reason: 'removed', count: 1 }],
  ['UPDATE journal SET number = 9223372036854775807 WHERE number = 2', { number: 2, reason: 'removed', count: 1 }],
  [furthest(2n ** 63n - 1n), { number: Number.MAX_SAFE_INTEGER, reason: 'added' }],
  [furthest(2n ** 53n - 1n), { number: Number.MAX_SAFE_INTEGER, reason: 'added' }],
  [furthest(2n ** 52n), { number: 2 ** 52, reason: 'added' }],
  [
    `${furthest(2n ** 52n)}; ${furthest(2n ** 52n + 1n)}; ${furthest(2n ** 52n + 3n)}`,
    { number: 2 ** 52, reason: 'added' },
  ],
  [
    'UPDATE journal_end SET count = 7; UPDATE journal SET number = 9223372036854775807 WHERE number = 5',
    { number: Number.MAX_SAFE_INTEGER, reason: 'added' },
  ],
])('%s does not stop the journal from appending rows', (sql, expected) => {
  lookTimes(5);
  tamper(sql);
  for (const count of [1, 2, 3])
    database.journal.appendAll(
      Array.from({ length: count }, () => ({ workspaceId: 'lab', operation: 'scan', hash: null, outcome: 'done' })),
    );
  expect(broken()).toEqual(expected);
  expect(rows()).toHaveLength(sql.startsWith('INSERT') ? 11 + sql.split('INSERT').length - 1 : 11);
});

describe.each([
  ['the database’s key', null],
  ['a durable key', durable],
])('truncation followed by more rows, with %s', (_, key) => {
  test.each([
    ['DELETE FROM journal WHERE number = 5', { number: 5, reason: 'removed', count: 1 }],
    ['DELETE FROM journal WHERE number > 2', { number: 3, reason: 'removed', count: 3 }],
    ['DELETE FROM journal', { number: 1, reason: 'removed', count: 5 }],
  ])('is found: %s', (sql, expected) => {
    if (key) database.journal.useDurableKey(key, true);
    lookTimes(key ? 4 : 5);
    tamper(sql);
    expect(broken()).toEqual({ number: expected.number, reason: 'cut-off', were: 5 });
    for (let more = 1; more <= 3; more += 1) {
      look();
      expect(broken()).toEqual(expected);
    }
    reopen();
    look();
    expect(broken()).toEqual(expected);
    if (key) database.journal.useDurableKey(key, false);
    look();
    expect(broken()).toEqual(expected);
  });
});

test('values of invalid column types are found as edits', () => {
  lookTimes(3);
  tamper(
    `CREATE TABLE loose AS SELECT * FROM journal; DROP TABLE journal; ALTER TABLE loose RENAME TO journal;
      UPDATE journal SET link = 'text', outcome = 7, detail = NULL WHERE number = 2`,
  );
  expect(broken()).toEqual({ number: 2, reason: 'edited' });
  expect(database.journal.forHash([hash], 10).map(({ number }) => number)).toEqual([3, 1]);
});

test('a row made unreadable is left out of the history and does not break it', () => {
  lookTimes(2);
  tamper("UPDATE journal SET operation = 'nonsense' WHERE number = 2");
  expect(database.journal.forHash([hash], 10).map(({ number }) => number)).toEqual([1]);
});

test('a truncated row is still found after further rows and a restart', () => {
  lookTimes(5);
  tamper('DELETE FROM journal WHERE number = 5');
  reopen();
  lookTimes(3);
  expect(broken()).toEqual({ number: 5, reason: 'removed', count: 1 });
});

test('without a durable key, an expert can relink the chain, so the journal claims to find accidents only', () => {
  lookTimes(5);
  tamper("UPDATE journal SET outcome = 'changed' WHERE number = 2");
  linkAgain();
  expect(database.journal.verify()).toEqual({ rows: 5, assurance: 'accidents-only', broken: null });
});

test.each([
  ["UPDATE journal SET outcome = 'changed' WHERE number = 3", { number: 3, reason: 'edited' }],
  [
    'DELETE FROM journal WHERE number = 3; UPDATE journal SET number = number - 1 WHERE number > 3',
    { number: 3, reason: 'edited' },
  ],
  ['DELETE FROM journal WHERE number = 6', { number: 6, reason: 'cut-off', were: 6 }],
  [
    "UPDATE journal SET outcome = 'changed', sealed_by = NULL, seal = NULL WHERE number = 6",
    { number: 6, reason: 'edited' },
  ],
  ['UPDATE journal SET sealed_by = NULL, seal = NULL WHERE number = 4', { number: 4, reason: 'edited' }],
  ['UPDATE journal SET seal = zeroblob(32) WHERE number = 4', { number: 4, reason: 'edited' }],
  [
    "UPDATE journal SET sealed_by = 'another-key'; UPDATE journal SET outcome = 'changed' WHERE number = 3",
    { number: 1, reason: 'edited' },
  ],
  ["UPDATE journal SET sealed_by = 'another-key' WHERE number = 4", { number: 4, reason: 'edited' }],
  ['UPDATE journal SET sealed_by = NULL WHERE number = 6', { number: 6, reason: 'edited' }],
  ["DELETE FROM journal_end WHERE key_id <> 'database'", { number: null, reason: 'end-missing' }],
  [
    "DELETE FROM journal_end WHERE key_id <> 'database'; UPDATE journal SET sealed_by = NULL, seal = NULL",
    { number: null, reason: 'end-missing' },
  ],
  [
    `INSERT INTO journal SELECT 7, time, workspace_id, operation, hash, outcome, detail, link, sealed_by, seal
      FROM journal WHERE number = 6`,
    { number: 7, reason: 'added' },
  ],
])('with a durable key, %s is found even when the whole chain is relinked', (sql, expected) => {
  database.journal.useDurableKey(durable, true);
  lookTimes(5);
  expect(database.journal.verify()).toEqual({ rows: 6, assurance: 'tampering', broken: null });
  tamper(sql);
  linkAgain();
  expect(broken()).toEqual(expected);
  look();
  expect(broken()).not.toBeNull();
});

test.each([
  ['the database’s key', null],
  ['a durable key', durable],
])('the journal names a replaced database key, and no row, with %s', (_, key) => {
  if (key) database.journal.useDurableKey(key, true);
  lookTimes(3);
  tamper('UPDATE journal_key SET bytes = zeroblob(32)');
  reopen();
  if (key) database.journal.useDurableKey(key, false);
  expect(broken()).toEqual({ number: null, reason: 'key-replaced' });
  look();
  expect(broken()).toEqual({ number: null, reason: 'key-replaced' });
});

test('rows cut off while Vitrine was closed are found although it appended more', () => {
  database.journal.useDurableKey(durable, true);
  lookTimes(5);
  tamper('DELETE FROM journal WHERE number > 3');
  linkAgain();
  reopen();
  database.journal.useDurableKey(durable, false);
  lookTimes(4);
  expect(broken()).toEqual({ number: 4, reason: 'removed', count: 3 });
});

test('rows cut off while the token store was locked are found once it is open', () => {
  database.journal.useDurableKey(durable, true);
  lookTimes(5);
  tamper('DELETE FROM journal WHERE number > 3');
  linkAgain();
  reopen();
  lookTimes(4);
  expect(database.journal.verify()).toMatchObject({ assurance: 'key-missing', broken: null });
  database.journal.loseDurableKey('locked');
  expect(database.journal.verify()).toMatchObject({ assurance: 'locked', broken: null });
  database.journal.useDurableKey(durable, false);
  expect(database.journal.verify()).toMatchObject({
    assurance: 'tampering',
    broken: { number: 6, reason: 'rewritten' },
  });
});

test('a key added, removed and restored leaves key-change rows and verifies rows written without it', () => {
  look();
  database.journal.useDurableKey(durable, true);
  look();
  reopen();
  look();
  look();
  database.journal.useDurableKey(durable, false);
  expect(rows().map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
    'look-up found',
    'key-change durable',
    'look-up found',
    'key-change database',
    'look-up found',
    'look-up found',
    'key-change durable',
  ]);
  expect(database.journal.verify()).toEqual({ rows: 7, assurance: 'tampering', broken: null });
  tamper("UPDATE journal SET outcome = 'changed' WHERE number = 5");
  linkAgain();
  expect(broken()).toEqual({ number: 7, reason: 'rewritten' });
});

test('a start with the existing key writes no key-change row', () => {
  database.journal.useDurableKey(durable, true);
  reopen();
  database.journal.useDurableKey(durable, false);
  look();
  expect(rows()).toHaveLength(2);
});

test('a lost key is reported by the remaining evidence, and a new one seals the existing rows', () => {
  database.journal.useDurableKey(durable, true);
  look();
  reopen();
  expect(database.journal.verify()).toEqual({ rows: 2, assurance: 'key-missing', broken: null });
  database.journal.useDurableKey(newDurableKey(), true);
  expect(database.journal.verify()).toEqual({ rows: 3, assurance: 'key-missing', broken: null });
});

test.each(["DELETE FROM journal_end WHERE key_id <> 'database'", 'UPDATE journal SET sealed_by = NULL'])(
  'an unavailable key is reported as missing also after %s',
  (sql) => {
    database.journal.useDurableKey(durable, true);
    look();
    reopen();
    tamper(sql);
    expect(database.journal.verify()).toEqual({ rows: 2, assurance: 'key-missing', broken: null });
  },
);

test('a key whose journal was deleted reports this', () => {
  database.journal.useDurableKey(durable, true);
  lookTimes(3);
  reopen((folder) => {
    for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `vitrine.db${ending}`), { force: true });
  });
  database.journal.useDurableKey(durable, false);
  expect(database.journal.verify()).toMatchObject({
    assurance: 'tampering',
    broken: { number: null, reason: 'end-missing' },
  });
});

test('a key that could not be activated is not used', () => {
  const pages = database.db.sql.prepare('PRAGMA page_count').get()?.page_count;
  lookTimes(3);
  database.db.sql.exec(`PRAGMA max_page_count = ${String(pages)}`);
  expect(() => {
    for (let index = 0; index < 500; index += 1) database.journal.useDurableKey(newDurableKey(), true);
  }).toThrow(expect.objectContaining({ failure: expect.objectContaining({ kind: 'disk-full' }) }));
  database.db.sql.exec('PRAGMA max_page_count = 100000');
  expect(database.journal.verify().broken).toBeNull();
  look();
  expect(database.journal.verify().broken).toBeNull();
});

test('the journal accepts any text and the chain stays valid', () => {
  database.journal.useDurableKey(durable, true);
  fc.assert(
    fc.property(
      fc.string({ unit: anyUnit }),
      fc.dictionary(fc.string({ unit: anyUnit }), fc.oneof(fc.string({ unit: anyUnit }), fc.double(), fc.boolean())),
      (outcome, detail) => {
        look(outcome);
        database.journal.append({ workspaceId: 'lab', operation: 'scan', hash: null, outcome: '\ud800', detail });
      },
    ),
    { numRuns: 100 },
  );
  expect(broken()).toBeNull();
});

test('the end marker moves with each row, and its check needs no other file', () => {
  lookTimes(3);
  reopen((folder) => {
    const db = openDatabase(folder);
    expect(selectEnd(db).get('database')?.count).toBe(3);
    db.close();
  });
});
