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
import { ended, team, type UploadDesk } from './uploads.fixture.ts';

const hex = (algorithm: string, bytes: Uint8Array): string => createHash(algorithm).update(bytes).digest('hex');

const hashesOf = (bytes: Uint8Array) => ({
  md5: hex('md5', bytes),
  sha1: hex('sha1', bytes),
  sha256: hex('sha256', bytes),
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}

async function hold(desk: UploadDesk, name: string, bytes: Uint8Array): Promise<void> {
  const { id } = await desk.staging.stageStream(name, once(bytes));
  desk.uploads.addHeld(team, [{ stagedId: id, path: 'in/deep', hashes: hashesOf(bytes) }]);
}

/** As the watch saw it. */
async function seenIn(desk: UploadDesk, path: string, bytes: Uint8Array): Promise<void> {
  const [{ watch }, folder] = [desk.stores, join(desk.options.folder, 'watched')];
  await mkdir(folder);
  await writeFile(join(folder, path), bytes);
  const { size, mtimeMs } = await stat(join(folder, path));
  watch.choose(folder);
  watch.note([{ path, sizeBytes: size, changedMs: mtimeMs }], '2030-01-01T00:00:00.000Z');
  watch.setState([path], 'hashing');
  watch.outcomes.cameBefore([{ path, sha256: hashesOf(bytes).sha256 }]);
}

const idOf = (desk: UploadDesk, name: string): number => desk.files().find((file) => file.name === name)?.id ?? 0;

test('a file that came by itself is looked at, not ticked, not asked about and not sent with the others', async () => {
  const { desk, repository } = await newBench();
  await hold(desk, 'came.bin', Buffer.from('came'));
  await sent(desk, { 'dropped.bin': 'dropped' });
  await vi.waitFor(() => expect(desk.files()[0]?.strip).toEqual(expect.any(String)), { timeout: 10_000 });
  expect(desk.files()).toMatchObject([
    { name: 'came.bin', path: 'in/deep', state: 'ready', presence: 'held', isTicked: false },
  ]);
  expect(repository.asked).not.toContain(md5Of('came'));
  expect(repository.forms.flatMap((form) => form.files.map(({ name }) => name))).toEqual(['dropped.bin']);
});

test('nor is it asked about when others are asked about again, or after a restart', async () => {
  const { desk, repository } = await newBench();
  await hold(desk, 'came.bin', Buffer.from('came'));
  const again = await reopened(desk);
  again.uploads.askAgain(team);
  await again.add({ 'dropped.bin': 'dropped' });
  await quietDraft(again);
  expect(repository.asked).toEqual([md5Of('dropped')]);
});

test('as soon as it is ticked it is a file as any other: asked about, and sent', async () => {
  const { desk, repository } = await newBench();
  await hold(desk, 'came.bin', Buffer.from('came'));
  await quietDraft(desk);
  await desk.uploads.change(team, { kind: 'files', ids: [idOf(desk, 'came.bin')] }, { addTags: ['seen'] });
  expect(desk.files()).toMatchObject([{ presence: 'held' }]);
  await desk.uploads.change(team, { kind: 'all' }, { isTicked: true });
  expect(await quietDraft(desk)).toMatchObject([{ presence: 'new', isTicked: true }]);
  const { id } = await desk.uploads.send(team);
  expect(await ended(desk, id)).toMatchObject({ state: 'done', counts: { done: 1 } });
  expect(repository.forms).toHaveLength(1);
});

test('a file unticked by mistake is only queried if it was in progress, also after a restart', async () => {
  const answered = Promise.withResolvers<void>();
  const { desk, repository } = await newBench(
    { record: () => answered.promise.then(() => false) },
    { settings: { bulkConnections: 2 } },
  );
  for (let at = 0; at < 40; at += 1) await hold(desk, `came-${at}.bin`, Buffer.from(`came ${at}`));
  await desk.uploads.change(team, { kind: 'all' }, { isTicked: true });
  await vi.waitFor(() => expect(repository.asked).toHaveLength(2));
  await desk.uploads.change(team, { kind: 'all' }, { isTicked: false });
  answered.resolve();
  await vi.waitFor(() => expect(desk.files().filter(({ presence }) => presence === 'new')).toHaveLength(2));
  const again = await reopened(desk);
  again.uploads.askAgain(team);
  expect((await quietDraft(again)).filter(({ presence }) => presence === 'held')).toHaveLength(38);
  expect(repository.asked).toHaveLength(2);
});

test('what an archive holds that came by itself came by itself too', async () => {
  const { desk, repository } = await newBench();
  await hold(desk, 'came.zip', await madeBy('zip -q out.zip one.bin', { 'one.bin': Buffer.from('one') }));
  const opened = [
    { name: 'came.zip', archive: { state: 'open', members: 1 } },
    { name: 'one.bin', presence: 'held', isTicked: false },
  ];
  await vi.waitFor(() => expect(desk.files()).toMatchObject(opened), { timeout: 10_000 });
  await quietDraft(desk);
  expect(repository.asked).toEqual([]);
});

test('the same bytes from the hands of a person are sent, and what came by itself is not', async () => {
  const { desk, repository } = await newBench();
  await hold(desk, 'came.bin', Buffer.from('same'));
  const job = await sent(desk, { 'dropped.bin': 'same' });
  expect(await outcomesOf(desk, job.id)).toEqual({ 'dropped.bin': 'done' });
  expect(await quietDraft(desk)).toMatchObject([
    { name: 'came.bin', state: 'ready', presence: 'held', isTicked: false },
  ]);
  expect(repository.forms).toHaveLength(1);
});

test('a person who takes such bytes out again leaves what came by itself as it was', async () => {
  const { desk, repository } = await newBench();
  await hold(desk, 'came.bin', Buffer.from('same'));
  const [dropped = 0] = await desk.add({ 'dropped.bin': 'same' });
  expect(await quietDraft(desk)).toMatchObject([
    { name: 'came.bin', state: 'same', sameAs: dropped, isTicked: false },
    { name: 'dropped.bin', state: 'ready', isTicked: true },
  ]);
  await desk.uploads.remove(team, { kind: 'files', ids: [dropped] });
  expect(await quietDraft(desk)).toMatchObject([
    { name: 'came.bin', state: 'ready', presence: 'held', isTicked: false },
  ]);
  await expect(desk.uploads.send(team)).rejects.toMatchObject({ failure: { kind: 'nothing-selected' } });
  expect([repository.asked, repository.uploads()]).toEqual([[md5Of('same')], 0]);
});

test('the same bytes that come by themselves change nothing of those a person dropped', async () => {
  const { desk } = await newBench();
  await desk.add({ 'dropped.bin': 'same' });
  await hold(desk, 'came.bin', Buffer.from('same'));
  expect(await quietDraft(desk)).toMatchObject([
    { name: 'dropped.bin', isTicked: true, presence: 'new' },
    { name: 'came.bin', state: 'same', isTicked: false },
  ]);
});

test.each([true, false])(
  'an archive that a person hands over is opened as any other where the same came by itself before; ticked: %s',
  async (isTicked) => {
    const { desk } = await newBench();
    const zip = await madeBy('zip -q out.zip one.bin', { 'one.bin': Buffer.from('one') });
    await hold(desk, 'came.zip', zip);
    await vi.waitFor(() => expect(desk.files()).toHaveLength(2), { timeout: 10_000 });
    const { id } = await desk.staging.stageStream('own.zip', once(zip));
    const [own = 0] = desk.uploads.add(team, [{ id, path: '' }], { isTicked });
    await vi.waitFor(() => expect(desk.files()).toHaveLength(4), { timeout: 10_000 });
    expect((await quietDraft(desk)).toSorted((a, b) => a.id - b.id)).toMatchObject([
      { name: 'came.zip', state: 'same', isTicked: false },
      { name: 'one.bin', state: 'same', isTicked: false },
      { id: own, state: 'ready', archive: { state: 'open', members: 1 }, isTicked: false },
      { name: 'one.bin', parentId: own, state: 'ready', isTicked },
    ]);
  },
);

test('bytes that are gone are not replaced by those of a file that came by itself', async () => {
  const { desk, repository } = await newBench();
  await addInPlace(desk, ['dropped.bin']);
  await quietDraft(desk);
  await hold(desk, 'came.bin', Buffer.from(filesNamed('dropped.bin')['dropped.bin'] ?? ''));
  await rm(join(desk.options.folder, 'theirs', 'dropped.bin'));
  const job = await sent(desk);
  expect(await failuresOf(desk, job.id)).toEqual({ 'dropped.bin': 'file-gone' });
  expect(repository.uploads()).toBe(0);
  expect(await quietDraft(desk)).toMatchObject([
    { name: 'came.bin', state: 'ready', presence: 'held', isTicked: false },
  ]);
});

test('a missing file of a person is not replaced by an automatic one with the same bytes', async () => {
  const { desk } = await newBench();
  await addInPlace(desk, ['dropped.bin']);
  await quietDraft(desk);
  const bytes = Buffer.from(filesNamed('dropped.bin')['dropped.bin'] ?? '');
  await rm(join(desk.options.folder, 'theirs', 'dropped.bin'));
  await seenIn(desk, 'came.bin', bytes);
  await desk.uploads.placeMoved(team, [hashesOf(bytes)]);
  const job = await sent(desk);
  expect(await failuresOf(desk, job.id)).toEqual({ 'dropped.bin': 'file-gone' });
});
