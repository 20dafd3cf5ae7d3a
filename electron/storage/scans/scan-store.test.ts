import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ScannedFile } from '../../../shared/domain/scan.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { LibraryStore } from '../library/library-store.ts';
import { readingsOf } from '../reading/reading-answers.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { beginScan, hitOf, noteOf, resultOf, scanFile, scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { statementsOf } from '../testing/written-statements.fixture.ts';
import { MuteStore } from './mute-store.ts';
import { ScanStore } from './scan-store.ts';

let database: TestDatabase;
let jobs: SqliteJobStore;
let scans: ScanStore;
databaseForEachTest((opened) => {
  database = opened;
  jobs = new SqliteJobStore(database.db);
  scans = new ScanStore(database.db);
});

const later = '2030-01-01T00:00:00.000Z';
const read = (jobId: number, position: number): ScannedFile =>
  readingsOf(database.db.path).file({ jobId, position, now: later });
const rulesSeen = (number: number): string[] =>
  scans.hitsOf('lab', sha256Of(number)).map(({ rule, side }) => `${rule} ${side}`);
const hunt = (rules: readonly string[], looked: readonly string[] | 'all' = 'all'): number => {
  const id = beginScan(jobs, 'hunt', 2);
  scans.record(id, [noteOf(1, resultOf('local', rules), looked === 'all' ? 'all' : new Set(looked))]);
  return id;
};
const changes = (jobId: number): [string[], string[]] => {
  const { added, lost } = read(jobId, 1);
  return [added, lost];
};
const rowsLeft = (): unknown[] =>
  [
    'scan_file',
    'scan_rule',
    'scan_result',
    'scan_body',
    'scan_raw',
    'scan_hit',
    'scan_total',
    'job_item',
    'job',
  ].filter(
    (table) =>
      database.db.query(z.object({ rows: z.number() }), `SELECT count(*) AS rows FROM ${table}`).get()?.rows !== 0,
  );

test('a file is kept as given, and a sample of a hunt as the library knows it', () => {
  const scan = beginScan(jobs, 'scan', 2);
  const { tlp, ...staged } = scanFile(1, { stagedId: 'f'.repeat(32), place: { kind: 'container' }, tlp: 'amber' });
  scans.addFiles(scan, [{ ...staged, tlp }, scanFile(2, { name: null })]);
  expect(scans.file(scan, 1)).toEqual({ ...staged, also: [], sha256: sha256Of(1) });
  expect(scans.file(scan, 2)).toMatchObject({ name: 'file-2.exe', stagedId: null, place: null });
  const id = beginScan(jobs, 'hunt', 1);
  expect(scans.file(id, 1)).toEqual({
    position: 1,
    name: 'file-1.exe',
    sha256: sha256Of(1),
    hashes: null,
    sizeBytes: 10,
    stagedId: null,
    place: null,
    also: [],
  });
  new LibraryStore(database.db, database.journal).recordDownload({
    workspaceId: 'lab',
    md5: scanHashesOf(1).md5,
    hashes: scanHashesOf(1),
    sizeBytes: 10,
    outcome: 'done',
  });
  expect(scans.file(id, 1)?.hashes).toEqual(scanHashesOf(1));
  expect([scans.file(scan, 3), scans.file(99, 1)]).toEqual([null, null]);
});

test('a sample is known by the names of its records, uploads, scans and files with the same bytes', () => {
  const library = new LibraryStore(database.db, database.journal);
  library.recordDownload({
    workspaceId: 'lab',
    md5: scanHashesOf(1).md5,
    hashes: scanHashesOf(1),
    sizeBytes: 10,
    outcome: 'done',
  });
  library.noteRecord({ workspaceId: 'lab', md5: scanHashesOf(1).md5, record: recordWith({ name: 'record.exe' }) });
  const also = [
    { name: 'other.dll', path: '/x/other.dll' },
    { name: 'given.exe', path: null },
  ];
  scans.addFiles(beginScan(jobs, 'scan', 2), [
    scanFile(1, { name: 'given.exe', also }),
    scanFile(2, { name: 'another.exe' }),
  ]);
  expect(scans.file(1, 1)?.also).toEqual(also);
  expect([scans.namesOf(sha256Of(1)), scans.namesOf(sha256Of(3))]).toEqual([
    ['given.exe', 'other.dll', 'record.exe'],
    [],
  ]);
});

test('a job of another kind has no scan file', () => {
  const id = jobs.create({ task: { kind: 'bulk-download' }, workspaceId: 'lab', created: later });
  jobs.add(id, [{ hash: sha256Of(1), md5: null }]);
  expect(scans.file(id, 1)).toBeNull();
});

test('staged files are known until their job leaves the list, and then returned once', () => {
  const [id, other] = [beginScan(jobs, 'scan', 2), beginScan(jobs, 'scan', 1)];
  scans.addFiles(id, [scanFile(1, { stagedId: 'a'.repeat(32), place: { at: 1 } }), scanFile(2)]);
  scans.addFiles(other, [scanFile(1, { stagedId: 'b'.repeat(32) })]);
  expect(scans.stagedFiles()).toEqual([
    { stagedId: 'a'.repeat(32), place: { at: 1 } },
    { stagedId: 'b'.repeat(32), place: null },
  ]);
  jobs.hide(id);
  expect(scans.stagedFiles()).toEqual([{ stagedId: 'b'.repeat(32), place: null }]);
  expect([scans.forgetJob(id), scans.forgetJob(id)]).toEqual([{ staged: ['a'.repeat(32)] }, { staged: [] }]);
});

test('staged files of a job that never began are not found again', () => {
  const id = jobs.create({
    task: { kind: 'scan', engines: 'local', local: null, package: null, name: null },
    workspaceId: 'lab',
    created: later,
  });
  scans.addFiles(id, [scanFile(1, { stagedId: 'a'.repeat(32) })]);
  expect(scans.stagedFiles()).toEqual([]);
});

test('files staged for two jobs are theirs until both leave the list', () => {
  const [one, other] = [beginScan(jobs, 'scan', 1), beginScan(jobs, 'scan', 1)];
  for (const id of [one, other]) scans.addFiles(id, [scanFile(1, { stagedId: 'a'.repeat(32) })]);
  expect([scans.forgetJob(one), scans.forgetJob(other)]).toEqual([{ staged: [] }, { staged: ['a'.repeat(32)] }]);
});

test('facts of a rule are looked up once', () => {
  const id = beginScan(jobs, 'scan', 1);
  scans.record(id, [noteOf(1, resultOf('service', ['Known']))]);
  expect(scans.newRules(id, ['Known', 'Other', 'Other'])).toEqual(['Known', 'Other']);
  scans.addRules(id, [
    {
      rule: 'Known',
      tags: ['apt'],
      meta: [{ key: 'a', value: 'b' }],
      family: 'emotet',
      place: { number: 1, file: 'a.yar', line: 7 },
    },
  ]);
  expect(scans.newRules(id, ['Known', 'Other'])).toEqual(['Other']);
  expect(scans.newRules(beginScan(jobs, 'scan', 1), ['Known'])).toEqual(['Known']);
});

test('a local hit has the facts of its rule, and a service hit its own', () => {
  const id = beginScan(jobs, 'scan', 1);
  const facts = {
    tags: ['apt'],
    meta: [{ key: 'a', value: 'b' }],
    family: 'emotet',
    place: { number: 1, file: 'a.yar', line: 7 },
  };
  scans.addRules(id, [{ rule: 'Rule', ...facts }]);
  const own = { namespace: 'theirs', tags: ['x'], meta: [], family: 'other' };
  const failure = { kind: 'scan-timed-out', name: 'x', seconds: 3 } as const;
  scans.record(id, [
    noteOf(1, resultOf('service', [], { hits: [hitOf('Rule', 2, own)], raw: '{"matches":[]}', failure, isCut: true })),
    noteOf(1, resultOf('local', ['Rule', 'Without'])),
  ]);
  const { strings } = hitOf('Rule');
  expect(read(id, 1).results).toEqual([
    {
      ...resultOf('local', []),
      hits: [
        { rule: 'Rule', namespace: null, strings, ...facts },
        { rule: 'Without', namespace: null, strings, tags: [], meta: [], family: null, place: null },
      ],
    },
    {
      ...resultOf('service', []),
      hits: [{ ...hitOf('Rule', 2), ...own, place: null }],
      raw: '{"matches":[]}',
      failure,
      isCut: true,
    },
  ]);
});

test('file content quoted by a service is not stored in plain form in the database', () => {
  const id = beginScan(jobs, 'scan', 1);
  const reported = 'a signature that a scanner of viruses knows';
  scans.record(id, [noteOf(1, resultOf('service', [], { raw: JSON.stringify({ data: reported }) }))]);
  const rows = database.db.sql.prepare('SELECT reply FROM scan_raw').all();
  expect(rows).toHaveLength(1);
  for (const { reply } of rows)
    expect(Buffer.from(reply instanceof Uint8Array ? reply : String(reply)).includes(reported)).toBe(false);
  expect(read(id, 1).results[0]?.raw).toContain(reported);
});

test('the first 100,000 characters of a long reply are kept', () => {
  const id = beginScan(jobs, 'scan', 1);
  scans.record(id, [noteOf(1, resultOf('service', [], { state: 'not-understood', raw: 'x'.repeat(150_000) }))]);
  expect(read(id, 1).results[0]?.raw).toHaveLength(100_000);
});

test('a repeated scan replaces the results of its side and none of the other side', () => {
  const id = beginScan(jobs, 'scan', 1);
  scans.record(id, [
    noteOf(1, resultOf('local', ['A', 'B'])),
    noteOf(1, resultOf('service', ['B', 'C'], { raw: 'old' })),
  ]);
  scans.record(id, [noteOf(1, resultOf('service', ['C', 'D']))]);
  expect(read(id, 1).results.map(({ side, hits, raw }) => [side, hits.map(({ rule }) => rule), raw])).toEqual([
    ['local', ['A', 'B'], null],
    ['service', ['C', 'D'], null],
  ]);
  expect(rulesSeen(1)).toEqual(['A local', 'B local', 'C service', 'D service']);
});

test('a hit is first seen once, and last seen with the latest scan that found it', () => {
  vi.useFakeTimers({ now: new Date('2030-01-01T00:00:00Z'), toFake: ['Date'] });
  const first = hunt(['A']);
  vi.setSystemTime(new Date('2030-01-02T00:00:00Z'));
  const second = beginScan(jobs, 'scan', 1);
  scans.record(second, [
    noteOf(1, resultOf('local', [], { hits: [hitOf('A', 5)], package: { sha256: null, version: '2', rules: null } })),
  ]);
  expect(scans.hitsOf('lab', sha256Of(1))).toEqual([
    {
      rule: 'A',
      side: 'local',
      version: '2',
      firstSeen: '2030-01-01T00:00:00.000Z',
      lastSeen: '2030-01-02T00:00:00.000Z',
      matches: 5,
      jobId: second,
      position: 1,
      mute: null,
    },
  ]);
  vi.useRealTimers();
  jobs.hide(second);
  expect(scans.hitsOf('lab', sha256Of(1))).toMatchObject([{ jobId: null, position: null }]);
  expect([scans.hitsOf('w-1', sha256Of(1)), first < second]).toEqual([[], true]);
});

test('a hunt marks new and lost hits', () => {
  expect(changes(hunt(['A', 'B']))).toEqual([['A', 'B'], []]);
  expect(changes(hunt(['B', 'C']))).toEqual([['C'], ['A']]);
  expect(rulesSeen(1)).toEqual(['B local', 'C local']);
  expect(changes(hunt(['B', 'C']))).toEqual([[], []]);
});

test('a hunt with some rules makes no claim about the others', () => {
  hunt(['A', 'B']);
  const id = hunt(['C'], ['B', 'C']);
  expect(changes(id)).toEqual([['C'], ['B']]);
  expect(rulesSeen(1)).toEqual(['A local', 'C local']);
});

test('a sample scanned twice in a hunt is compared with its state before the hunt', () => {
  hunt(['A', 'B']);
  const id = hunt(['B', 'C']);
  scans.record(id, [noteOf(1, resultOf('local', ['B', 'C']))]);
  expect(changes(id)).toEqual([['C'], ['A']]);
  scans.record(id, [noteOf(1, resultOf('local', ['A', 'B']))]);
  expect(changes(id)).toEqual([[], []]);
  scans.record(id, [noteOf(1, resultOf('local', []))]);
  expect(changes(id)).toEqual([[], ['A', 'B']]);
  expect(rulesSeen(1)).toEqual([]);
});

test('a scan updates the library and marks nothing', () => {
  hunt(['A', 'B']);
  const id = beginScan(jobs, 'scan', 1);
  scans.record(id, [noteOf(1, resultOf('local', ['B', 'C']))]);
  expect(changes(id)).toEqual([[], []]);
  expect(rulesSeen(1)).toEqual(['B local', 'C local']);
});

test('a failed scan or an unreadable result changes no known data', () => {
  hunt(['A']);
  const id = beginScan(jobs, 'hunt', 1);
  scans.record(id, [
    noteOf(1, resultOf('local', [], { state: 'failed' })),
    noteOf(1, resultOf('service', [], { state: 'not-understood' })),
  ]);
  expect([changes(id), rulesSeen(1)]).toEqual([[[], []], ['A local']]);
  expect(read(id, 1).results.map(({ state }) => state)).toEqual(['failed', 'not-understood']);
});

test('a service with too many hits is not trusted about missing ones', () => {
  const id = beginScan(jobs, 'scan', 1);
  scans.record(id, [noteOf(1, resultOf('service', ['A']))]);
  scans.record(id, [noteOf(1, resultOf('service', ['B'], { isCut: true }))]);
  expect(rulesSeen(1)).toEqual(['A service', 'B service']);
  scans.record(id, [noteOf(1, resultOf('service', ['B']))]);
  expect(rulesSeen(1)).toEqual(['B service']);
});

test('a hunt keeps nothing of a sample without hits', () => {
  hunt([]);
  expect(rowsLeft()).toEqual(['job_item', 'job']);
  expect(rulesSeen(1)).toEqual([]);
});

test('hits of rules removed from the package are lost in the hunts that contain the sample', () => {
  hunt(['A', 'B']);
  const earlier = beginScan(jobs, 'hunt', 300);
  scans.record(
    earlier,
    Array.from({ length: 298 }, (_, index) => noteOf(index + 3, resultOf('local', ['A', 'C']))),
  );
  const id = beginScan(jobs, 'hunt', 2);
  const steps = [...scans.loseRulesInSteps(id, 'lab', ['A', 'B', 'Never'])];
  expect([steps.filter((step) => step > 0).length, steps.reduce((sum, step) => sum + step, 0)]).toEqual([3, 300]);
  expect([changes(id), rulesSeen(1), rulesSeen(3)]).toEqual([[[], ['A', 'B']], [], ['C local']]);
  expect([...scans.loseRulesInSteps(id, 'lab', [])]).toEqual([]);
});

test('a step of losing rules is bounded for any number of rules per sample and loses each hit once', () => {
  const rules = Array.from({ length: 60 }, (_, index) => `rule_${index}`);
  const earlier = beginScan(jobs, 'hunt', 12);
  scans.record(
    earlier,
    Array.from({ length: 12 }, (_, index) => noteOf(index + 1, resultOf('local', [...rules, 'stays']))),
  );
  const id = beginScan(jobs, 'hunt', 12);
  const steps = [...scans.loseRulesInSteps(id, 'lab', [...rules, 'was_never_found'])];
  expect(steps.reduce((sum, step) => sum + step, 0)).toBe(12 * 60);
  expect(Math.max(...steps)).toBeLessThanOrEqual(250);
  for (let position = 1; position <= 12; position += 1)
    expect([rulesSeen(position), read(id, position).lost.toSorted()]).toEqual([['stays local'], rules.toSorted()]);
});

test('a hit is muted while its mute applies, by the sample mute before the general one', () => {
  const mutes = new MuteStore(database.db, database.journal);
  const mute = (rule: string, sample: string | null, reason: string, expires: string | null): unknown =>
    mutes.add({ workspaceId: 'lab', rule, sample, reason, expires }, null);
  hunt(['A', 'B', 'C', 'D']);
  mute('A', null, 'everywhere', null);
  mute('A', sha256Of(1), 'here', '2999-01-01T00:00:00Z');
  mute('B', null, 'over', '2001-01-01T00:00:00Z');
  mute('C', sha256Of(2), 'there', null);
  mutes.add({ workspaceId: 'w-1', rule: 'D', sample: null, reason: 'theirs', expires: null }, null);
  expect(scans.hitsOf('lab', sha256Of(1)).map(({ mute: one }) => one)).toEqual([
    { reason: 'here', expires: '2999-01-01T00:00:00Z' },
    null,
    null,
    null,
  ]);
});

test('results are stored with the outcome of their items, or not at all', () => {
  const id = beginScan(jobs, 'scan', 1);
  expect(() =>
    scans.together(() => {
      jobs.settle(id, [{ position: 1, state: 'done' }]);
      scans.record(id, [noteOf(1, resultOf('local', ['A']))]);
      throw new Error('undone');
    }),
  ).toThrow('undone');
  expect([jobs.get(id)?.counts.waiting, rulesSeen(1), read(id, 1).results]).toEqual([1, [], []]);
});

test('a job outside the list accepts no results', () => {
  const id = beginScan(jobs, 'scan', 1);
  jobs.hide(id);
  expect(() => scans.record(id, [noteOf(1, resultOf('local', ['A']))])).toThrow(
    expect.objectContaining({ failure: { kind: 'job-missing', id } }),
  );
});

test('the rows of a job are deleted with it in steps, and the library keeps its data', () => {
  const id = beginScan(jobs, 'scan', 20);
  scans.addFiles(
    id,
    Array.from({ length: 20 }, (_, index) => scanFile(index + 1)),
  );
  for (let number = 1; number <= 20; number += 1)
    scans.record(id, [
      noteOf(number, resultOf('local', ['A', 'B'])),
      noteOf(number, resultOf('service', ['A'], { raw: 'x' })),
    ]);
  jobs.hide(id);
  let steps = 0;
  while (jobs.removeHidden(10)) steps += 1;
  expect(steps).toBeGreaterThan(15);
  expect(rowsLeft()).toEqual([]);
  expect(rulesSeen(7)).toEqual(['A local', 'A service', 'B local']);
});

test('rule names that are invalid SQLite text are kept distinct', () => {
  const id = hunt(['\uD800', '\u0000a', "'; --", '\u{1F600}'.repeat(200)]);
  expect(changes(id)[0]).toHaveLength(4);
  expect(changes(hunt(['\uD800', '\u0000a', "'; --", '\u{1F600}'.repeat(200)]))).toEqual([[], []]);
  expect(read(id, 1).results[0]?.hits).toHaveLength(4);
});

test('the last hunt of each workspace and the pace of each engine are the latest stored values', () => {
  const last = { jobId: 3, ended: later, sha256: sha256Of(1), version: '7' };
  scans.setLastHunt('lab', { ...last, jobId: 2, sha256: null, version: null });
  scans.setLastHunt('lab', last);
  expect([scans.lastHunt('lab'), scans.lastHunt('w-1')]).toEqual([last, null]);
  scans.setPace('native', { scanMs: 0.25 });
  expect([scans.pace('native'), scans.pace('wasm')]).toEqual([{ scanMs: 0.25 }, null]);
});

/** Two hundred thousand hits must cost what ten cost: see `statement.test.ts`. */
test('every statement finds its rows by an index', () => {
  const texts = statementsOf(database.db, () => expect(new ScanStore(database.db).stagedFiles()).toEqual([]));
  expect(texts.length).toBeGreaterThan(30);
  for (const text of texts) {
    const plan = database.db
      .query(z.object({ detail: z.string() }), `EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => detail);
    expect([text, plan.filter((detail) => /^SCAN (?!json_each|sample VIRTUAL)/.test(detail))]).toEqual([text, []]);
  }
});

test('rules of one name in several files match the bare name from a service', () => {
  const id = beginScan(jobs, 'scan', 2);
  const looked = [
    noteOf(1, resultOf('local', ['same', 'b.yar:same', 'c.yar:other'])),
    noteOf(1, resultOf('service', ['same', 'other'])),
  ];
  scans.record(id, looked);
  const differing = (): unknown =>
    database.db
      .query(z.object({ one_sided: z.number(), hits: z.number() }), 'SELECT one_sided, hits FROM scan_total')
      .get();
  expect(differing()).toEqual({ one_sided: 0, hits: 3 });
  scans.record(id, [noteOf(1, resultOf('service', ['other', 'third']))]);
  expect(differing()).toEqual({ one_sided: 3, hits: 4 });
  scans.record(id, looked);
  expect(differing()).toEqual({ one_sided: 0, hits: 3 });
});
