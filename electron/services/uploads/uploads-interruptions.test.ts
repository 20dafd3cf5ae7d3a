import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { startRepository } from './scripted-repository.fixture.ts';
import {
  bytesOf,
  failuresOf,
  filesNamed,
  newBench,
  newFolder,
  opened,
  outcomesOf,
  quietDraft,
  reopened,
  sent,
} from './upload-bench.fixture.ts';
import { ended, team } from './uploads.fixture.ts';

const large = (fill: number): Buffer => Buffer.alloc(6_000_000, fill);

test('a connection that is cut within the body is tried three times, and nothing arrives twice', async () => {
  const { desk, repository } = await newBench({
    head: (request) => (request.once('data', () => request.destroy()), true),
  });
  const job = await sent(desk, { 'a.bin': large(1) });
  expect(repository.uploads()).toBe(3);
  expect(await failuresOf(desk, job.id)).toEqual({ 'a.bin': 'unreachable' });
  expect(desk.slept).toEqual(expect.arrayContaining([500, 1000]));
  repository.script = {};
  desk.jobs.retry(job.id, ['failed']);
  expect(await ended(desk, job.id)).toMatchObject({ state: 'done', counts: { done: 1 } });
  expect([...repository.timesReceived().values()]).toEqual([1]);
});

test('a connection that is cut once is tried again', { tags: ['long'] }, async () => {
  const { desk, repository } = await newBench({
    head: (request, _, number) => number === 1 && (request.once('data', () => request.destroy()), true),
  });
  const job = await sent(desk, { 'a.bin': large(1), 'b.bin': large(2) });
  expect(job).toMatchObject({ state: 'done', counts: { done: 2 } });
  expect([...repository.timesReceived().values()]).toEqual([1, 1]);
});

test('a service that cuts every connection is not sent ten thousand files', async () => {
  const { desk, repository } = await newBench(
    { head: (request) => (request.once('data', () => request.destroy()), true) },
    { settings: { uploadFiles: 1 } },
  );
  const job = await sent(desk, Object.fromEntries([1, 2, 3, 4, 5].map((fill) => [`${fill}.bin`, large(fill)])));
  expect(job).toMatchObject({ state: 'paused', failure: { kind: 'unreachable' }, counts: { failed: 3, waiting: 2 } });
  expect(repository.uploads()).toBe(9);
});

test('a reply that is lost is settled by the record: what is there is stored', async () => {
  const { desk, repository } = await newBench();
  repository.script = {
    upload: ({ files }, response) => {
      repository.stored.add(files[0]?.md5 ?? '');
      response.destroy();
    },
  };
  const job = await sent(desk, filesNamed('a.bin', 'b.bin'));
  expect(await outcomesOf(desk, job.id)).toEqual({ 'a.bin': 'done', 'b.bin': 'failed' });
  expect(await failuresOf(desk, job.id)).toMatchObject({ 'b.bin': 'may-have-arrived' });
  expect(repository.uploads()).toBe(1);
  // Asked for more than once before it is given up: it may still be at work.
  expect(desk.slept).toEqual([500, 2000]);
});

test('what may have arrived is sent again by a person alone, and asked for before', async () => {
  const { desk, repository } = await newBench({ upload: (_, response) => void response.destroy() });
  const job = await sent(desk, filesNamed('a.bin', 'b.bin'));
  expect(await failuresOf(desk, job.id)).toEqual({ 'a.bin': 'may-have-arrived', 'b.bin': 'may-have-arrived' });
  const again = await reopened(desk);
  expect(repository.uploads()).toBe(1);
  // One of them shows up late.
  repository.stored.add(repository.forms[0]?.files[0]?.md5 ?? '');
  repository.script = {};
  again.jobs.retry(job.id, ['failed']);
  expect(await ended(again, job.id)).toMatchObject({ state: 'done' });
  expect(await outcomesOf(again, job.id)).toEqual({ 'a.bin': 'already-here', 'b.bin': 'done' });
  expect(repository.forms.at(-1)?.files).toHaveLength(1);
});

/** A job whose only file has left in part: the repository reads no further. */
async function withinBody() {
  const { desk, repository } = await newBench();
  const begun = Promise.withResolvers<void>();
  repository.script = { head: (request) => (request.once('data', () => (request.pause(), begun.resolve())), true) };
  await desk.add({ 'a.bin': Buffer.alloc(16_000_000, 7) });
  await quietDraft(desk);
  const { id } = await desk.uploads.send(team);
  await begun.promise;
  return { desk, repository, id };
}

for (const { tags, cases } of longAfter(1, ['pause', 'close']))
  test.each(cases)(
    'a %s within a large body leaves nothing half, and a later run sends the file once',
    { tags },
    async (how) => {
      const { desk, repository, id } = await withinBody();
      if (how === 'pause') desk.jobs.pause(id);
      else await desk.close();
      repository.script = {};
      const again = how === 'pause' ? desk : await reopened(desk);
      if (how === 'pause') {
        expect(await ended(desk, id)).toMatchObject({ state: 'paused', failure: null, counts: { waiting: 1 } });
        desk.jobs.resume(id);
      }
      expect(await ended(again, id)).toMatchObject({ state: 'done', counts: { done: 1 } });
      expect([...repository.timesReceived().values()]).toEqual([1]);
    },
  );

test('a partly sent file is in the journal with its options and receiver while its outcome is unknown', async () => {
  const { desk, repository, id } = await withinBody();
  const asked = {
    operation: 'upload',
    outcome: 'sending',
    detail: {
      job: id,
      sizeBytes: 16_000_000,
      virusTotal: false,
      sandbox: false,
      tlp: null,
      receiver: new URL(repository.baseUrl).host,
    },
  };
  const hash = (await desk.itemsOf(id))[0]?.hash ?? '';
  expect(desk.journalOf(hash)).toMatchObject([asked]);
  desk.jobs.pause(id);
  await ended(desk, id);
  expect(desk.journalOf(hash)).toMatchObject([asked]);
  repository.script = {};
  desk.jobs.resume(id);
  await ended(desk, id);
  expect(desk.journalOf(hash)).toMatchObject([{ operation: 'upload', outcome: 'done' }]);
});

test('a job that is cancelled within a body is over, and its file can be sent by a retry', async () => {
  const { desk, repository, id } = await withinBody();
  desk.jobs.cancel(id);
  await vi.waitFor(() => expect(desk.jobs.get(id).counts.cancelled).toBe(1), { timeout: 10_000 });
  repository.script = {};
  desk.jobs.retry(id, ['cancelled']);
  expect(await ended(desk, id)).toMatchObject({ state: 'done', counts: { done: 1 } });
});

test.each([
  { how: 'pause', stores: true, outcome: 'done', failure: undefined },
  { how: 'pause', stores: false, outcome: 'failed', failure: 'may-have-arrived' },
  { how: 'cancel', stores: false, outcome: 'failed', failure: 'may-have-arrived' },
] as const)(
  'a $how when all has left is settled by the record (stored: $stores), and nothing is sent again',
  async ({ how, stores, outcome, failure }) => {
    const { desk, repository } = await newBench();
    const arrived = Promise.withResolvers<void>();
    repository.script = {
      upload: ({ files }) => {
        if (stores) for (const { md5 } of files) repository.stored.add(md5);
        arrived.resolve();
      },
    };
    await desk.add(filesNamed('a.bin'));
    await quietDraft(desk);
    const { id } = await desk.uploads.send(team);
    await arrived.promise;
    desk.jobs[how](id);
    await ended(desk, id);
    if (how === 'pause') {
      desk.jobs.resume(id);
      expect(await ended(desk, id)).toMatchObject({ state: 'done' });
    }
    expect(await desk.itemsOf(id)).toMatchObject([{ state: outcome }]);
    expect(await failuresOf(desk, id)).toEqual({ 'a.bin': failure });
    expect(repository.uploads()).toBe(1);
  },
);

test('a file that may have arrived is in the journal when its job is removed before the outcome is known', async () => {
  const { desk, repository } = await newBench();
  const arrived = Promise.withResolvers<void>();
  repository.script = { upload: () => arrived.resolve() };
  await desk.add(filesNamed('a.bin'));
  await quietDraft(desk);
  const { id } = await desk.uploads.send(team);
  await arrived.promise;
  desk.jobs.pause(id);
  await ended(desk, id);
  const hash = (await desk.itemsOf(id))[0]?.hash ?? '';
  expect(desk.journalOf(hash)).toMatchObject([{ outcome: 'sending', detail: { job: id } }]);
  desk.jobs.cancel(id);
  await ended(desk, id);
  desk.jobs.forget(id);
  expect(desk.journalOf(hash)).toMatchObject([
    { operation: 'upload', outcome: 'may-have-arrived', detail: { job: id } },
  ]);
  expect(desk.files()).toEqual([]);
});

const program = fileURLToPath(new URL('./killed-upload.fixture.ts', import.meta.url));

for (const { tags, cases } of longAfter(1, [true, false]))
  test.each(cases)(
    'a program that is killed between its last byte and the reply sends nothing twice (stored: %s)',
    { tags },
    async (stores) => {
      const folder = await newFolder();
      const repository = await startRepository();
      const child = spawn(execPath, [program, folder, repository.baseUrl], { stdio: ['ignore', 'ignore', 'inherit'] });
      repository.script = {
        upload: ({ files }) => {
          if (stores) for (const { md5 } of files) repository.stored.add(md5);
          child.kill('SIGKILL');
        },
      };
      const [, signal] = await once(child, 'exit');
      expect(signal).toBe('SIGKILL');
      const desk = await opened({ folder, baseUrl: repository.baseUrl });
      await ended(desk, 1);
      expect(await outcomesOf(desk, 1)).toEqual(
        stores ? { 'a.bin': 'done', 'b.bin': 'done' } : { 'a.bin': 'failed', 'b.bin': 'failed' },
      );
      if (!stores) expect(new Set(Object.values(await failuresOf(desk, 1)))).toEqual(new Set(['may-have-arrived']));
      expect(repository.uploads()).toBe(1);
      repository.stop();
    },
  );

test(
  'a program that is killed while it finds out about a draft finds out the rest when it is started again',
  { tags: ['long'] },
  async () => {
    const folder = await newFolder();
    const repository = await startRepository();
    const child = spawn(execPath, [program, folder, repository.baseUrl], { stdio: ['ignore', 'ignore', 'inherit'] });
    repository.script = { record: () => child.kill('SIGKILL') };
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    repository.script = {};
    const desk = await opened({ folder, baseUrl: repository.baseUrl });
    expect(await quietDraft(desk)).toMatchObject([
      { name: 'a.bin', state: 'ready', presence: 'new' },
      { name: 'b.bin', state: 'ready', presence: 'new' },
    ]);
    expect(await sent(desk)).toMatchObject({ state: 'done', counts: { done: 2 } });
    repository.stop();
  },
);

test('a file that is added while a job runs is another draft', async () => {
  const { desk, repository } = await newBench();
  const arrived = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  repository.script = {
    upload: async (form, response) => {
      arrived.resolve();
      await goOn.promise;
      repository.store(form, response);
    },
  };
  await desk.add(filesNamed('a.bin'));
  await quietDraft(desk);
  const { id } = await desk.uploads.send(team);
  await arrived.promise;
  const { id: staged } = await desk.staging.stageStream('late.bin', bytesOf('late'));
  desk.uploads.add(team, [{ id: staged, path: '' }]);
  expect(await quietDraft(desk)).toMatchObject([{ name: 'late.bin', state: 'ready' }]);
  goOn.resolve();
  expect(await ended(desk, id)).toMatchObject({ state: 'done', items: 1 });
});
