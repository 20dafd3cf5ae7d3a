import { createHash } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { madeBy } from '../../archive/zip-making.fixture.ts';
import { md5Of } from './scripted-repository.fixture.ts';
import {
  addInPlace,
  failuresOf,
  filesNamed,
  newBench,
  outcomesOf,
  quietDraft,
  reopened,
  sent,
} from './upload-bench.fixture.ts';
import { ended, team, type TestUploads } from './uploads.fixture.ts';

const hex = (algorithm: string, bytes: Uint8Array): string => createHash(algorithm).update(bytes).digest('hex');

const hashesOf = (bytes: Uint8Array) => ({
  md5: hex('md5', bytes),
  sha1: hex('sha1', bytes),
  sha256: hex('sha256', bytes),
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}

async function hold(setup: TestUploads, name: string, bytes: Uint8Array): Promise<void> {
  const { id } = await setup.staging.stageStream(name, once(bytes));
  setup.uploads.addHeld(team, [{ stagedId: id, path: 'in/deep', hashes: hashesOf(bytes) }]);
}

/** As the watch saw it. */
async function seenIn(setup: TestUploads, path: string, bytes: Uint8Array): Promise<void> {
  const [{ watch }, folder] = [setup.stores, join(setup.options.folder, 'watched')];
  await mkdir(folder);
  await writeFile(join(folder, path), bytes);
  const { size, mtimeMs } = await stat(join(folder, path));
  watch.choose(folder);
  watch.note([{ path, sizeBytes: size, changedMs: mtimeMs }], '2030-01-01T00:00:00.000Z');
  watch.setState([path], 'hashing');
  watch.outcomes.cameBefore([{ path, sha256: hashesOf(bytes).sha256 }]);
}

const idOf = (setup: TestUploads, name: string): number => setup.files().find((file) => file.name === name)?.id ?? 0;

test('an automatic file is previewed, not ticked, not looked up and not sent with the others', async () => {
  const { setup, repository } = await newBench();
  await hold(setup, 'came.bin', Buffer.from('came'));
  await sent(setup, { 'dropped.bin': 'dropped' });
  await vi.waitFor(() => expect(setup.files()[0]?.strip).toEqual(expect.any(String)), { timeout: 10_000 });
  expect(setup.files()).toMatchObject([
    { name: 'came.bin', path: 'in/deep', state: 'ready', presence: 'held', isTicked: false },
  ]);
  expect(repository.asked).not.toContain(md5Of('came'));
  expect(repository.forms.flatMap((form) => form.files.map(({ name }) => name))).toEqual(['dropped.bin']);
});

test('an automatic file is not looked up at a refresh of the others, or after a restart', async () => {
  const { setup, repository } = await newBench();
  await hold(setup, 'came.bin', Buffer.from('came'));
  const again = await reopened(setup);
  again.uploads.askAgain(team);
  await again.add({ 'dropped.bin': 'dropped' });
  await quietDraft(again);
  expect(repository.asked).toEqual([md5Of('dropped')]);
});

test('an automatic file is looked up and sent like any other once it is ticked', async () => {
  const { setup, repository } = await newBench();
  await hold(setup, 'came.bin', Buffer.from('came'));
  await quietDraft(setup);
  await setup.uploads.change(team, { kind: 'files', ids: [idOf(setup, 'came.bin')] }, { addTags: ['seen'] });
  expect(setup.files()).toMatchObject([{ presence: 'held' }]);
  await setup.uploads.change(team, { kind: 'all' }, { isTicked: true });
  expect(await quietDraft(setup)).toMatchObject([{ presence: 'new', isTicked: true }]);
  const { id } = await setup.uploads.send(team);
  expect(await ended(setup, id)).toMatchObject({ state: 'done', counts: { done: 1 } });
  expect(repository.forms).toHaveLength(1);
});

test('a file unticked by mistake is only queried if it was in progress, also after a restart', async () => {
  const answered = Promise.withResolvers<void>();
  const { setup, repository } = await newBench(
    { record: () => answered.promise.then(() => false) },
    { settings: { bulkConnections: 2 } },
  );
  for (let at = 0; at < 40; at += 1) await hold(setup, `came-${at}.bin`, Buffer.from(`came ${at}`));
  await setup.uploads.change(team, { kind: 'all' }, { isTicked: true });
  await vi.waitFor(() => expect(repository.asked).toHaveLength(2));
  await setup.uploads.change(team, { kind: 'all' }, { isTicked: false });
  answered.resolve();
  await vi.waitFor(() => expect(setup.files().filter(({ presence }) => presence === 'new')).toHaveLength(2));
  const again = await reopened(setup);
  again.uploads.askAgain(team);
  expect((await quietDraft(again)).filter(({ presence }) => presence === 'held')).toHaveLength(38);
  expect(repository.asked).toHaveLength(2);
});

test('the members of an automatic archive count as automatic too', async () => {
  const { setup, repository } = await newBench();
  await hold(setup, 'came.zip', await madeBy('zip -q out.zip one.bin', { 'one.bin': Buffer.from('one') }));
  const opened = [
    { name: 'came.zip', archive: { state: 'open', members: 1 } },
    { name: 'one.bin', presence: 'held', isTicked: false },
  ];
  await vi.waitFor(() => expect(setup.files()).toMatchObject(opened), { timeout: 10_000 });
  await quietDraft(setup);
  expect(repository.asked).toEqual([]);
});

test('the same bytes dropped by a person are sent, and the automatic file is not', async () => {
  const { setup, repository } = await newBench();
  await hold(setup, 'came.bin', Buffer.from('same'));
  const job = await sent(setup, { 'dropped.bin': 'same' });
  expect(await outcomesOf(setup, job.id)).toEqual({ 'dropped.bin': 'done' });
  expect(await quietDraft(setup)).toMatchObject([
    { name: 'came.bin', state: 'ready', presence: 'held', isTicked: false },
  ]);
  expect(repository.forms).toHaveLength(1);
});

test('an automatic file is unchanged when a person removes the same bytes again', async () => {
  const { setup, repository } = await newBench();
  await hold(setup, 'came.bin', Buffer.from('same'));
  const [dropped = 0] = await setup.add({ 'dropped.bin': 'same' });
  expect(await quietDraft(setup)).toMatchObject([
    { name: 'came.bin', state: 'same', sameAs: dropped, isTicked: false },
    { name: 'dropped.bin', state: 'ready', isTicked: true },
  ]);
  await setup.uploads.remove(team, { kind: 'files', ids: [dropped] });
  expect(await quietDraft(setup)).toMatchObject([
    { name: 'came.bin', state: 'ready', presence: 'held', isTicked: false },
  ]);
  await expect(setup.uploads.send(team)).rejects.toMatchObject({ failure: { kind: 'nothing-to-send' } });
  expect([repository.asked, repository.uploads()]).toEqual([[md5Of('same')], 0]);
});

test('automatic files with the same bytes change nothing of those a person dropped', async () => {
  const { setup } = await newBench();
  await setup.add({ 'dropped.bin': 'same' });
  await hold(setup, 'came.bin', Buffer.from('same'));
  expect(await quietDraft(setup)).toMatchObject([
    { name: 'dropped.bin', isTicked: true, presence: 'new' },
    { name: 'came.bin', state: 'same', isTicked: false },
  ]);
});

test.each([true, false])(
  'a person’s archive opens like any other when an automatic one had the same bytes; ticked: %s',
  async (isTicked) => {
    const { setup } = await newBench();
    const zip = await madeBy('zip -q out.zip one.bin', { 'one.bin': Buffer.from('one') });
    await hold(setup, 'came.zip', zip);
    await vi.waitFor(() => expect(setup.files()).toHaveLength(2), { timeout: 10_000 });
    const { id } = await setup.staging.stageStream('own.zip', once(zip));
    const [own = 0] = setup.uploads.add(team, [{ id, path: '' }], { isTicked });
    await vi.waitFor(() => expect(setup.files()).toHaveLength(4), { timeout: 10_000 });
    expect((await quietDraft(setup)).toSorted((a, b) => a.id - b.id)).toMatchObject([
      { name: 'came.zip', state: 'same', isTicked: false },
      { name: 'one.bin', state: 'same', isTicked: false },
      { id: own, state: 'ready', archive: { state: 'open', members: 1 }, isTicked: false },
      { name: 'one.bin', parentId: own, state: 'ready', isTicked },
    ]);
  },
);

test('missing bytes are not replaced by those of an automatic file', async () => {
  const { setup, repository } = await newBench();
  await addInPlace(setup, ['dropped.bin']);
  await quietDraft(setup);
  await hold(setup, 'came.bin', Buffer.from(filesNamed('dropped.bin')['dropped.bin'] ?? ''));
  await rm(join(setup.options.folder, 'theirs', 'dropped.bin'));
  const job = await sent(setup);
  expect(await failuresOf(setup, job.id)).toEqual({ 'dropped.bin': 'file-gone' });
  expect(repository.uploads()).toBe(0);
  expect(await quietDraft(setup)).toMatchObject([
    { name: 'came.bin', state: 'ready', presence: 'held', isTicked: false },
  ]);
});

test('a missing file of a person is not replaced by an automatic one with the same bytes', async () => {
  const { setup } = await newBench();
  await addInPlace(setup, ['dropped.bin']);
  await quietDraft(setup);
  const bytes = Buffer.from(filesNamed('dropped.bin')['dropped.bin'] ?? '');
  await rm(join(setup.options.folder, 'theirs', 'dropped.bin'));
  await seenIn(setup, 'came.bin', bytes);
  await setup.uploads.placeMoved(team, [hashesOf(bytes)]);
  const job = await sent(setup);
  expect(await failuresOf(setup, job.id)).toEqual({ 'dropped.bin': 'file-gone' });
});
