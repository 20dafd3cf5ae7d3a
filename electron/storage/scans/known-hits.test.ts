import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { everyResult, type KnownBesides, type KnownRules } from '../../../shared/domain/scan.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { LibraryStore } from '../library/library-store.ts';
import { migrate, migrations, versionOf } from '../migrations/migrations.ts';
import { readingsOf } from '../reading/reading-answers.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { beginScan, noteOf, resultOf, scanFile, scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { MuteStore } from './mute-store.ts';
import { forgetScansOf } from './sample-hits.ts';
import { ScanStore } from './scan-store.ts';

let database: TestDatabase;
let jobs: SqliteJobStore;
let scans: ScanStore;
databaseForEachTest((opened) => {
  database = opened;
  jobs = new SqliteJobStore(database.db);
  scans = new ScanStore(database.db);
});

const now = '2030-01-01T00:00:00.000Z';
const by = (version: string) => ({ package: { sha256: null, version, rules: 9 } });
/** A scan of file 1. */
function scan(side: 'local' | 'service', rules: readonly string[], version = '1.3'): number {
  const id = beginScan(jobs, 'scan', 1);
  scans.addFiles(id, [scanFile(1)]);
  jobs.settle(id, [{ position: 1, state: 'done' }]);
  scans.record(id, [noteOf(1, resultOf(side, rules, by(version)))]);
  return id;
}
/** As the view of the file and the list of files have it: they say the same. */
function knownIn(jobId: number): KnownBesides | null {
  const readings = readingsOf(database.db.path);
  const file = readings.file({ jobId, position: 1, now });
  const [group] = readings.groups({ jobId, now, by: 'file', filter: everyResult, offset: 0, limit: 9 }).groups;
  if (group?.by !== 'file') throw new TypeError(group?.by);
  if (group.hits === 0) expect(group.known).toEqual(file.known);
  return file.known;
}
const none: KnownRules = { count: 0, rules: [], side: null, versions: [] };
const nothing: KnownBesides = { hits: none, older: none, severity: null, threat: null };

test('a scan without hits includes older hits of the same rules and the version that found them', () => {
  scan('local', ['B', 'A'], '1.2');
  expect(knownIn(scan('local', []))).toEqual({
    ...nothing,
    older: { count: 2, rules: ['A', 'B'], side: 'local', versions: ['1.2'] },
  });
  expect(knownIn(scan('local', ['A']))).toEqual({
    ...nothing,
    older: { count: 1, rules: ['B'], side: 'local', versions: ['1.2'] },
  });
});

test('an older hit that is found again is no older hit', () => {
  scan('local', ['A'], '1.2');
  scan('local', []);
  const found = scan('local', ['A']);
  expect([knownIn(found), scans.knownBesides(sha256Of(1), scans.hitsOf('lab', sha256Of(1)))]).toEqual([null, null]);
});

test('a scan without hits includes hits of the rule editor, of another workspace and of a later scan', () => {
  const first = scan('local', []);
  expect(knownIn(first)).toBeNull();
  scan('service', ['Theirs']);
  expect(knownIn(first)).toEqual({
    ...nothing,
    hits: { count: 1, rules: ['Theirs'], side: 'service', versions: ['1.3'] },
  });
  const other = jobs.create({
    task: { kind: 'scan', engines: 'local', local: 'wasm', package: null, name: null },
    workspaceId: 'w-1',
    created: now,
  });
  jobs.add(other, [{ hash: sha256Of(1), md5: null }]);
  scans.record(other, [noteOf(1, resultOf('local', ['Other', 'Ours', 'More'], by('7')))]);
  expect(knownIn(first)?.hits).toEqual({
    count: 4,
    rules: ['More', 'Other', 'Ours'],
    side: null,
    versions: ['7', '1.3'],
  });
});

test('rules that a hunt reports as lost are not repeated as older hits', () => {
  scan('local', ['A', 'B'], '1.2');
  const hunt = beginScan(jobs, 'hunt', 1);
  scans.record(hunt, [noteOf(1, resultOf('local', []), new Set(['A']))]);
  expect(knownIn(hunt)).toEqual({ ...nothing, hits: { count: 1, rules: ['B'], side: 'local', versions: ['1.2'] } });
  expect(knownIn(scan('local', []))?.older.rules).toEqual(['A', 'B']);
});

test('hits of rules that are no longer in the package are older hits', () => {
  scan('local', ['A'], '1.2');
  const hunt = beginScan(jobs, 'hunt', 2);
  for (const _ of scans.loseRulesInSteps(hunt, 'lab', ['A'])) continue;
  expect(scans.knownBesides(sha256Of(1), [])).toEqual({
    ...nothing,
    older: { count: 1, rules: ['A'], side: 'local', versions: ['1.2'] },
  });
});

test('a muted rule is not among the known hits', () => {
  scan('local', ['A', 'B']);
  scan('service', ['C']);
  const last = scan('local', []);
  const mutes = new MuteStore(database.db, database.journal);
  for (const rule of ['A', 'C'])
    mutes.add({ workspaceId: 'lab', rule, sample: null, reason: 'noise', expires: null }, null);
  expect(knownIn(last)).toEqual({ ...nothing, older: { count: 1, rules: ['B'], side: 'local', versions: ['1.3'] } });
});

test('the worst severity of the records is known, excluding a record of other bytes', () => {
  const library = new LibraryStore(database.db, database.journal);
  const { md5 } = scanHashesOf(1);
  const record = (workspaceId: string, facts: Parameters<typeof recordWith>[0]): unknown =>
    library.recordLookup({ workspaceId, md5, record: recordWith({ md5, ...facts }), outcome: 'done' });
  const id = scan('local', []);
  record('lab', { criticity: 'other', threat: 'PUA' });
  expect(knownIn(id)).toEqual({ ...nothing, severity: 'other', threat: 'PUA' });
  record('w-1', { criticity: 'bad', threat: 'Emotet' });
  expect(knownIn(id)).toEqual({ ...nothing, severity: 'bad', threat: 'Emotet' });
  record('w-1', { criticity: 'bad', threat: 'Emotet', sha256: sha256Of(2) });
  expect(knownIn(id)).toEqual({ ...nothing, severity: 'other', threat: 'PUA' });
});

test('older hits are forgotten with their workspace', () => {
  scan('local', ['A']);
  scan('local', []);
  forgetScansOf(database.db, 'lab');
  expect(scans.knownBesides(sha256Of(1), [])).toBeNull();
});

test('a database of version 12 keeps its hits and records older ones from then on', () => {
  const old = new DatabaseSync(':memory:');
  migrate(old, migrations.slice(0, 12));
  old.exec(
    `INSERT INTO hit_sample VALUES (1, 'lab', 'a'); INSERT INTO hit_rule VALUES (1, 'lab', 'A'); INSERT INTO sample_hit
      VALUES (1, 'local', 1, '1', '', '', 1, 1, 1)`,
  );
  migrate(old);
  expect([
    versionOf(old),
    old.prepare('SELECT count(*) AS rows FROM sample_hit').get(),
    old.prepare('SELECT count(*) AS rows FROM older_hit').get(),
  ]).toEqual([migrations.length, { rows: 1 }, { rows: 0 }]);
  old.close();
});
