import { createHash } from 'node:crypto';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { md5Of } from './scripted-repository.fixture.ts';
import {
  addInPlace,
  bytesOf,
  endless,
  filesNamed,
  insteadOf,
  names,
  newBench,
  outcomesOf,
  quietDraft,
  reopened,
  sent,
  stateOf,
} from './upload-bench.fixture.ts';
import { ended, team } from './uploads.fixture.ts';

test('a file that is added is hashed, previewed and looked up', async () => {
  const { setup, repository } = await newBench();
  repository.stored.add(md5Of('known'));
  await setup.add({ 'folder/one.txt': 'new', 'two.txt': 'known' });
  const files = await quietDraft(setup);
  expect(files).toMatchObject([
    {
      name: 'one.txt',
      path: 'folder',
      state: 'ready',
      presence: 'new',
      sizeBytes: 3,
      md5: md5Of('new'),
      sha256: createHash('sha256').update('new').digest('hex'),
    },
    { name: 'two.txt', path: '', state: 'ready', presence: 'there' },
  ]);
  expect(files[0]?.strip).not.toBeNull();
  expect(setup.uploads.draft(team)).toMatchObject({
    files: 2,
    toSend: { files: 1 },
    there: { files: 1 },
    busy: 0,
    requests: 1,
  });
  expect(setup.reported).toBeGreaterThan(0);
});

test('a draft shows how the repository answered the look-up of its files', async () => {
  const { setup, repository } = await newBench();
  await setup.add({ 'one.txt': 'new' });
  await quietDraft(setup);
  expect(setup.heard).toEqual([null]);
  repository.script.record = (_, response) =>
    Boolean(response.writeHead(403).end('{"error":{"code":"forbidden","message":"no"}}'));
  await setup.add({ 'two.txt': 'refused' });
  await quietDraft(setup);
  expect(setup.heard).toEqual([null, null]);
  repository.stop();
  await setup.add({ 'three.txt': 'gone' });
  await quietDraft(setup);
  expect(setup.heard).toEqual([null, null, 'unreachable']);
});

test('an empty file is reported and left out; the same bytes are listed once', async () => {
  const { setup, repository } = await newBench();
  const [first] = await setup.add({ 'a.bin': 'twice', 'b.bin': 'twice', 'c.bin': '' });
  const files = await quietDraft(setup);
  expect(files).toMatchObject([{ state: 'ready' }, { state: 'same', sameAs: first }, { state: 'empty' }]);
  expect(repository.asked).toEqual([md5Of('twice')]);
});

test('a copy of a removed file is previewed, looked up, and can be sent', async () => {
  const { setup, repository } = await newBench();
  const [first = 0] = await setup.add({ 'a.bin': 'twice', 'b.bin': 'twice' });
  await quietDraft(setup);
  await setup.uploads.remove(team, { kind: 'files', ids: [first] });
  expect(await quietDraft(setup)).toMatchObject([{ name: 'b.bin', state: 'ready', presence: 'new' }]);
  const job = await sent(setup);
  expect(job).toMatchObject({ state: 'done', counts: { done: 1 } });
  expect(repository.forms.flatMap(({ files }) => files.map(({ name }) => name))).toEqual(['b.bin']);
});

test('a copy of a sent file stays in the draft, not ticked, and is looked up', async () => {
  const { setup } = await newBench();
  await sent(setup, { 'a.bin': 'twice', 'b.bin': 'twice' });
  expect(await quietDraft(setup)).toMatchObject([{ name: 'b.bin', state: 'ready', isTicked: false }]);
});

test('a copy of a file being sent is known as soon as that is stored, despite an earlier look-up', async () => {
  const { setup, repository } = await newBench();
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  repository.script.upload = async (form, response) => {
    await held;
    repository.store(form, response);
  };
  await setup.add({ 'a.bin': 'twice', 'b.bin': 'twice' });
  await quietDraft(setup);
  const job = await setup.uploads.send(team);
  await vi.waitFor(() => expect(repository.forms).toHaveLength(1));
  await setup.add({ 'c.bin': 'twice' });
  expect(await quietDraft(setup)).toMatchObject([
    { name: 'b.bin', state: 'ready', presence: 'new' },
    { name: 'c.bin', state: 'same' },
  ]);
  const { reported } = setup;
  letGo();
  await ended(setup, job.id);
  expect(setup.files()).toMatchObject([
    { name: 'b.bin', state: 'ready', presence: 'there' },
    { name: 'c.bin', state: 'same' },
  ]);
  expect(setup.uploads.draft(team)).toMatchObject({ toSend: { files: 0 }, there: { files: 1 } });
  await vi.waitFor(() => expect(setup.reported).toBeGreaterThan(reported));
});

test('files in place that are missing or changed before they are read report it, and others are read', async () => {
  const { setup } = await newBench();
  const base = join(setup.options.folder, 'theirs');
  await mkdir(base);
  const paths = ['gone.bin', 'changed.bin', 'sound.bin'].map((name) => join(base, name));
  for (const path of paths) await writeFile(path, `the bytes of ${path}`);
  const staged = [];
  for (const path of paths) staged.push({ id: (await setup.staging.stagePath(path)).id, path: '' });
  await rm(paths[0] ?? '');
  await appendFile(paths[1] ?? '', 'more');
  setup.uploads.add(team, staged);
  expect(await quietDraft(setup)).toMatchObject([
    { name: 'gone.bin', state: 'unreadable', failure: { kind: 'file-gone' } },
    { name: 'changed.bin', state: 'unreadable', failure: { kind: 'file-changed' } },
    { name: 'sound.bin', state: 'ready' },
  ]);
});

test('files that disappear or change between review and sending are not sent, and others are', async () => {
  const { setup, repository } = await newBench();
  const base = join(setup.options.folder, 'theirs');
  await mkdir(base);
  const paths = ['gone.bin', 'changed.bin', 'sound.bin'].map((name) => join(base, name));
  const staged = [];
  for (const path of paths) {
    await writeFile(path, `the bytes of ${path}`);
    staged.push({ id: (await setup.staging.stagePath(path)).id, path: '' });
  }
  setup.uploads.add(team, staged);
  await quietDraft(setup);
  await rm(paths[0] ?? '');
  await appendFile(paths[1] ?? '', 'more');
  const job = await sent(setup);
  expect(await setup.itemsOf(job.id)).toMatchObject([
    { failure: { kind: 'file-gone' } },
    { failure: { kind: 'file-changed' } },
    { state: 'done' },
  ]);
  expect(repository.forms.flatMap(({ files }) => files.map(({ name }) => name))).toEqual(['sound.bin']);
});

test.each(['gone', 'changed'])(
  'when the file of some bytes is %s at sending, the first existing copy of it is read',
  async (how) => {
    const { setup, repository } = await newBench();
    const path = join(setup.options.folder, 'theirs', 'a.bin');
    await addInPlace(setup, ['a.bin']);
    const [bytes = ''] = Object.values(filesNamed('a.bin'));
    await quietDraft(setup);
    const [removed = 0] = await setup.add({ 'removed.bin': bytes });
    await setup.add({ 'dropped.bin': bytes });
    await quietDraft(setup);
    await setup.staging.discard(setup.stores.uploads.get(removed)?.stagedId ?? '');
    await (how === 'gone' ? rm(path) : appendFile(path, 'more'));
    const job = await sent(setup);
    expect(await outcomesOf(setup, job.id)).toEqual({ 'a.bin': 'done' });
    expect(repository.forms.flatMap(({ files }) => files)).toMatchObject([{ name: 'a.bin', md5: md5Of(bytes) }]);
  },
);

test('a file that changes while it is sent breaks its request off; the others go in the next one', async () => {
  const { setup, repository } = await newBench(
    {},
    {
      staging: (real) =>
        insteadOf(real, {
          open: async function* (id: string) {
            if (real.fileOf(id).name !== 'bad.bin') yield* real.open(id);
            else yield Buffer.from('first');
            if (real.fileOf(id).name === 'bad.bin') throw new FailureError({ kind: 'staged-file-missing', id });
          },
        }),
    },
  );
  const job = await sent(setup, filesNamed('a.bin', 'bad.bin', 'c.bin'));
  expect(await outcomesOf(setup, job.id)).toEqual({ 'a.bin': 'done', 'bad.bin': 'failed', 'c.bin': 'done' });
  expect((await setup.itemsOf(job.id))[1]?.failure).toMatchObject({ kind: 'file-changed', name: 'bad.bin' });
  expect([...repository.timesReceived().values()]).toEqual([1, 1]);
});

test('a file that ends its reading thread is unreadable, and every other one is read', async () => {
  const { setup } = await newBench(
    {},
    {
      facts: (real) =>
        insteadOf(real, {
          hash: async (files, signal, reported) => {
            if (files.some(({ id }) => id === poison))
              throw new FailureError({ kind: 'worker-ended', task: 'reading files', code: 'SIGSEGV' });
            await real.hash(files, signal, reported);
          },
        }),
    },
  );
  const { id: poison } = await setup.staging.stageStream('poison.bin', bytesOf('poison'));
  const others = await Promise.all(
    ['a.bin', 'b.bin', 'c.bin'].map((name) => setup.staging.stageStream(name, bytesOf(name))),
  );
  setup.uploads.add(
    team,
    [others[0], { id: poison }, others[1], others[2]].map((staged) => ({ id: staged?.id ?? '', path: '' })),
  );
  const files = await quietDraft(setup);
  expect(files.map(({ state }) => state)).toEqual(['ready', 'unreadable', 'ready', 'ready']);
  expect(files[1]?.failure).toMatchObject({ kind: 'worker-ended' });
});

test('a disk that refuses the read data makes no file unreadable: the next addition reads on', async () => {
  const { setup } = await newBench();
  const { uploads: store } = setup.stores;
  const hashed = vi.spyOn(store, 'hashed').mockImplementation(() => {
    throw new FailureError({ kind: 'disk-full', path: '/data' });
  });
  await setup.add(filesNamed('a.bin', 'b.bin'));
  await vi.waitFor(() => expect(setup.defects).toHaveLength(1));
  hashed.mockRestore();
  await setup.add(filesNamed('c.bin'));
  expect((await quietDraft(setup)).map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
  setup.defects.length = 0;
});

test('staged files and their known facts survive the program', async () => {
  const { setup, repository } = await newBench();
  await setup.add(filesNamed('a.bin', 'b.bin'));
  const before = await quietDraft(setup);
  await setup.uploads.change(team, { kind: 'all' }, { addTags: ['emotet'], tlp: 'amber' });
  setup.uploads.comment(team, 'from the mail of Monday');
  const again = await reopened(setup);
  expect(await quietDraft(again)).toEqual(before.map((file) => ({ ...file, tags: ['emotet'], tlp: 'amber' })));
  expect(again.uploads.draft(team).comment).toBe('from the mail of Monday');
  const job = await sent(again);
  expect(job.counts.done).toBe(2);
  expect(repository.stored.size).toBe(2);
});

test.each(['hash', 'look'] as const)(
  'a program that ends before it could %s does it at its next start',
  async (step) => {
    const { setup } = await newBench({}, { facts: (real) => insteadOf(real, { [step]: endless }) });
    await setup.add(filesNamed('a.bin', 'b.bin'));
    await vi.waitFor(() =>
      expect(setup.files().map(({ state }) => state)).toEqual(
        step === 'hash' ? ['hashing', 'hashing'] : ['ready', 'ready'],
      ),
    );
    await setup.close();
    const again = await reopened(setup, { facts: (real) => real });
    expect(await quietDraft(again)).toMatchObject([
      { state: 'ready', presence: 'new' },
      { state: 'ready', presence: 'new' },
    ]);
    expect(again.files().every(({ strip }) => strip !== null)).toBe(true);
  },
);

test('hundreds of files become known without a host query for each', async () => {
  const { setup, repository } = await newBench();
  await addInPlace(setup, names(260));
  const files = await quietDraft(setup);
  expect(files.filter(({ state, presence }) => state === 'ready' && presence === 'new')).toHaveLength(260);
  expect(new Set(repository.asked).size).toBe(260);
  expect(repository.asked).toHaveLength(260);
});

test('an unreachable service is tried a few times, then every file reports it; a refresh retries', async () => {
  const { setup, repository } = await newBench();
  repository.script = { record: (_, response) => (response.destroy(), true) };
  await addInPlace(setup, names(60));
  const files = await quietDraft(setup);
  expect(new Set(files.map(({ presence, presenceFailure }) => `${presence} ${presenceFailure?.kind}`))).toEqual(
    new Set(['unanswered unreachable']),
  );
  // Three tries of each that is asked at a time.
  expect(repository.connections()).toBeLessThanOrEqual(6);

  repository.script = {};
  setup.uploads.askAgain(team);
  expect(new Set((await quietDraft(setup)).map(({ presence }) => presence))).toEqual(new Set(['new']));
});

test('a refresh during the last failures is not lost', async () => {
  const { setup, repository } = await newBench();
  repository.script = { record: (_, response) => (response.destroy(), true) };
  const { uploads } = setup.stores;
  const answered = uploads.answered.bind(uploads);
  vi.spyOn(uploads, 'answered').mockImplementation((answers) => {
    answered(answers);
    if (uploads.toAsk(team, 1).length > 0 || repository.script.record === undefined) return;
    repository.script = {};
    queueMicrotask(() => setup.uploads.askAgain(team));
  });
  await addInPlace(setup, names(200));
  await vi.waitFor(() => expect(repository.script.record).toBeUndefined(), { timeout: 50_000, interval: 15 });
  expect(new Set((await quietDraft(setup)).map(({ presence }) => presence))).toEqual(new Set(['new']));
});

test('a service without a usable answer for sixteen files is not queried about sixty', async () => {
  const { setup, repository } = await newBench({
    record: (_, response) => (response.writeHead(500).end('<html>broken</html>'), true),
  });
  await addInPlace(setup, names(60));
  const files = await quietDraft(setup);
  expect(new Set(files.map(({ presence, presenceFailure }) => `${presence} ${presenceFailure?.kind}`))).toEqual(
    new Set(['unanswered service-failed']),
  );
  expect(repository.asked).toHaveLength(16);
});

test('a token without the right to read leaves each file unanswered for itself', async () => {
  const { setup, repository } = await newBench({
    record: (_, response) => (response.writeHead(403).end('Not enough rights'), true),
  });
  await addInPlace(setup, names(20));
  const files = await quietDraft(setup);
  expect(new Set(files.map(({ presenceFailure }) => presenceFailure?.kind))).toEqual(new Set(['forbidden-or-unknown']));
  expect(repository.asked).toHaveLength(20);
});

test('a workspace that cannot be connected to leaves all unanswered, with the reason', async () => {
  const { setup, repository } = await newBench({}, { connectFailure: { kind: 'secrets-locked' } });
  await setup.add(filesNamed('a.bin', 'b.bin'));
  expect(await quietDraft(setup)).toMatchObject([
    { presenceFailure: { kind: 'secrets-locked' } },
    { presenceFailure: { kind: 'secrets-locked' } },
  ]);
  expect(repository.connections()).toBe(0);
});

test('nothing is added to a removed workspace', async () => {
  const { setup } = await newBench({}, { workspaces: [team] });
  await expect(setup.add(filesNamed('a.bin'), 'gone')).rejects.toMatchObject({
    failure: { kind: 'workspace-missing' },
  });
  expect(stateOf(setup.files(), 'a.bin')).toBeUndefined();
});

test('an unreadable row of the draft is reported as such, and does not keep the program busy', async () => {
  const { setup, repository } = await newBench();
  await setup.add(filesNamed('a.bin', 'b.bin'));
  await quietDraft(setup);
  await setup.close();
  const database = new DatabaseSync(join(setup.options.folder, 'data', 'vitrine.db'));
  database.exec("UPDATE upload_file SET tags = '[1', presence = 'unasked' WHERE name = 'a.bin'");
  database.close();
  const again = await reopened(setup);
  expect(await quietDraft(again)).toMatchObject([
    { name: 'a.bin', state: 'unreadable', failure: { kind: 'file-unreadable' } },
    { name: 'b.bin', state: 'ready' },
  ]);
  expect(repository.asked).toHaveLength(2);
});
