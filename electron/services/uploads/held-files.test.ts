import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { madeBy } from '../../archive/zip-making.fixture.ts';
import { ended, team, type UploadDesk } from './upload-desk.fixture.ts';
import { newBench, quietDraft, reopened, sent } from './upload-bench.fixture.ts';
import { md5Of } from './scripted-repository.fixture.ts';

const hex = (algorithm: string, bytes: Uint8Array): string => createHash(algorithm).update(bytes).digest('hex');

async function hold(desk: UploadDesk, name: string, bytes: Uint8Array): Promise<void> {
  const { id } = await desk.staging.stageStream(name, (async function* () { yield bytes; })());
  const hashes = { md5: hex('md5', bytes), sha1: hex('sha1', bytes), sha256: hex('sha256', bytes) };
  desk.uploads.addHeld(team, [{ stagedId: id, path: 'in/deep', hashes }]);
}

const idOf = (desk: UploadDesk, name: string): number => desk.files().find((file) => file.name === name)?.id ?? 0;

test('a file that came by itself is looked at, not ticked, not asked about and not sent with the others', async () => {
  const { desk, repository } = await newBench();
  await hold(desk, 'came.bin', Buffer.from('came'));
  await sent(desk, { 'dropped.bin': 'dropped' });
  await vi.waitFor(() => expect(desk.files()[0]?.strip).toEqual(expect.any(String)), { timeout: 10_000 });
  expect(desk.files()).toMatchObject([{ name: 'came.bin', path: 'in/deep', state: 'ready', presence: 'held', isTicked: false }]);
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

test('what an archive holds that came by itself came by itself too', async () => {
  const { desk, repository } = await newBench();
  await hold(desk, 'came.zip', await madeBy('zip -q out.zip one.bin', { 'one.bin': Buffer.from('one') }));
  const opened = [{ name: 'came.zip', archive: { state: 'open', members: 1 } }, { name: 'one.bin', presence: 'held', isTicked: false }];
  await vi.waitFor(() => expect(desk.files()).toMatchObject(opened), { timeout: 10_000 });
  await quietDraft(desk);
  expect(repository.asked).toEqual([]);
});

test('the same bytes from the hands of a person are meant to be sent', async () => {
  const { desk, repository } = await newBench();
  await hold(desk, 'came.bin', Buffer.from('same'));
  const job = await sent(desk, { 'dropped.bin': 'same' });
  expect(job).toMatchObject({ state: 'done', counts: { done: 1 } });
  expect(repository.forms).toHaveLength(1);
});

test('the same bytes that come by themselves change nothing of those a person dropped', async () => {
  const { desk } = await newBench();
  await desk.add({ 'dropped.bin': 'same' });
  await hold(desk, 'came.bin', Buffer.from('same'));
  expect(await quietDraft(desk)).toMatchObject([{ name: 'dropped.bin', isTicked: true, presence: 'new' }, { name: 'came.bin', state: 'same', isTicked: false }]);
});
