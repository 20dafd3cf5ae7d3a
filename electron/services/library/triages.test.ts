import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import type { TriageFilter, TriageRow, TriageSort } from '../../../shared/domain/triage.ts';
import type { TriageRowsAnswer } from '../../storage/reading/reading-thread.ts';
import { fail } from '../../../shared/failure.ts';
import { haltedJob } from '../../jobs/halted-job.fixture.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { WorkspaceSlots } from '../../jobs/workspace-slots.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import type { Stores } from '../../storage/stores.ts';
import type { Vault } from '../../vault/vault.ts';
import { withReadersHere } from '../testing/readers-here.fixture.ts';
import { openTestData } from '../testing/test-data.fixture.ts';
import { connectTo, createTestJobs, keepSample, listenLocally } from '../testing/test-host.fixture.ts';
import { RecordReading } from './record-reading.ts';
import { Triages, type TriagesOptions } from './triages.ts';

type Repository = (md5: string, response: ServerResponse) => void;

interface TestTriage {
  stores: Stores;
  vault: Vault;
  triages: Triages;
  jobs: JobRunner;
  /** MD5s that the repository was asked for. */
  asked: string[];
  begin(hashes: readonly string[]): Promise<number>;
  /** Begins, and waits for its end. */
  look(hashes: readonly string[]): Promise<Job>;
  rows(id: number, filter?: Partial<TriageFilter>, sort?: TriageSort): Promise<TriageRow[]>;
  /** The rows of a moment. */
  listed(id: number, moment: string, sort: TriageSort): Promise<TriageRowsAnswer>;
}

const team = 'team';
const md5Of = (text: string): string => createHash('md5').update(text).digest('hex');
const asGiven: TriageSort = { by: 'position', descending: false };
const everyEntry = { operations: [], workspaceId: null, find: '', from: null, before: null };
const all: TriageFilter = { states: [], severities: [], find: '' };

/** null: a workspace that may not be asked by SHA-256. */
async function open(
  repository: Repository,
  md5AtServer: TriagesOptions['md5AtServer'] | null = null,
): Promise<TestTriage> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const md5 = new URLSearchParams(request.url?.split('?')[1]).get('hash') ?? '';
    asked.push(md5);
    repository(md5, response);
  });
  const { stores, vault, close } = await openTestData(undefined, { inside: '', wrap: withReadersHere });
  const records = new RecordReading({
    store: stores.library,
    connect: connectTo(await listenLocally(server)),
    slots: new WorkspaceSlots(() => 4),
  });
  const triages = new Triages({
    store: stores.triages,
    library: stores.library,
    records,
    mayAskForMd5: () => md5AtServer !== null,
    md5AtServer: md5AtServer ?? (() => expect.fail('it was asked')),
  });
  const { jobs, throwDefects } = createTestJobs(stores, { runs: { triage: (work) => triages.run(work) } });
  jobs.start();
  onTestFinished(async () => {
    await jobs.close();
    await close();
    server.close().closeAllConnections();
    throwDefects();
  });
  const begin = async (hashes: readonly string[]): Promise<number> => {
    const id = jobs.create({ kind: 'triage' }, team);
    await triages.addTo(jobs, id, hashes);
    jobs.begin(id);
    return id;
  };
  return {
    stores,
    vault,
    triages,
    jobs,
    asked,
    begin,
    look: async (hashes) => haltedJob(jobs, await begin(hashes)),
    rows: async (id, filter = {}, sort = asGiven) => {
      const { rows } = await stores.jobReader.triageRows({
        id,
        filter: { ...all, ...filter },
        sort,
        moment: randomUUID(),
        offset: 0,
        limit: 1000,
      });
      return rows;
    },
    listed: (id, moment, sort) =>
      stores.jobReader.triageRows({ id, filter: all, sort, moment, offset: 0, limit: 1000 }),
  };
}

const file = (md5: string, more: object = {}): string =>
  JSON.stringify({ file: { md5, filename: `${md5.slice(0, 4)}.exe`, size: '2048', ...more } });
const telling: Repository = (md5, response) => void response.end(file(md5));

test('a triage fetches the records of hashes that are unknown here and downloads nothing', async () => {
  const { stores, asked, look, rows } = await open((md5, response) =>
    md5 === md5Of('unknown') ? response.end(JSON.stringify({ file: null })) : telling(md5, response),
  );
  const known = md5Of('known');
  stores.library.noteRecord({
    workspaceId: 'elsewhere',
    md5: known,
    record: recordWith({ md5: known, name: 'known.exe' }),
  });
  const hashes = [md5Of('new'), known, md5Of('unknown'), 'a'.repeat(39) + 'b', 'c'.repeat(63) + 'd'];
  const job = await look(hashes);
  expect(job).toMatchObject({
    state: 'done',
    counts: { done: 1, 'already-here': 1, unknown: 1, 'needs-md5': 2 },
  });
  expect(asked.toSorted()).toEqual([md5Of('new'), md5Of('unknown')].toSorted());
  expect((await rows(job.id)).map(({ hash, state, sample }) => [hash, state, sample?.name ?? null])).toEqual([
    [md5Of('new'), 'repository', `${md5Of('new').slice(0, 4)}.exe`],
    [known, 'known', 'known.exe'],
    [md5Of('unknown'), 'unknown', null],
    ['a'.repeat(39) + 'b', 'needs-md5', null],
    ['c'.repeat(63) + 'd', 'needs-md5', null],
  ]);
  expect(stores.library.count()).toMatchObject({ samples: 2, inVault: 0 });
});

test('a triage has two entries in the journal, whatever it asks for', async () => {
  const { stores, look } = await open(telling);
  const hashes = Array.from({ length: 40 }, (_, number) => md5Of(String(number)));
  const { id } = await look(hashes);
  const { lines } = await stores.journalReader.list({ filter: everyEntry, offset: 0, limit: 100 });
  expect(lines.map(({ row }) => [row?.operation, row?.hash, row?.outcome, row?.detail])).toEqual([
    ['look-up', null, 'done', { job: id, requests: 40, records: 40 }],
    ['look-up', null, 'begun', { job: id }],
  ]);
});

test('a SHA-256 that the server knows under an MD5 is looked up by it', async () => {
  const sha256 = 'e'.repeat(63) + 'f';
  const other = '1'.repeat(63) + '2';
  const { look, rows } = await open(
    (md5, response) => void response.end(file(md5, { sha256 })),
    async (_, asked) =>
      asked === sha256 ? md5Of('found') : fail({ kind: 'unknown-hash', service: 'repository', hash: asked }),
  );
  const { id, counts } = await look([sha256, other]);
  expect(counts).toMatchObject({ done: 1, unknown: 1 });
  expect((await rows(id)).map(({ state, sample }) => [state, sample?.md5 ?? null])).toEqual([
    ['repository', md5Of('found')],
    ['unknown', null],
  ]);
});

test('a SHA-256 that cannot be asked for is no request', async () => {
  const { stores, look } = await open(telling);
  const { counts } = await look(['c'.repeat(63) + 'd']);
  expect(counts).toMatchObject({ 'needs-md5': 1 });
  expect((await stores.journalReader.list({ filter: everyEntry, offset: 0, limit: 9 })).lines).toEqual([]);
});

test('a pause ends the search for the MD5 of a SHA-256', async () => {
  const reached = Promise.withResolvers<AbortSignal>();
  const { jobs, begin } = await open(telling, (_, _sha256, signal) => {
    reached.resolve(signal);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const id = await begin(['c'.repeat(63) + 'd']);
  const signal = await reached.promise;
  jobs.pause(id);
  expect(signal.aborted).toBe(true);
  await expect.poll(() => jobs.get(id)).toMatchObject({ state: 'paused', failure: null, active: [] });
});

test('a refused token halts the triage as a whole, and what is known here is shown', async () => {
  const { vault, stores, look, rows } = await open((_, response) => void response.writeHead(401).end('Bad token'));
  const here = await keepSample(vault, stores, randomBytes(64));
  const job = await look([here, ...Array.from({ length: 30 }, (_, number) => md5Of(String(number)))]);
  expect(job).toMatchObject({ state: 'paused', failure: { kind: 'token-refused' } });
  const [first, ...others] = await rows(job.id);
  expect(first?.state).toBe('vault');
  expect(new Set(others.map(({ state }) => state))).toEqual(new Set(['waiting']));
  expect(await stores.jobReader.triageCounts(job.id)).toMatchObject({ states: { vault: 1, waiting: 30 } });
  const { lines } = await stores.journalReader.list({ filter: everyEntry, offset: 0, limit: 1 });
  expect(lines[0]?.row).toMatchObject({ operation: 'look-up', outcome: 'token-refused', detail: { job: job.id } });
});

test('a record whose facts contradict the bytes is shown with both, each with its source', async () => {
  const bytes = randomBytes(64);
  const { vault, stores, look, rows } = await open((md5, response) =>
    response.end(file(md5, { sha256: 'b'.repeat(64), size: '999' })),
  );
  const sha256 = await keepSample(vault, stores, bytes);
  const { id } = await look([sha256]);
  const [row] = await rows(id);
  const stated = (fact: string, here: string, there: string) => ({
    fact,
    values: [
      { value: here, from: null },
      { value: there, from: team },
    ],
  });
  expect(row?.conflicts).toEqual([stated('sha256', sha256, 'b'.repeat(64)), stated('size', '64', '999')]);
});

const severities = new Map([
  [md5Of('a'), { criticity: '3', threat: 'Zeta' }],
  [md5Of('b'), { criticity: '1', threat: 'Alpha' }],
  [md5Of('c'), { criticity: '2', threat: 'Mid' }],
]);
const withSeverity: Repository = (md5, response) => void response.end(file(md5, severities.get(md5) ?? {}));

test('rows are filtered and sorted by what the records state', async () => {
  const { look, rows, stores } = await open(withSeverity);
  const { id } = await look([...severities.keys()]);
  const threats = async (filter: Partial<TriageFilter>, sort = asGiven): Promise<(string | null | undefined)[]> =>
    (await rows(id, filter, sort)).map(({ sample }) => sample?.threat);
  expect(await threats({}, { by: 'severity', descending: false })).toEqual(['Alpha', 'Mid', 'Zeta']);
  expect(await threats({}, { by: 'threat', descending: true })).toEqual(['Zeta', 'Mid', 'Alpha']);
  expect(await threats({ severities: ['bad'] })).toEqual(['Alpha']);
  expect(await threats({ find: 'MID' })).toEqual(['Mid']);
  expect(await threats({ states: ['vault'] })).toEqual([]);
  expect(await stores.jobReader.triageCounts(id)).toMatchObject({
    severities: { bad: 1, unwanted: 1, other: 1, 'not-set': 0 },
    requests: { waiting: 0, failed: 0, cancelled: 0 },
  });
  expect(await stores.jobReader.triageSelected({ id, filter: all, only: { isExcept: true, positions: [1] } })).toEqual({
    rows: 2,
    samples: 2,
    known: 2,
    inVault: 0,
    toDownload: 2,
    bytes: 4096,
    unsized: 0,
  });
});

test('rows of one sample are summed once, whichever of its hashes they have', async () => {
  const { vault, stores, look } = await open(telling);
  const [md5, sha256] = [md5Of('listed twice'), 'd'.repeat(63) + 'e'];
  stores.library.noteRecord({ workspaceId: team, md5, record: recordWith({ md5, sha256, sizeBytes: 1000 }) });
  const bytes = randomBytes(64);
  const held = await keepSample(vault, stores, bytes);
  const heldMd5 = createHash('md5').update(bytes).digest('hex');
  const { id } = await look([md5, sha256, md5Of('new'), held, heldMd5, 'a'.repeat(39) + 'b']);
  expect(await stores.jobReader.triageSelected({ id, filter: all, only: { isExcept: true, positions: [] } })).toEqual({
    rows: 6,
    samples: 4,
    known: 3,
    inVault: 1,
    toDownload: 2,
    bytes: 3048,
    unsized: 0,
  });
});

test('the order of a moment stays and is stale when a record changed, and another moment has the new one', async () => {
  const { look, listed, stores } = await open(withSeverity);
  const { id } = await look([...severities.keys()]);
  const byThreat: TriageSort = { by: 'threat', descending: false };
  const threatsAt = async (moment: string): Promise<unknown> => {
    const { rows, isStale } = await listed(id, moment, byThreat);
    return { threats: rows.map(({ sample }) => sample?.threat), isStale };
  };
  expect(await threatsAt('first')).toEqual({ threats: ['Alpha', 'Mid', 'Zeta'], isStale: false });
  const md5 = md5Of('a');
  stores.library.noteRecord({ workspaceId: team, md5, record: recordWith({ md5, threat: 'Aaa' }) });
  await expect.poll(() => threatsAt('first')).toEqual({ threats: ['Alpha', 'Mid', 'Aaa'], isStale: true });
  expect(await threatsAt('second')).toEqual({ threats: ['Aaa', 'Alpha', 'Mid'], isStale: false });
});

test('the order of a moment belongs to one job', async () => {
  const { look, listed } = await open(withSeverity);
  const byHash: TriageSort = { by: 'hash', descending: false };
  const hashes = [...severities.keys()];
  const [first, second] = [await look(hashes), await look(hashes.slice(0, 2))];
  expect((await listed(first.id, 'now', byHash)).total).toBe(3);
  expect((await listed(second.id, 'now', byHash)).total).toBe(2);
});

test('a failed fetch counts as failed, also where its sample is known here or in the vault', async () => {
  const { vault, stores, look, rows } = await open((_, response) => void response.writeHead(500).end('broken'));
  const held = await keepSample(vault, stores, randomBytes(64));
  const known = await keepSample(vault, stores, randomBytes(64));
  stores.library.setDamage(known, 'missing');
  const { id, counts } = await look([known, held, md5Of('new')]);
  expect(counts.failed).toBe(3);
  expect((await rows(id)).map(({ state, sample }) => [state, sample !== null])).toEqual([
    ['failed', true],
    ['vault', true],
    ['failed', false],
  ]);
  expect(await stores.jobReader.triageCounts(id)).toMatchObject({
    states: { vault: 1, known: 0, failed: 2 },
    requests: { waiting: 0, failed: 3, cancelled: 0 },
  });
});

test('the ticked rows of a list have what an action needs, in the order of the list', async () => {
  const { vault, stores, look } = await open(withSeverity);
  const held = await keepSample(vault, stores, randomBytes(64));
  const [a = '', b = '', c = ''] = severities.keys();
  const sha1 = 'a'.repeat(39) + 'b';
  const { id } = await look([a, b, c, held, sha1]);
  const ticked = (positions: number[], isExcept: boolean, window = { offset: 0, limit: 10 }) =>
    stores.jobReader.triageTicked({
      id,
      filter: all,
      sort: { by: 'severity', descending: true },
      moment: 'now',
      only: { isExcept, positions },
      ...window,
    });
  const rowA = { hash: a, sample: a, toDownload: a };
  const rowB = { hash: b, sample: b, toDownload: b };
  expect(await ticked([1, 2], false)).toEqual({ rows: [rowA, rowB], total: 2 });
  expect(await ticked([1, 2], false, { offset: 1, limit: 1 })).toEqual({ rows: [rowB], total: 2 });
  expect((await ticked([1, 2, 3], true)).rows).toEqual([
    { hash: held, sample: held, toDownload: null },
    { hash: sha1, sample: null, toDownload: null },
  ]);
});

test('a triage that is over takes another hash, and fetches its record', async () => {
  const { jobs, look, rows, triages } = await open(telling);
  const { id } = await look([md5Of('a')]);
  expect(await triages.addTo(jobs, id, [md5Of('b'), md5Of('a')])).toBe(2);
  await expect.poll(() => jobs.get(id)).toMatchObject({ state: 'done', counts: { done: 2 } });
  expect((await rows(id)).map(({ hash, state }) => [hash, state])).toEqual([
    [md5Of('a'), 'repository'],
    [md5Of('b'), 'repository'],
  ]);
});

test('a triage adds nothing to a job of another kind', async () => {
  const { jobs, triages } = await open(telling);
  const id = jobs.create({ kind: 'bulk-download' }, team);
  expect(() => triages.addTo(jobs, id, [md5Of('a')])).toThrow(
    expect.objectContaining({ failure: { kind: 'job-missing', id } }),
  );
});
