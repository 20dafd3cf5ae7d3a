import { expect, test } from 'vitest';
import type { JournalVerification } from '../../../shared/domain/journal.ts';
import { type MemoryRun, runInMemory } from '../memory-run.fixture.ts';

const verified = (verification: JournalVerification): Promise<MemoryRun> =>
  runInMemory(['journal', 'verify'], () => ({ answers: { 'journal.verify': () => verification } }));
const listed = (...args: string[]): Promise<MemoryRun> =>
  runInMemory(['journal', ...args], () => ({
    answers: { 'journal.list': () => ({ lines: [], total: 0, newest: null, newer: 0 }) },
  }));

test.each([
  ['tampering', 0, '4 rows, and the chain holds, against tampering'],
  ['accidents-only', 0, '4 rows, and the chain holds, against accidents alone: its key lies beside it'],
  [
    'locked',
    4,
    '4 rows, and not checked against tampering: the token store is locked, and the key that sealed them is in it',
  ],
  [
    'key-missing',
    4,
    '4 rows, and not checked against tampering: the token store does not have the key that sealed them',
  ],
] as const)('what a chain without a break proves is its exit code and its words: %s', async (assurance, code, line) => {
  expect(await verified({ rows: 4, assurance, broken: null })).toMatchObject({ code, lines: [line] });
});

test('a break is a failure, whichever key is at hand', async () => {
  expect(await verified({ rows: 4, assurance: 'locked', broken: { reason: 'edited', number: 2 } })).toMatchObject({
    code: 1,
    lines: ['broken: row 2 is not what was written'],
  });
});

test.each([
  [5, 'broken: row 5 came after the sealed end'],
  [-5, 'broken: a row was added under a number that no row gets'],
  [Number.MAX_SAFE_INTEGER, 'broken: a row was added under a number that no row gets'],
])('a row that was added is named by its number, if that can be one: %d', async (number, line) => {
  expect(await verified({ rows: 4, assurance: 'tampering', broken: { reason: 'added', number } })).toMatchObject({
    code: 1,
    lines: [line],
  });
});

test('a key that is not the journal’s is told as that, and no row is blamed', async () => {
  expect(
    (await verified({ rows: 4, assurance: 'tampering', broken: { reason: 'key-replaced', number: null } })).lines,
  ).toEqual([
    'broken: the key in the database is not the one that rows and end were linked with: none of them could be checked',
  ]);
});

test('a list of many pages is up to its first row, whatever comes meanwhile', async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => ({ number: 3000 - index, row: null }));
  const run = await runInMemory(['journal', '--limit', '1500'], () => ({
    answers: { 'journal.list': ({ limit }) => ({ lines: lines(limit), total: 3000, newest: 3000, newer: 0 }) },
  }));
  expect(run.inputsOf('journal.list')).toMatchObject([
    { offset: 0, limit: 1000 },
    { upTo: 3000, offset: 1000, limit: 500 },
  ]);
  expect(run.lines).toHaveLength(1500);
});

test('times are in UTC, as on the page, wherever the desk stands', async () => {
  const run = await listed('--from', '2026-01-31 10:00', '--before', '2026-02-01');
  expect(run.inputsOf('journal.list')).toMatchObject([
    { filter: { from: '2026-01-31T10:00:00.000Z', before: '2026-02-01T00:00:00.000Z' } },
  ]);
});

test.each(['2026-02-30', '2026-13-01', '2026-01-31T10:00:00+02:00', '1', 'yesterday'])(
  '%s is no time',
  async (typed) => {
    const run = await listed('--from', typed);
    expect(run.code).toBe(2);
    expect(run.asked.filter(({ name }) => name === 'journal.list')).toEqual([]);
  },
);
