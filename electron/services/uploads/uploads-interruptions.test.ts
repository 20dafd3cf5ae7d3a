import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { startRepository } from './scripted-repository.fixture.ts';
import {
  bytesOf,
  failuresOf,
  filesNamed,
  newBench,
  opened,
  outcomesOf,
  quietDraft,
  reopened,
  sent,
} from './upload-bench.fixture.ts';
import { ended, team } from './uploads.fixture.ts';

const large = (fill: number): Buffer => Buffer.alloc(6_000_000, fill);

test('a connection cut within the body is tried three times, and nothing arrives twice', async () => {
  const { setup, repository } = await newBench({
    head: (request) => (request.once('data', () => request.destroy()), true),
  });
  const job = await sent(setup, { 'a.bin': large(1) });
  expect(repository.uploads()).toBe(3);
  expect(await failuresOf(setup, job.id)).toEqual({ 'a.bin': 'unreachable' });
  expect(setup.slept).toEqual(expect.arrayContaining([500, 1000]));
  repository.script = {};
  setup.jobs.retry(job.id, ['failed']);
  expect(await ended(setup, job.id)).toMatchObject({ state: 'done', counts: { done: 1 } });
  expect([...repository.timesReceived().values()]).toEqual([1]);
});

test('a connection cut once is tried again', { tags: ['long'] }, async () => {
  const { setup, repository } = await newBench({
    head: (request, _, number) => number === 1 && (request.once('data', () => request.destroy()), true),
  });
  const job = await sent(setup, { 'a.bin': large(1), 'b.bin': large(2) });
  expect(job).toMatchObject({ state: 'done', counts: { done: 2 } });
  expect([...repository.timesReceived().values()]).toEqual([1, 1]);
});

test('a service that cuts every connection is not sent ten thousand files', async () => {
  const { setup, repository } = await newBench(
    { head: (request) => (request.once('data', () => request.destroy()), true) },
    { settings: { uploadFiles: 1 } },
  );
  const job = await sent(setup, Object.fromEntries([1, 2, 3, 4, 5].map((fill) => [`${fill}.bin`, large(fill)])));
  expect(job).toMatchObject({ state: 'paused', failure: { kind: 'unreachable' }, counts: { failed: 3, waiting: 2 } });
  expect(repository.uploads()).toBe(9);
});

test('a lost reply is settled by the record: a listed file is stored', async () => {
  const { setup, repository } = await newBench();
  repository.script = {
    upload: ({ files }, response) => {
      repository.stored.add(files[0]?.md5 ?? '');
      response.destroy();
    },
  };
  const job = await sent(setup, filesNamed('a.bin', 'b.bin'));
  expect(await outcomesOf(setup, job.id)).toEqual({ 'a.bin': 'done', 'b.bin': 'failed' });
  expect(await failuresOf(setup, job.id)).toMatchObject({ 'b.bin': 'may-have-arrived' });
  expect(repository.uploads()).toBe(1);
  // Asked for more than once before it is given up: it may still be at work.
  expect(setup.slept).toEqual([500, 2000]);
});

test('a file that may have arrived is resent only by a person, and looked up before', async () => {
  const { setup, repository } = await newBench({ upload: (_, response) => void response.destroy() });
  const job = await sent(setup, filesNamed('a.bin', 'b.bin'));
  expect(await failuresOf(setup, job.id)).toEqual({ 'a.bin': 'may-have-arrived', 'b.bin': 'may-have-arrived' });
  const again = await reopened(setup);
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
  const { setup, repository } = await newBench();
  const begun = Promise.withResolvers<void>();
  repository.script = { head: (request) => (request.once('data', () => (request.pause(), begun.resolve())), true) };
  await setup.add({ 'a.bin': Buffer.alloc(16_000_000, 7) });
  await quietDraft(setup);
  const { id } = await setup.uploads.send(team);
  await begun.promise;
  return { setup, repository, id };
}

for (const { tags, cases } of longAfter(1, ['pause', 'close']))
  test.each(cases)(
    'a %s within a large body leaves nothing half, and a later run sends the file once',
    { tags },
    async (how) => {
      const { setup, repository, id } = await withinBody();
      if (how === 'pause') setup.jobs.pause(id);
      else await setup.close();
      repository.script = {};
      const again = how === 'pause' ? setup : await reopened(setup);
      if (how === 'pause') {
        expect(await ended(setup, id)).toMatchObject({ state: 'paused', failure: null, counts: { waiting: 1 } });
        setup.jobs.resume(id);
      }
      expect(await ended(again, id)).toMatchObject({ state: 'done', counts: { done: 1 } });
      expect([...repository.timesReceived().values()]).toEqual([1]);
    },
  );

test('a partly sent file is in the journal with its options and receiver while its outcome is unknown', async () => {
  const { setup, repository, id } = await withinBody();
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
  const hash = (await setup.itemsOf(id))[0]?.hash ?? '';
  expect(setup.journalOf(hash)).toMatchObject([asked]);
  setup.jobs.pause(id);
  await ended(setup, id);
  expect(setup.journalOf(hash)).toMatchObject([asked]);
  repository.script = {};
  setup.jobs.resume(id);
  await ended(setup, id);
  expect(setup.journalOf(hash)).toMatchObject([{ operation: 'upload', outcome: 'done' }]);
});

test('a job cancelled within a body is over, and its file can be sent by a retry', async () => {
  const { setup, repository, id } = await withinBody();
  setup.jobs.cancel(id);
  await vi.waitFor(() => expect(setup.jobs.get(id).counts.cancelled).toBe(1), { timeout: 10_000 });
  repository.script = {};
  setup.jobs.retry(id, ['cancelled']);
  expect(await ended(setup, id)).toMatchObject({ state: 'done', counts: { done: 1 } });
});

test.each([
  { how: 'pause', stores: true, outcome: 'done', failure: undefined },
  { how: 'pause', stores: false, outcome: 'failed', failure: 'may-have-arrived' },
  { how: 'cancel', stores: false, outcome: 'failed', failure: 'may-have-arrived' },
] as const)(
  'a $how after everything was sent is settled by the record (stored: $stores), and nothing is resent',
  async ({ how, stores, outcome, failure }) => {
    const { setup, repository } = await newBench();
    const arrived = Promise.withResolvers<void>();
    repository.script = {
      upload: ({ files }) => {
        if (stores) for (const { md5 } of files) repository.stored.add(md5);
        arrived.resolve();
      },
    };
    await setup.add(filesNamed('a.bin'));
    await quietDraft(setup);
    const { id } = await setup.uploads.send(team);
    await arrived.promise;
    setup.jobs[how](id);
    await ended(setup, id);
    if (how === 'pause') {
      setup.jobs.resume(id);
      expect(await ended(setup, id)).toMatchObject({ state: 'done' });
    }
    expect(await setup.itemsOf(id)).toMatchObject([{ state: outcome }]);
    expect(await failuresOf(setup, id)).toEqual({ 'a.bin': failure });
    expect(repository.uploads()).toBe(1);
  },
);

test('a file that may have arrived is in the journal when its job is removed before the outcome is known', async () => {
  const { setup, repository } = await newBench();
  const arrived = Promise.withResolvers<void>();
  repository.script = { upload: () => arrived.resolve() };
  await setup.add(filesNamed('a.bin'));
  await quietDraft(setup);
  const { id } = await setup.uploads.send(team);
  await arrived.promise;
  setup.jobs.pause(id);
  await ended(setup, id);
  const hash = (await setup.itemsOf(id))[0]?.hash ?? '';
  expect(setup.journalOf(hash)).toMatchObject([{ outcome: 'sending', detail: { job: id } }]);
  setup.jobs.cancel(id);
  await ended(setup, id);
  setup.jobs.forget(id);
  expect(setup.journalOf(hash)).toMatchObject([
    { operation: 'upload', outcome: 'may-have-arrived', detail: { job: id } },
  ]);
  expect(setup.files()).toEqual([]);
});

const program = fileURLToPath(new URL('./killed-upload.fixture.ts', import.meta.url));

for (const { tags, cases } of longAfter(1, [true, false]))
  test.each(cases)(
    'a program killed between its last byte and the reply sends nothing twice (stored: %s)',
    { tags },
    async (stores) => {
      const folder = temporaryFolder();
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
      const setup = await opened({ folder, baseUrl: repository.baseUrl });
      await ended(setup, 1);
      expect(await outcomesOf(setup, 1)).toEqual(
        stores ? { 'a.bin': 'done', 'b.bin': 'done' } : { 'a.bin': 'failed', 'b.bin': 'failed' },
      );
      if (!stores) expect(new Set(Object.values(await failuresOf(setup, 1)))).toEqual(new Set(['may-have-arrived']));
      expect(repository.uploads()).toBe(1);
      repository.stop();
    },
  );

test(
  'a program killed while it looks up a draft completes the look-up at its next start',
  { tags: ['long'] },
  async () => {
    const folder = temporaryFolder();
    const repository = await startRepository();
    const child = spawn(execPath, [program, folder, repository.baseUrl], { stdio: ['ignore', 'ignore', 'inherit'] });
    repository.script = { record: () => child.kill('SIGKILL') };
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    repository.script = {};
    const setup = await opened({ folder, baseUrl: repository.baseUrl });
    expect(await quietDraft(setup)).toMatchObject([
      { name: 'a.bin', state: 'ready', presence: 'new' },
      { name: 'b.bin', state: 'ready', presence: 'new' },
    ]);
    expect(await sent(setup)).toMatchObject({ state: 'done', counts: { done: 2 } });
    repository.stop();
  },
);

test('a file added while a job runs is another draft', async () => {
  const { setup, repository } = await newBench();
  const arrived = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  repository.script = {
    upload: async (form, response) => {
      arrived.resolve();
      await goOn.promise;
      repository.store(form, response);
    },
  };
  await setup.add(filesNamed('a.bin'));
  await quietDraft(setup);
  const { id } = await setup.uploads.send(team);
  await arrived.promise;
  const { id: staged } = await setup.staging.stageStream('late.bin', bytesOf('late'));
  setup.uploads.add(team, [{ id: staged, path: '' }]);
  expect(await quietDraft(setup)).toMatchObject([{ name: 'late.bin', state: 'ready' }]);
  goOn.resolve();
  expect(await ended(setup, id)).toMatchObject({ state: 'done', items: 1 });
});
