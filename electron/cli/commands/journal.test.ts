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
  ['tampering', 0, 'Journal intact: 4 entries. Detects tampering.'],
  [
    'accidents-only',
    0,
    'Journal intact: 4 entries. Detects accidental damage only, because the key is stored next to the journal.',
  ],
  [
    'locked',
    4,
    'Journal intact: 4 entries. Not checked for tampering: the key is in the token store, which is locked.',
  ],
  ['key-missing', 4, 'Journal intact: 4 entries. Not checked for tampering: the key is missing from the token store.'],
] as const)(
  'journal verify of an unbroken chain reports its assurance by exit code and message: %s',
  async (assurance, code, line) => {
    expect(await verified({ rows: 4, assurance, broken: null })).toMatchObject({ code, lines: [line] });
  },
);

test('journal verify fails for a broken chain, even when the key is locked', async () => {
  expect(await verified({ rows: 4, assurance: 'locked', broken: { reason: 'edited', number: 2 } })).toMatchObject({
    code: 1,
    lines: ['Journal broken: entry 2 was modified.'],
  });
});

test.each([
  [5, 'Journal broken: entry 5 was added after the sealed end.'],
  [-5, 'Journal broken: an entry was added under an impossible number.'],
  [Number.MAX_SAFE_INTEGER, 'Journal broken: an entry was added under an impossible number.'],
])('journal verify names an added row by its number, if that is a valid one: %d', async (number, line) => {
  expect(await verified({ rows: 4, assurance: 'tampering', broken: { reason: 'added', number } })).toMatchObject({
    code: 1,
    lines: [line],
  });
});

test('journal verify reports a replaced key and names no row', async () => {
  expect(
    (await verified({ rows: 4, assurance: 'tampering', broken: { reason: 'key-replaced', number: null } })).lines,
  ).toEqual(['Journal broken: its key in the database was replaced, so no entry could be checked.']);
});

test('a journal list of many pages ends at its first row’s number, whatever is added meanwhile', async () => {
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

test('journal times are in UTC, as on the page, in any time zone', async () => {
  const run = await listed('--from', '2026-01-31 10:00', '--before', '2026-02-01');
  expect(run.inputsOf('journal.list')).toMatchObject([
    { filter: { from: '2026-01-31T10:00:00.000Z', before: '2026-02-01T00:00:00.000Z' } },
  ]);
});

test.each(['2026-02-30', '2026-13-01', '2026-01-31T10:00:00+02:00', '1', 'yesterday'])(
  '%s is refused as a time',
  async (typed) => {
    const run = await listed('--from', typed);
    expect(run.code).toBe(2);
    expect(run.asked.filter(({ name }) => name === 'journal.list')).toEqual([]);
  },
);

test('journal list reports an empty range on stderr, and refuses one that ends before it begins', async () => {
  expect(await listed('--find', 'zzz')).toMatchObject({ code: 0, lines: [], said: ['0 entries'] });
  expect(await listed('--find', 'zzz', '--json')).toMatchObject({ code: 0, json: [], said: [] });
  const { code, asked, said } = await listed('--from', '2026-02-01', '--before', '2026-01-31');
  expect([code, asked, said[0]]).toEqual([2, [], 'vitrine journal: --from is later than --before.']);
});
