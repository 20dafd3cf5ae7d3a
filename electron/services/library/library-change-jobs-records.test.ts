import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { CaseSelection } from '../../../shared/domain/case.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { JobStop } from '../../jobs/job-work.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { createTestLibrary, found, type TestLibrary } from './library.fixture.ts';

interface Reading {
  setup: TestLibrary;
  /** MD5s that the repository was asked for, in turn. */
  asked: string[];
  begin(selection: CaseSelection): Promise<Job>;
  /** Begins, and waits for its end. */
  read(selection: CaseSelection): Promise<Job>;
  close(): Promise<void>;
}

type Repository = (md5: string, response: ServerResponse) => void;

/** `at`: a data directory that stays. */
async function open(repository: Repository, at?: string): Promise<Reading> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const md5 = new URLSearchParams(request.url?.split('?')[1]).get('hash') ?? '';
    asked.push(md5);
    repository(md5, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const setup = await createTestLibrary(
    at,
    typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : expect.fail('no address'),
  );
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await setup.close();
    server.close().closeAllConnections();
  };
  onTestFinished(close);
  const begin = (selection: CaseSelection): Promise<Job> =>
    setup.library.readRecords({ selection, workspaceId: 'team' });
  return { setup, asked, begin, read: async (selection) => setup.ended((await begin(selection)).id), close };
}

const telling: Repository = (md5, response) =>
  void response.end(JSON.stringify({ file: { md5, filename: 'told.exe', tags: ['tlp:amber', 'family:ashveil'] } }));
const md5sOf = ({ setup }: Reading, sha256s: readonly string[]): string[] =>
  sha256s.map((sha256) => setup.stores.library.find(sha256)?.md5 ?? expect.fail('not known')).toSorted();

test('samples without a record get it with name, tags and TLP, and samples with one are not fetched', async () => {
  const reading = await open(telling);
  const { setup, asked, read } = reading;
  const [had = '', ...others] = setup.know('bulk', 60);
  const [md5 = ''] = md5sOf(reading, [had]);
  setup.stores.library.noteRecord({ workspaceId: 'elsewhere', md5, record: recordWith({ md5 }) });
  expect(await setup.total('tlp:unknown')).toBe(59);
  const job = await read(found('tag:bulk'));
  expect(job).toMatchObject({
    state: 'done',
    workspaceId: 'team',
    items: 60,
    counts: { done: 59, 'already-here': 1 },
    task: { kind: 'library-change', what: 'records' },
  });
  expect(asked.toSorted()).toEqual(md5sOf(reading, others));
  expect([await setup.total('tlp:unknown'), await setup.total('tlp:amber name:told tag:family:ashveil')]).toEqual([
    0, 59,
  ]);
  expect(setup.stores.library.history(others[0] ?? '')).toContainEqual(
    expect.objectContaining({ operation: 'look-up', outcome: 'found', detail: { job: job.id } }),
  );
});

test('record reading fetches all others when one is unknown, one forbidden and one unreadable', async () => {
  const reading = await open((md5, response) => {
    if (md5 === unknown) response.end(JSON.stringify({ file: null }));
    else if (md5 === broken) response.end('no JSON');
    else if (md5 === forbidden) response.writeHead(403).end();
    else telling(md5, response);
  });
  const { setup, read } = reading;
  const [unknown, broken, forbidden] = md5sOf(reading, setup.know('mixed', 6));
  expect(await read(found('tag:mixed'))).toMatchObject({
    state: 'done',
    items: 6,
    counts: { done: 3, unknown: 1, forbidden: 1, failed: 1 },
  });
  expect(await setup.total('tlp:unknown')).toBe(3);
});

test('record reading requests each sample of a job’s items once', async () => {
  const reading = await open(telling);
  const { setup, asked, read } = reading;
  const [sha256 = ''] = setup.know('listed', 1);
  const [md5 = ''] = md5sOf(reading, [sha256]);
  const id = setup.jobs.create({ kind: 'bulk-download' }, 'team');
  setup.jobs.add(id, [
    { hash: md5, md5 },
    { hash: md5, md5 },
  ]);
  expect(await read({ kind: 'job', id, filter: { states: [], find: '' } })).toMatchObject({
    state: 'done',
    items: 1,
    counts: { done: 1 },
  });
  expect(asked).toEqual([md5]);
});

test('a repository that refuses all requests halts the job, and every sample waits', async () => {
  const { setup, read } = await open((_, response) => void response.writeHead(401).end('Bad token'));
  setup.know('refused', 3);
  expect(await read(found('tag:refused'))).toMatchObject({
    state: 'paused',
    failure: { kind: 'token-refused' },
    counts: { waiting: 3 },
  });
});

test.each([
  ['asks for a pause', 429, { 'Retry-After': '7200' }, 'slow-down'],
  ['is unavailable', 503, {}, 'service-failed'],
])('record reading sleeps when the repository %s', async (_case, status, headers, kind) => {
  const { setup, read } = await open((_, response) => void response.writeHead(status, headers).end());
  setup.know('asleep', 3);
  expect(await read(found('tag:asleep'))).toMatchObject({
    state: 'waiting',
    resumesAt: expect.any(String),
    failure: { kind },
    counts: { waiting: 3 },
  });
});

test('record reading keeps what was answered before a pause, and requests none of it again', async () => {
  let allowed = 20;
  const reading = await open((md5, response) => {
    allowed -= 1;
    if (allowed < 0) response.writeHead(429, { 'Retry-After': '7200' }).end();
    else if (allowed % 2 === 0) response.end(JSON.stringify({ file: null }));
    else telling(md5, response);
  });
  const { setup, asked, read } = reading;
  const all = md5sOf(reading, setup.know('limited', 30));
  const job = await read(found('tag:limited'));
  expect(job).toMatchObject({ state: 'waiting', counts: { done: 10, unknown: 10, waiting: 10 } });
  asked.length = 0;
  allowed = 10;
  setup.jobs.resume(job.id);
  expect(await setup.ended(job.id)).toMatchObject({ state: 'done', counts: { done: 15, unknown: 15 } });
  expect(asked).toHaveLength(10);
  expect(new Set(asked).size).toBe(10);
  expect(all).toEqual(expect.arrayContaining(asked));
});

test('record reading without a sample does not begin', async () => {
  const { setup, begin } = await open(telling);
  await expect(begin(found('tag:nothing'))).rejects.toMatchObject({ failure: { kind: 'nothing-selected' } });
  expect(setup.jobs.list()).toEqual([]);
});

test('a job cut off by the end of the program resumes, and requests no record twice', async () => {
  const folder = temporaryFolder();
  const first = await open((md5, response) => {
    if (first.asked.length <= 3) telling(md5, response);
  }, folder);
  const sha256s = first.setup.know('cut', 8);
  const all = md5sOf(first, sha256s);
  const { id } = await first.begin(found('tag:cut'));
  await expect.poll(() => first.setup.total('name:told')).toBe(3);
  await first.close();
  const second = await open(telling, folder);
  expect(await second.setup.ended(id)).toMatchObject({
    state: 'done',
    items: 8,
    counts: { done: 8 },
  });
  expect([...first.asked.slice(0, 3), ...second.asked].toSorted()).toEqual(all);
});

test('samples of a download without a record get it by another job, and there is none where each has one', async () => {
  const reading = await open(telling);
  const { setup, asked } = reading;
  const [had = '', without = ''] = setup.know('bulk', 2);
  const [hadMd5 = '', withoutMd5 = ''] = [had, without].map((sha256) => setup.stores.library.find(sha256)?.md5 ?? '');
  setup.stores.library.noteRecord({ workspaceId: 'team', md5: hadMd5, record: recordWith({ md5: hadMd5 }) });
  const notices: unknown[] = [];
  const downloaded = async (...items: { hash: string; md5: string }[]): Promise<Job[]> => {
    const id = setup.jobs.create({ kind: 'bulk-download', records: true }, 'team');
    setup.jobs.add(
      id,
      items.map((item) => ({ ...item, state: 'done' as const })),
    );
    await setup.library.readMissing({
      id,
      workspaceId: 'team',
      notice: (failure) => void notices.push(failure),
      signal: new AbortController().signal,
    });
    return setup.jobs.list().filter(({ task }) => task.kind === 'library-change');
  };
  expect(await downloaded({ hash: hadMd5, md5: hadMd5 })).toEqual([]);
  const [job] = await downloaded({ hash: hadMd5, md5: hadMd5 }, { hash: withoutMd5, md5: withoutMd5 });
  expect((await setup.ended(job?.id)).counts).toMatchObject({ done: 1 });
  expect([asked, notices]).toEqual([[withoutMd5], []]);
});

test('a download that is paused begins no job for missing records', async () => {
  const { setup, asked } = await open(telling);
  const [sha256 = ''] = setup.know('bulk', 1);
  const md5 = setup.stores.library.find(sha256)?.md5 ?? '';
  const id = setup.jobs.create({ kind: 'bulk-download', records: true }, 'team');
  setup.jobs.add(id, [{ hash: md5, md5, state: 'done' }]);
  const pause = new AbortController();
  pause.abort(new JobStop('pause'));
  const work = { id, workspaceId: 'team', notice: () => expect.fail('it has a notice'), signal: pause.signal };
  await expect(setup.library.readMissing(work)).rejects.toBe(pause.signal.reason);
  expect([setup.jobs.list(), asked]).toEqual([[], []]);
});
