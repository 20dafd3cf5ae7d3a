import { expect, test } from 'vitest';
import { z } from 'zod';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { ScanStore } from '../scans/scan-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { beginScan, noteOf, resultOf, sha256Of } from '../testing/scan.fixture.ts';
import { WatchStore } from './watch-store.ts';

let database: TestDatabase;
let watch: WatchStore;
const reopen = databaseForEachTest((opened) => {
  database = opened;
  watch = new WatchStore(database.db, database.journal);
});

const now = '2030-01-01T00:00:00.000Z';
const file = (number: number, changedMs = 1.5) => ({ path: `file-${number}.exe`, sizeBytes: number, changedMs });
const states = (): Record<string, unknown> =>
  Object.fromEntries(
    watch.listed().files.map(({ path, state, hits }) => [path, hits === null ? state : [state, hits]]),
  );
const draft = (...numbers: number[]): void => {
  watch.note(
    numbers.map((number) => file(number)),
    now,
  );
  watch.setState(
    numbers.map((number) => file(number).path),
    'hashing',
  );
  watch.outcomes.drafted(
    'lab',
    numbers.map((number) => ({ path: file(number).path, sha256: sha256Of(number) })),
  );
};

test('a folder is off until it is turned on, and another one is off again', () => {
  expect(watch.folder()).toBeNull();
  watch.choose('/in');
  watch.turn(true, 'lab');
  watch.setLeftAlone(3);
  watch.choose('/in');
  reopen();
  expect(watch.folder()).toEqual({ path: '/in', workspaceId: 'lab', isOn: true, leftAlone: 3 });
  watch.choose('/other');
  expect(watch.folder()).toEqual({ path: '/other', workspaceId: 'lab', isOn: false, leftAlone: 0 });
});

test('the journal records turning the folder on or off and assigning its files to another workspace', () => {
  watch.choose('/in');
  watch.setLeftAlone(3);
  watch.turn(false, 'lab');
  for (const workspaceId of ['lab', 'lab', 'team']) watch.turn(true, workspaceId);
  watch.turn(false, 'team');
  const row = z.object({ workspace: z.string(), operation: z.string(), outcome: z.string(), detail: z.string() });
  expect(
    database.db
      .query(row, 'SELECT workspace_id AS workspace, operation, outcome, detail FROM journal ORDER BY number')
      .all(),
  ).toEqual([
    { workspace: 'lab', operation: 'watch', outcome: 'on', detail: '{"folder":"/in","leftAlone":3}' },
    { workspace: 'team', operation: 'watch', outcome: 'on', detail: '{"folder":"/in","leftAlone":3}' },
    { workspace: 'team', operation: 'watch', outcome: 'off', detail: '{"folder":"/in"}' },
  ]);
});

test('only unknown or changed files are new', () => {
  watch.choose('/in');
  watch.leaveAlone([file(1)]);
  expect(watch.note([file(1), file(2)], now)).toEqual([file(2)]);
  expect(watch.note([file(1), file(2)], now)).toEqual([]);
  expect(watch.note([file(1, 2.5)], now)).toEqual([file(1, 2.5)]);
  expect(watch.listed()).toMatchObject({
    found: 2,
    files: [{ path: 'file-1.exe', state: 'waiting' }, { path: 'file-2.exe' }],
  });
  expect([...watch.toTakeInSteps()]).toEqual([[file(1, 2.5), file(2)]]);
});

test('earlier files keep their result unless they changed, and waiting ones keep waiting', () => {
  watch.choose('/in');
  draft(1, 2);
  watch.note([file(4), file(5)], now);
  expect(watch.leaveAlone([file(1), file(2, 9), file(3), file(4), file(5, 9)])).toBe(2);
  expect(watch.leaveAlone([file(2, 9), file(3)])).toBe(2);
  expect(states()).toEqual({ 'file-1.exe': 'scanning', 'file-4.exe': 'waiting', 'file-5.exe': 'waiting' });
});

test('the newest two hundred are listed, without cleared ones', () => {
  watch.choose('/in');
  watch.note(
    Array.from({ length: 250 }, (_, index) => file(index + 1)),
    now,
  );
  const { found, files } = watch.listed();
  expect([found, files.length, files[0]?.path]).toEqual([250, 200, 'file-250.exe']);
  watch.clear();
  watch.drop('file-250.exe');
  watch.note([file(300)], now);
  expect(states()).toEqual({ 'file-300.exe': 'waiting' });
});

test('a deleted file is new when it is back, and an unreadable one is not', () => {
  watch.choose('/in');
  watch.note([file(1), file(2)], now);
  watch.leaveOut('file-1.exe', { kind: 'file-gone', name: 'file-1.exe' }, { isGone: true });
  watch.leaveOut('file-2.exe', { kind: 'file-unreadable', name: 'file-2.exe', code: 'EACCES' }, { isGone: false });
  expect(watch.note([file(1), file(2)], now)).toEqual([file(1)]);
});

test('contents are known by workspace', () => {
  watch.choose('/in');
  draft(1);
  expect(watch.outcomes.known('lab', [sha256Of(1), sha256Of(2)])).toEqual(new Set([sha256Of(1)]));
  expect(watch.outcomes.known('team', [sha256Of(1)])).toEqual(new Set());
});

test('the result of a file does not overwrite one changed meanwhile', () => {
  watch.choose('/in');
  watch.note([file(1)], now);
  watch.setState(['file-1.exe'], 'hashing');
  watch.note([file(1, 7)], now);
  watch.outcomes.drafted('lab', [{ path: 'file-1.exe', sha256: sha256Of(1) }]);
  expect(states()).toEqual({ 'file-1.exe': 'waiting' });
});

test('a drafted file is pending until a job scans it or a reason not to is stored', () => {
  watch.choose('/in');
  draft(1, 2, 3);
  expect(watch.outcomes.toScan('')).toEqual([file(1), file(2), file(3)]);
  watch.outcomes.scanning(['file-1.exe'], 7);
  watch.outcomes.notScanned(['file-1.exe', 'file-2.exe'], { kind: 'no-active-rules' });
  reopen();
  expect(states()).toEqual({ 'file-1.exe': 'scanning', 'file-2.exe': 'drafted', 'file-3.exe': 'scanning' });
  expect([watch.outcomes.toScan(''), watch.outcomes.toScan('file-3.exe')]).toEqual([[file(3)], []]);
});

test('the reason for a wait is shown until the file is read again', () => {
  watch.choose('/in');
  watch.note([file(1)], now);
  watch.setState(['file-1.exe'], 'hashing');
  const failure = { kind: 'file-unreadable', name: 'file-1.exe', code: 'EBUSY' } as const;
  watch.waitOn('file-1.exe', failure);
  expect([watch.listed().files[0], watch.isToTake('file-1.exe')]).toMatchObject([{ state: 'waiting', failure }, true]);
  watch.setState(['file-1.exe'], 'hashing');
  expect(watch.listed().files[0]).toMatchObject({ state: 'hashing', failure: null });
});

test('the scan result, or the failure reason, is adopted at the end of the scan', () => {
  const [jobs, scans] = [new SqliteJobStore(database.db), new ScanStore(database.db)];
  watch.choose('/in');
  draft(1, 2, 3, 4);
  const job = beginScan(jobs, 'scan', 3);
  watch.outcomes.scanning(
    [1, 2, 3, 4].map((number) => file(number).path),
    job,
  );
  expect(states()['file-1.exe']).toBe('scanning');
  const tooLarge = { kind: 'scan-too-large', name: 'file-3.exe', sizeBytes: 30, limitBytes: 20 } as const;
  scans.record(job, [
    noteOf(1, resultOf('local', ['one', 'two'])),
    noteOf(2, resultOf('local', [])),
    noteOf(3, resultOf('local', [], { state: 'failed', failure: tooLarge })),
  ]);
  reopen();
  expect(watch.outcomes.scanJobs()).toEqual([job]);
  expect(watch.outcomes.scanned(job)).toEqual({ files: 4, hits: 1 });
  expect(states()).toEqual({
    'file-1.exe': ['drafted', 2],
    'file-2.exe': ['drafted', 0],
    'file-3.exe': 'drafted',
    'file-4.exe': 'drafted',
  });
  expect(watch.listed().files.find(({ path }) => path === 'file-3.exe')?.failure).toEqual(tooLarge);
  expect(watch.outcomes.scanned(job)).toEqual({ files: 0, hits: 0 });
});

test('records of seen files are forgotten in steps', () => {
  watch.choose('/in');
  draft(1);
  watch.note(
    Array.from({ length: 2100 }, (_, index) => file(index + 10)),
    now,
  );
  expect([...watch.forgetInSteps()]).toHaveLength(1);
  expect(watch.listed()).toEqual({ found: 0, files: [] });
});
