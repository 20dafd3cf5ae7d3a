import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { md5Of, type ReceivedForm, type RepositoryScript, valuesOf } from './scripted-repository.fixture.ts';
import {
  failuresOf,
  filesNamed,
  insteadOf,
  newBench,
  outcomesOf,
  quietDraft,
  reopened,
  sent,
} from './upload-bench.fixture.ts';
import { ended, team } from './uploads.fixture.ts';

const reply = (response: ServerResponse, status: number, body: string): true => {
  response.writeHead(status).end(body);
  return true;
};
const items = (...files: unknown[]): string => JSON.stringify({ files });

test('a file that the service reports as stored, and lists, is stored', async () => {
  const { setup, repository } = await newBench();
  const job = await sent(setup, filesNamed('a.bin', 'b.bin'));
  expect(job).toMatchObject({ state: 'done', counts: { done: 2 }, failure: null });
  expect([...repository.timesReceived().values()]).toEqual([1, 1]);
});

test('a file that reached the repository another way while it was sent counts as already there', async () => {
  const { setup, repository } = await newBench();
  repository.script = {
    upload: (form, response) => {
      repository.stored.add(form.files[0]?.md5 ?? '');
      repository.store(form, response);
    },
  };
  const job = await sent(setup, filesNamed('a.bin', 'b.bin'));
  expect(await outcomesOf(setup, job.id)).toEqual({ 'a.bin': 'already-here', 'b.bin': 'done' });
});

test('a comment that only the reply shows as altered is reported, and encoded for the next files', async () => {
  const learnt: boolean[] = [];
  const { setup, repository } = await newBench({}, { learnt });
  repository.script = {
    record: (_, response) => reply(response, 404, ''),
    upload: (form, response) => {
      const comment = decodeURIComponent(valuesOf(form, 'comment')[0]?.replaceAll('+', ' ') ?? '');
      reply(response, 200, items(...form.files.map(({ md5, name }) => ({ filename: name, name: md5, comment }))));
    },
  };
  setup.uploads.comment(team, 'C++, 100%25');
  const job = await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin'));
  expect(await failuresOf(setup, job.id)).toEqual({
    'a.bin': 'upload-altered',
    'b.bin': 'upload-unconfirmed',
    'c.bin': 'upload-unconfirmed',
  });
  expect(job).toMatchObject({ counts: { done: 3 } });
  expect(learnt).toEqual([true]);
  expect(repository.forms.map((form) => valuesOf(form, 'comment'))).toEqual([['C++, 100%25'], ['C%2B%2B, 100%2525']]);
});

test.each([true, false])(
  'a file that the service refuses shows the service’s text (MD5 named: %s)',
  async (namesMd5) => {
    const { setup, repository } = await newBench();
    repository.script = {
      upload: ({ files: [a, b] }, response) => {
        repository.stored.add(b?.md5 ?? '');
        reply(response, 200, items({ md5: namesMd5 ? a?.md5 : false, error: 'File is too small' }, { md5: b?.md5 }));
      },
    };
    const job = await sent(setup, filesNamed('a.bin', 'b.bin'));
    expect(await setup.itemsOf(job.id)).toMatchObject([
      { name: 'a.bin', state: 'refused', failure: { kind: 'upload-refused', text: 'File is too small' } },
      { name: 'b.bin', state: 'done' },
    ]);
    expect(job.state).toBe('done');
  },
);

test('files after the twentieth fail on servers that read no more, and only they are resent', async () => {
  const { setup, repository } = await newBench({}, { settings: { uploadFiles: 25 } });
  repository.script = {
    upload: (form, response) => repository.store({ ...form, files: form.files.slice(0, 20) }, response),
  };
  const names = Array.from({ length: 25 }, (_, index) => `file-${index}.bin`);
  const job = await sent(setup, filesNamed(...names));
  expect(job).toMatchObject({ state: 'done', counts: { done: 20, vanished: 5 } });
  expect((await setup.itemsOf(job.id)).at(-1)?.failure).toMatchObject({
    kind: 'upload-vanished',
    sent: 25,
    items: 20,
    isArchive: false,
  });
  setup.jobs.retry(job.id, ['vanished']);
  expect(await ended(setup, job.id)).toMatchObject({ counts: { done: 25 } });
  expect(repository.forms.map(({ files }) => files.length)).toEqual([25, 5]);
});

test.each<[string, Pick<RepositoryScript, 'record'>, object]>([
  [
    'may have arrived where nobody may read it',
    { record: (_, response) => reply(response, 403, 'Not enough rights') },
    { state: 'failed', failure: { kind: 'may-have-arrived' } },
  ],
  ['is not there where its record says so', {}, { state: 'vanished' }],
])('a file that one reply both accepts and refuses %s', async (_, script, expected) => {
  const upload = ({ files: [a] }: ReceivedForm, response: ServerResponse): void =>
    void reply(response, 200, `{"files":[{"md5":"${a?.md5}","error":"No right","error":null}]}`);
  const { setup } = await newBench({ ...script, upload });
  const job = await sent(setup, filesNamed('a.bin'));
  expect(await setup.itemsOf(job.id)).toMatchObject([expected]);
});

test('a file that the service accepts but no one may read is reported as not confirmed', async () => {
  const { setup, repository } = await newBench({ record: (_, response) => reply(response, 403, 'Not enough rights') });
  const job = await sent(setup, filesNamed('a.bin'));
  expect(await setup.itemsOf(job.id)).toMatchObject([{ state: 'done', failure: { kind: 'upload-unconfirmed' } }]);
  expect(repository.forms).toHaveLength(1);
});

for (const { tags, cases } of longAfter(1, [
  [500, 'broken'],
  [200, ''],
  [200, '<br />Warning {"files":[]}'],
]))
  test.each(cases)(
    'a file answered with %d "%s" may have arrived while its record is unreadable',
    { tags },
    async (status, body) => {
      const { setup, repository } = await newBench();
      repository.script = {
        upload: ({ files: [a] }, response) => {
          repository.stored.add(a?.md5 ?? '');
          repository.script.record = (_, record) => reply(record, 500, '');
          reply(response, status, body);
        },
      };
      const job = await sent(setup, filesNamed('a.bin'));
      expect(await setup.itemsOf(job.id)).toMatchObject([
        { state: 'failed', failure: { kind: 'may-have-arrived', action: 'uploadfiles' } },
      ]);
      expect(repository.forms).toHaveLength(1);
    },
  );

test('a success reply before the whole file was sent is not trusted', async () => {
  const [early, bytes] = [
    { files: [{ md5: md5Of(Buffer.alloc(4_000_000, 7)), error: null }] },
    Buffer.alloc(4_000_000, 7),
  ];
  const { setup, repository } = await newBench({
    record: (_, response) => reply(response, 403, 'Not enough rights'),
    head: (_, response) => reply(response, 200, JSON.stringify(early)),
  });
  const job = await sent(setup, { 'a.bin': bytes });
  expect(await setup.itemsOf(job.id)).toMatchObject([{ state: 'failed', failure: { kind: 'may-have-arrived' } }]);
  expect(repository.forms).toHaveLength(0);
});

test('a service that keeps a file and requests a slow-down gets it once', async () => {
  const { setup, repository } = await newBench();
  repository.script = {
    upload: (form, response) => {
      for (const { md5 } of form.files) repository.stored.add(md5);
      response.writeHead(429, { 'Retry-After': '0' }).end();
    },
  };
  const job = await sent(setup, filesNamed('a.bin'));
  expect(await outcomesOf(setup, job.id)).toEqual({ 'a.bin': 'done' });
  expect(repository.uploads()).toBe(1);
});

test.each<[string, RepositoryScript]>([
  ['fails', { record: (_, response) => reply(response, 500, '') }],
  ['is not allowed', { record: (_, response) => reply(response, 403, 'Not enough rights') }],
])('a file that was refused with 503 is not sent again while its look-up %s', async (_case, unreadable) => {
  const { setup, repository } = await newBench();
  repository.script = {
    upload: (form, response) => {
      for (const { md5 } of form.files) repository.stored.add(md5);
      repository.script = unreadable;
      response.writeHead(503, { 'Retry-After': '0' }).end();
    },
  };
  const job = await sent(setup, filesNamed('a.bin', 'b.bin'));
  expect(await failuresOf(setup, job.id)).toEqual({ 'a.bin': 'may-have-arrived', 'b.bin': 'may-have-arrived' });
  expect(repository.uploads()).toBe(1);
});

const forbidden: RepositoryScript = { record: (_, response) => reply(response, 403, 'Not enough rights') };
test.each([
  ['is done where it is stored', true, {}, { done: 1 }, 1],
  ['is sent again where it is not stored', false, {}, { done: 1 }, 2],
  ['is not sent again where its record cannot be read', true, forbidden, { failed: 1 }, 1],
])('a file that was refused with 503 and a pause of an hour %s', async (_case, isStored, later, counts, uploads) => {
  const { setup, repository } = await newBench();
  repository.script = {
    upload: (form, response) => {
      if (isStored) for (const { md5 } of form.files) repository.stored.add(md5);
      repository.script = later;
      response.writeHead(503, { 'Retry-After': '3600' }).end();
    },
  };
  const { id } = await sent(setup, filesNamed('a.bin'));
  expect(setup.jobs.get(id)).toMatchObject({ state: 'waiting', failure: { status: 503 }, counts: { waiting: 1 } });
  setup.jobs.resume(id);
  expect(await ended(setup, id)).toMatchObject({ state: 'done', counts });
  expect(repository.uploads()).toBe(uploads);
});

test('a service that forbids three requests in a row is sent no more; waiting files can be sent later', async () => {
  const { setup, repository } = await newBench(
    { upload: (_, response) => void reply(response, 403, 'Not enough rights') },
    { settings: { uploadFiles: 1 } },
  );
  const job = await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin'));
  expect(job).toMatchObject({ state: 'paused', failure: { kind: 'forbidden' }, counts: { forbidden: 3, waiting: 2 } });
  expect(repository.uploads()).toBe(3);
  repository.script = {};
  setup.jobs.resume(job.id);
  expect(await ended(setup, job.id)).toMatchObject({ state: 'done', counts: { forbidden: 3, done: 2 } });
  setup.jobs.retry(job.id, ['forbidden']);
  expect(await ended(setup, job.id)).toMatchObject({ state: 'done', counts: { done: 5 } });
});

test('a successful request between failed ones restarts the count', async () => {
  const { setup, repository } = await newBench({}, { settings: { uploadFiles: 1 } });
  repository.script = {
    upload: (form, response, number) =>
      number % 3 === 0 ? repository.store(form, response) : void reply(response, 403, 'no'),
  };
  const job = await sent(setup, filesNamed(...Array.from({ length: 9 }, (_, index) => `${index}.bin`)));
  expect(job).toMatchObject({ state: 'done', counts: { forbidden: 6, done: 3 } });
});

test('a token refused midway halts the job; with a new one every waiting file is sent', async () => {
  const { setup, repository } = await newBench({}, { settings: { uploadFiles: 1 } });
  repository.script = {
    upload: (form, response, number) =>
      number === 1 ? repository.store(form, response) : void reply(response, 401, ''),
  };
  const job = await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin'));
  expect(job).toMatchObject({ state: 'paused', failure: { kind: 'token-refused' }, counts: { done: 1, waiting: 2 } });
  repository.script = {};
  const again = await reopened(setup);
  again.jobs.resume(job.id);
  expect(await ended(again, job.id)).toMatchObject({ state: 'done', failure: null, counts: { done: 3 } });
});

test('a token refused at the look-up of files halts the job before anything is sent', async () => {
  const { setup, repository } = await newBench();
  await setup.add(filesNamed('a.bin'));
  await quietDraft(setup);
  repository.script = { record: (_, response) => reply(response, 401, '') };
  const { id } = await setup.uploads.send(team);
  expect(await ended(setup, id)).toMatchObject({
    state: 'paused',
    failure: { kind: 'token-refused' },
    counts: { waiting: 1 },
  });
  expect(repository.uploads()).toBe(0);
});

for (const { tags, cases } of longAfter(2, [
  { what: 'a failure of its own', status: 500, body: 'out of memory', kind: 'service-failed' },
  { what: 'nothing at all', status: 200, body: '', kind: 'empty-reply' },
  { what: 'a login page', status: 200, body: '<!doctype html><title>Log in</title>', kind: 'html-reply' },
  { what: 'JSON of no known shape', status: 200, body: '{}', kind: 'unreadable-reply' },
  {
    what: 'a PHP warning before its JSON',
    status: 200,
    body: '<br /><b>Warning</b>: {"files":[]}',
    kind: 'text-around-json',
  },
  { what: 'a gateway that gave up', status: 504, body: '<html>504</html>', kind: 'service-failed' },
]))
  test.each(cases)(
    'a service that answers with $what stops the job after three requests, and nothing is sent twice',
    { tags },
    async ({ status, body, kind }) => {
      const { setup, repository } = await newBench(
        { upload: (_, response) => void reply(response, status, body) },
        { settings: { uploadFiles: 1 } },
      );
      const job = await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin', 'd.bin'));
      expect(job).toMatchObject({ state: 'paused', failure: { kind }, counts: { failed: 3, waiting: 1 } });
      expect([...repository.timesReceived().values()]).toEqual([1, 1, 1]);
      expect(Object.values(await failuresOf(setup, job.id))).toEqual([kind, kind, kind, undefined]);
    },
  );

test.each([500, 502, 504])('a file that a service stored before it answered %d is stored', async (status) => {
  const { setup, repository } = await newBench();
  repository.script = {
    upload: ({ files }, response) => {
      for (const { md5 } of files) repository.stored.add(md5);
      reply(response, status, 'too late');
    },
  };
  const job = await sent(setup, filesNamed('a.bin', 'b.bin'));
  expect(job).toMatchObject({ state: 'done', counts: { done: 2 } });
});

test('an empty list is no success: the files vanished, and after three of them the job stops', async () => {
  const { setup } = await newBench(
    { upload: (_, response) => void reply(response, 200, items()) },
    { settings: { uploadFiles: 1 } },
  );
  const job = await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin', 'd.bin'));
  expect(job).toMatchObject({ state: 'paused', failure: { kind: 'empty-reply' }, counts: { vanished: 3, waiting: 1 } });
});

test('a retry sends only failed files, and looks them up first', async () => {
  const { setup, repository } = await newBench();
  repository.script = {
    upload: ({ files }: ReceivedForm, response) => {
      const [a, b, c] = files.map(({ md5 }) => md5);
      repository.stored.add(a ?? '');
      reply(
        response,
        200,
        items({ md5: a }, { md5: b, error: 'Virus scanner is busy' }, { md5: c, error: 'Virus scanner is busy' }),
      );
    },
  };
  const job = await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin'));
  expect(job.counts).toMatchObject({ done: 1, refused: 2 });
  // Another client sent it in the meantime.
  repository.stored.add(md5Of(filesNamed('b.bin')['b.bin'] ?? ''));
  repository.script = {};
  setup.jobs.retry(job.id, ['refused']);
  expect(await ended(setup, job.id)).toMatchObject({ state: 'done' });
  expect(await outcomesOf(setup, job.id)).toEqual({ 'a.bin': 'done', 'b.bin': 'already-here', 'c.bin': 'done' });
  expect(repository.forms.at(-1)?.files.map(({ name }) => name)).toEqual(['c.bin']);
});

const stagingOf = (folder: string): Promise<string[]> => readdir(join(folder, 'data', 'staging'));

test('a forgotten job takes its unsent files with it', async () => {
  const { setup } = await newBench({ upload: (_, response) => void reply(response, 400, 'no') });
  const job = await sent(setup, filesNamed('a.bin', 'b.bin'));
  expect(job.counts.failed).toBe(2);
  expect(await stagingOf(setup.options.folder)).toHaveLength(2);
  setup.jobs.forget(job.id);
  await expect.poll(() => stagingOf(setup.options.folder)).toEqual([]);
});

test('a removed workspace takes its draft and its unsent files with it', async () => {
  const { setup } = await newBench({ upload: (_, response) => void reply(response, 400, 'no') });
  await sent(setup, filesNamed('a.bin'));
  await setup.add(filesNamed('b.bin'));
  await quietDraft(setup);
  await setup.add(filesNamed('c.bin'), 'other');
  await setup.jobs.cancelAllOf(team);
  await setup.uploads.discard(setup.stores.uploads.forgetWorkspace(team));
  expect(setup.files()).toEqual([]);
  expect(await stagingOf(setup.options.folder)).toHaveLength(1);
  expect(setup.uploads.draft('other').files).toBe(1);
});

test('a copy that cannot be removed is reported at the end of the job, and ends nothing', async () => {
  const { setup } = await newBench(
    {},
    {
      settings: { uploadFiles: 1 },
      staging: (real) =>
        insteadOf(real, {
          discard: async (id) => {
            if (real.fileOf(id).name === 'a.bin')
              throw new FailureError({ kind: 'disk-failed', path: '/data/staging', code: 'EBUSY' });
            await real.discard(id);
          },
        }),
    },
  );
  const job = await sent(setup, filesNamed('a.bin', 'b.bin', 'c.bin'));
  expect(job).toMatchObject({ state: 'done', counts: { done: 3 }, failure: { kind: 'disk-failed' } });
  expect(await stagingOf(setup.options.folder)).toHaveLength(1);
});
