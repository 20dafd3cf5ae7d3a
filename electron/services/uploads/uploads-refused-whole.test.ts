import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { md5Of, type RepositoryScript, type ScriptedRepository } from './scripted-repository.fixture.ts';
import { filesNamed, newBench, outcomesOf, quietDraft, sent } from './upload-bench.fixture.ts';
import { ended, team } from './uploads.fixture.ts';

const reply = (response: ServerResponse, status: number, body: string): true => {
  response.writeHead(status).end(body);
  return true;
};
const items = (...files: unknown[]): string => JSON.stringify({ files });

test('a request too large before its end is halved down to the single too large file', async () => {
  const limit = 3_000_000;
  const { setup, repository } = await newBench({
    head: (request, response) => Number(request.headers['content-length']) > limit && reply(response, 413, ''),
  });
  const job = await sent(setup, {
    'a.bin': Buffer.alloc(1_400_000, 1),
    'b.bin': Buffer.alloc(1_400_000, 2),
    'c.bin': Buffer.alloc(4_000_000, 3),
    'd.bin': Buffer.alloc(1_000_000, 4),
  });
  expect(await outcomesOf(setup, job.id)).toEqual({
    'a.bin': 'done',
    'b.bin': 'done',
    'c.bin': 'refused',
    'd.bin': 'done',
  });
  expect((await setup.itemsOf(job.id))[2]?.failure?.kind).toBe('too-large-for-service');
  expect(repository.forms.map(({ files }) => files.length)).toEqual([2, 1]);
  expect(job).toMatchObject({ state: 'done', failure: null });
});

/** PHP's `post_max_size`: the form is read, and dropped whole. */
const dropsOver = (limitBytes: number): RepositoryScript & { repository?: ScriptedRepository } => {
  const script: RepositoryScript & { repository?: ScriptedRepository } = {
    upload: (form, response) =>
      form.bodyBytes > limitBytes ? void reply(response, 200, items()) : script.repository?.store(form, response),
  };
  return script;
};

test('a form that a server drops whole is sent again in halves down to the single too large file', async () => {
  const script = dropsOver(3_000_000);
  const { setup, repository } = await newBench(script);
  script.repository = repository;
  const job = await sent(setup, {
    'a.bin': 'a small file',
    'b.bin': Buffer.alloc(1_400_000, 2),
    'c.bin': Buffer.alloc(4_000_000, 3),
    'd.bin': 'another small file',
  });
  expect(await setup.itemsOf(job.id)).toMatchObject([
    { name: 'a.bin', state: 'done' },
    { name: 'b.bin', state: 'done' },
    { name: 'c.bin', state: 'refused', failure: { kind: 'too-large-for-service', status: 200 } },
    { name: 'd.bin', state: 'done' },
  ]);
  expect(repository.forms.map(({ files }) => files.length)).toEqual([4, 2, 2, 1, 1]);
  expect(job).toMatchObject({ state: 'done', failure: null });
});

test('a dropped form is sent again too where every reply comes behind a warning', async () => {
  const notice = '<br />\n<b>Notice</b>:  x in <b>/w/a.php</b> on line <b>7</b><br />\n';
  const { setup, repository } = await newBench();
  repository.script = {
    record: (md5, response) =>
      reply(response, 200, notice + JSON.stringify({ file: repository.stored.has(md5) ? { md5 } : null })),
    upload: (form, response) => {
      const files = form.files.length > 1 ? [] : form.files.map(({ md5 }) => ({ md5 }));
      for (const { md5 } of files) repository.stored.add(md5);
      reply(response, 200, notice + items(...files));
    },
  };
  const job = await sent(setup, filesNamed('a.bin', 'b.bin'));
  expect(job).toMatchObject({ state: 'done', counts: { done: 2 } });
});

test.each<[string, RepositoryScript['record'], object]>([
  ['cannot be read', (_, response) => reply(response, 403, 'Not enough rights'), { vanished: 2 }],
  ['shows that one has arrived', undefined, { done: 1, vanished: 1 }],
])('a form that seems dropped is not sent again where the record %s', async (_, record, counts) => {
  const { setup, repository } = await newBench({ ...(record && { record }) });
  repository.script = {
    ...repository.script,
    upload: ({ files: [a] }, response) => {
      repository.stored.add(a?.md5 ?? '');
      reply(response, 200, items());
    },
  };
  const job = await sent(setup, filesNamed('a.bin', 'b.bin'));
  expect(job.counts).toMatchObject(counts);
  expect(repository.uploads()).toBe(1);
});

test('a server that drops every form is sent ten large files, and no more', { tags: ['long'] }, async () => {
  const { setup, repository } = await newBench(
    { upload: (_, response) => void reply(response, 200, items()) },
    { settings: { uploadFiles: 1 } },
  );
  const files = Array.from({ length: 12 }, (_, index) => [`${index}.bin`, Buffer.alloc(100_000, index)] as const);
  const job = await sent(setup, Object.fromEntries(files));
  expect(job).toMatchObject({ state: 'paused', failure: { kind: 'empty-reply' }, counts: { refused: 10, waiting: 2 } });
  expect(repository.uploads()).toBe(10);
});

test('a large form on which a server hangs up is sent in halves, and nothing arrives twice', async () => {
  const { setup, repository } = await newBench({
    head: (request) =>
      Number(request.headers['content-length']) > 9_000_000 && (request.once('data', () => request.destroy()), true),
  });
  const job = await sent(setup, { 'a.bin': Buffer.alloc(6_000_000, 1), 'b.bin': Buffer.alloc(6_000_000, 2) });
  expect(job).toMatchObject({ state: 'done', counts: { done: 2 }, failure: null });
  expect([...repository.timesReceived().values()]).toEqual([1, 1]);
  expect(repository.uploads()).toBe(5);
});

test('a service that refuses a form as too large, and has stored some of it, gets only the rest again', async () => {
  const { setup, repository } = await newBench();
  repository.script = {
    upload: (form, response, number) => {
      if (number > 1) return repository.store(form, response);
      repository.stored.add(form.files[0]?.md5 ?? '');
      reply(response, 413, '');
    },
  };
  const job = await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin'));
  expect(job).toMatchObject({ state: 'done', counts: { done: 3 } });
  expect(repository.forms.map(({ files }) => files.length)).toEqual([3, 1, 1]);
});

const databaseDown = 'Connection Failed: 2002';

test('a database that is down at the look-up of files halts the job before anything is sent', async () => {
  const { setup, repository } = await newBench();
  await setup.add(filesNamed('a.bin'));
  await quietDraft(setup);
  repository.script = { record: (_, response) => reply(response, 200, databaseDown) };
  const { id } = await setup.uploads.send(team);
  expect(await ended(setup, id)).toMatchObject({
    state: 'paused',
    failure: { kind: 'service-failed', status: 200, text: databaseDown },
    counts: { waiting: 1 },
  });
  expect(repository.uploads()).toBe(0);
});

test('a database that fails during an upload halts the job; resumed, no file is sent twice', async () => {
  const { setup, repository } = await newBench({}, { settings: { uploadFiles: 2 } });
  repository.script = {
    upload: ({ files: [a] }, response) => {
      repository.stored.add(a?.md5 ?? '');
      repository.script = { record: (_, record) => reply(record, 200, databaseDown) };
      reply(response, 200, databaseDown);
    },
  };
  const job = await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin'));
  expect(job).toMatchObject({ state: 'paused', failure: { kind: 'service-failed' }, counts: { waiting: 3 } });
  expect(repository.uploads()).toBe(1);
  repository.script = {};
  setup.jobs.resume(job.id);
  expect(await ended(setup, job.id)).toMatchObject({ state: 'done', failure: null });
  expect(await outcomesOf(setup, job.id)).toEqual({ 'a.bin': 'done', 'b.bin': 'done', 'c.bin': 'done' });
  expect(repository.timesReceived().get(md5Of(filesNamed('a.bin')['a.bin'] ?? ''))).toBe(1);
});

test('a file sent while a database failed may have arrived where its record cannot be read', async () => {
  const { setup, repository } = await newBench({ record: (_, response) => reply(response, 403, 'Not enough rights') });
  const script = repository.script;
  repository.script = { ...script, upload: (_, response) => void reply(response, 200, databaseDown) };
  const job = await sent(setup, filesNamed('a.bin'));
  repository.script = script;
  setup.jobs.resume(job.id);
  await ended(setup, job.id);
  expect(await setup.itemsOf(job.id)).toMatchObject([{ state: 'failed', failure: { kind: 'may-have-arrived' } }]);
  expect(repository.uploads()).toBe(1);
});
