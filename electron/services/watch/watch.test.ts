import { rmSync } from 'node:fs';
import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fail, FailureError } from '../../../shared/failure.ts';
import { outcomesOf, quietDraft } from '../uploads/upload-bench.fixture.ts';
import { ended, team } from '../uploads/uploads.fixture.ts';
import { aWhile, createTestWatch, scanOf, takeAway, touch, watching } from './watch.fixture.ts';

const refusal = (reason: string) => ({ failure: { kind: 'watch-refused', reason } });

test('the watch does nothing until a folder is chosen and turned on', async () => {
  const { watch } = await createTestWatch();
  expect(watch.state()).toEqual({
    folder: null,
    isOn: false,
    workspaceId: null,
    failure: null,
    leftAlone: 0,
    found: 0,
    files: [],
  });
  await expect(watch.turn(true, team)).rejects.toMatchObject(refusal('not-chosen'));
});

test('the watch ignores existing files when turned on, and drafts new ones unticked and announces them', async () => {
  const setup = await watching({}, { 'old.bin': 'old', 'deep/old.bin': 'older' });
  await setup.put('new.bin', 'new');
  await setup.put('a/b/.hidden', 'hidden');
  await setup.settle();
  expect(setup.watch.state()).toMatchObject({
    folder: setup.folder,
    isOn: true,
    workspaceId: team,
    failure: null,
    leftAlone: 2,
    found: 2,
  });
  expect(setup.states()).toEqual({ 'new.bin': 'drafted', 'a/b/.hidden': 'drafted' });
  const drafted = new Set(
    setup.upload.files().map(({ name, path, isTicked, presence }) => [path, name, isTicked, presence].join(' ')),
  );
  expect(drafted).toEqual(new Set([' new.bin false held', 'a/b .hidden false held']));
  expect(setup.found).toEqual([{ files: 2, hits: 0, scan: null }]);
  expect(setup.repository.connections()).toBe(0);
});

test('sending the ticked files sends no automatically added file', async () => {
  const setup = await watching();
  await setup.put('new.bin', 'new');
  await setup.settle();
  await expect(setup.upload.uploads.send(team)).rejects.toMatchObject({ failure: { kind: 'nothing-to-send' } });
  expect(setup.repository.connections()).toBe(0);
});

test('the watch takes a file written in pieces when it is complete, and never before', async () => {
  const setup = await watching();
  for (let pieces = 1; pieces <= 6; pieces += 1) {
    await appendFile(join(setup.folder, 'slow.bin'), 'piece ');
    setup.news.get(setup.folder)?.('slow.bin');
    await setup.clock.pass(1_500);
    expect(setup.file('slow.bin')).toMatchObject({ state: 'waiting', sizeBytes: pieces * 6 });
    expect(setup.upload.files()).toEqual([]);
  }
  await setup.settle();
  expect(setup.file('slow.bin')).toMatchObject({ state: 'drafted', sizeBytes: 36 });
  expect(setup.upload.files()).toMatchObject([{ name: 'slow.bin', sizeBytes: 36 }]);
});

test('a file that pauses while it grows needs a longer quiet period before it is taken', async () => {
  const setup = await watching();
  await setup.put('slow.bin', 'one');
  await setup.clock.pass(aWhile);
  await appendFile(join(setup.folder, 'slow.bin'), ' two');
  await setup.clock.pass(2_000);
  expect(setup.states()).toEqual({ 'slow.bin': 'waiting' });
  await setup.clock.pass(9_000);
  expect(setup.states()).toEqual({ 'slow.bin': 'waiting' });
  await setup.clock.pass(1_000);
  expect(setup.states()).toEqual({ 'slow.bin': 'drafted' });
});

test.each(['movie.iso.part', 'setup.exe.crdownload'])('the watch waits for %s until it is renamed', async (name) => {
  const setup = await watching();
  await setup.put(name, 'half');
  await setup.settle();
  await setup.settle();
  expect(setup.states()).toEqual({ [name]: 'waiting' });
  await rename(join(setup.folder, name), join(setup.folder, 'whole.bin'));
  await setup.settle();
  await setup.settle();
  expect(setup.states()).toEqual({ 'whole.bin': 'drafted' });
});

test('the watch handles file system events without walking the folder', async () => {
  const setup = await watching();
  await setup.put('told.bin', 'told');
  setup.news.get(setup.folder)?.('told.bin');
  await setup.clock.pass(250);
  expect(setup.states()).toEqual({ 'told.bin': 'waiting' });
  await setup.put('below/inner.bin', 'inner');
  setup.news.get(setup.folder)?.('below');
  await setup.clock.pass(250);
  expect(setup.states()).toMatchObject({ 'below/inner.bin': 'waiting' });
  expect(setup.news.has(join(setup.folder, 'below'))).toBe(true);
});

test('the watch recognises known content under any name and treats a replaced file as new', async () => {
  const setup = await watching();
  await setup.put('one.bin', 'same');
  await setup.put('two.bin', 'same');
  await setup.settle();
  expect(Object.values(setup.states()).toSorted()).toEqual(['drafted', 'known']);
  await setup.put('one.bin', 'another content');
  await touch(setup, 'two.bin');
  await setup.settle();
  await setup.settle();
  expect(setup.states()).toEqual({ 'one.bin': 'drafted', 'two.bin': 'known' });
  expect(setup.upload.files()).toHaveLength(2);
});

test('the watch leaves out an empty file, and one deleted while it waits, with the reason', async () => {
  const setup = await watching();
  await setup.put('empty.bin', '');
  await setup.put('gone.bin', 'gone');
  await setup.clock.pass(aWhile);
  await rm(join(setup.folder, 'gone.bin'));
  await setup.settle();
  expect(setup.file('empty.bin')).toMatchObject({ state: 'left-out', failure: { kind: 'file-empty' } });
  expect(setup.file('gone.bin')).toMatchObject({ state: 'left-out', failure: { kind: 'file-gone' } });
  expect(setup.found).toEqual([]);
});

test('the watch ignores files that arrived while it was off, and earlier files stay known', async () => {
  const setup = await watching({}, { 'old.bin': 'old' });
  await setup.put('taken.bin', 'taken');
  await setup.settle();
  await setup.put('waiting.bin', 'waiting');
  await setup.put('growing.bin', 'half');
  await setup.clock.pass(aWhile);
  await setup.watch.turn(false, team);
  expect(setup.watch.state()).toMatchObject({ isOn: false, found: 3 });
  expect(setup.states()).toEqual({ 'taken.bin': 'drafted', 'waiting.bin': 'waiting', 'growing.bin': 'waiting' });
  await setup.put('meanwhile.bin', 'meanwhile');
  await setup.put('growing.bin', 'the whole');
  await setup.watch.turn(true, team);
  await setup.settle();
  expect(setup.watch.state()).toMatchObject({ isOn: true, leftAlone: 2, found: 3 });
  expect(setup.states()).toEqual({ 'taken.bin': 'drafted', 'waiting.bin': 'drafted', 'growing.bin': 'drafted' });
});

test('the watch takes no file twice after a restart and finds the ones that arrived meanwhile', async () => {
  const setup = await watching({}, { 'old.bin': 'old' });
  await setup.put('taken.bin', 'taken');
  await setup.settle();
  await setup.put('waiting.bin', 'waiting');
  await setup.clock.pass(aWhile);
  const again = await setup.reopen();
  await again.put('meanwhile.bin', 'meanwhile');
  await again.settle();
  expect(again.states()).toEqual({ 'taken.bin': 'drafted', 'waiting.bin': 'drafted', 'meanwhile.bin': 'drafted' });
  expect(again.upload.files()).toHaveLength(3);
  expect(again.watch.state().leftAlone).toBe(1);
});

test('the watch reports a folder that disappears, and takes only its new files when it is back', async () => {
  const setup = await watching({}, { 'old.bin': 'old' });
  await setup.put('taken.bin', 'taken');
  await setup.settle();
  await setup.put('waiting.bin', 'waiting');
  await setup.clock.pass(aWhile);
  const bringBack = await takeAway(setup);
  await setup.clock.pass(aWhile);
  await setup.clock.pass(aWhile);
  expect(setup.watch.state().failure).toMatchObject({ kind: 'watch-refused', reason: 'not-a-folder' });
  await bringBack();
  await setup.put('new.bin', 'new');
  await setup.settle();
  await setup.settle();
  expect(setup.watch.state()).toMatchObject({ failure: null, found: 3 });
  expect(setup.states()).toEqual({ 'taken.bin': 'drafted', 'waiting.bin': 'drafted', 'new.bin': 'drafted' });
});

test('the watch refuses a folder with too many files and stops taking files when one fills up', async () => {
  const setup = await watching({ filesAtMost: 2 }, { 'a.bin': 'a', 'b.bin': 'b' });
  await setup.put('c.bin', 'c');
  await setup.settle();
  expect(setup.watch.state().failure).toEqual({ kind: 'watch-too-many', path: setup.folder, limit: 2 });
  expect(setup.upload.files()).toEqual([]);
  await setup.watch.turn(false, team);
  await expect(setup.watch.turn(true, team)).rejects.toMatchObject({ failure: { kind: 'watch-too-many', limit: 2 } });
  expect(setup.watch.state().isOn).toBe(false);
});

test('a file that cannot be drafted keeps waiting, with the reason', async () => {
  const setup = await watching();
  setup.upload.options.workspaces = [];
  await setup.put('new.bin', 'new');
  await setup.settle();
  expect(setup.watch.state().failure).toEqual({ kind: 'workspace-missing', id: team });
  expect(setup.states()).toEqual({ 'new.bin': 'waiting' });
  setup.upload.options.workspaces = [team];
  await setup.clock.pass(60_000);
  await setup.clock.pass(60_000);
  expect(setup.watch.state()).toMatchObject({ failure: null, files: [{ state: 'drafted' }] });
});

test('clearing the list leaves the draft unchanged', async () => {
  const setup = await watching();
  await setup.put('new.bin', 'new');
  await setup.settle();
  expect(setup.watch.clear()).toMatchObject({ found: 0, files: [], isOn: true });
  expect(setup.upload.files()).toHaveLength(1);
  await setup.put('next.bin', 'next');
  await setup.settle();
  expect(setup.states()).toEqual({ 'next.bin': 'drafted' });
});

test('another watched folder replaces the first, and none of its files counts as new', async () => {
  const setup = await watching();
  const other = join(setup.folder, 'deep');
  await setup.put('deep/there.bin', 'there');
  expect(await setup.watch.chooseFolder(other)).toMatchObject({
    isChosen: true,
    state: { folder: other, isOn: true, workspaceId: team, leftAlone: 1, found: 0 },
  });
  await setup.put('deep/new.bin', 'new');
  await setup.put('above.bin', 'above');
  await setup.settle();
  expect(setup.states()).toEqual({ 'new.bin': 'drafted' });
});

test.each([
  ['data', 'inside-data'],
  ['data/vault', 'inside-data'],
  ['.', 'around-data'],
  ['nowhere', 'not-a-folder'],
  ['watched/a.txt', 'not-a-folder'],
])('the watch refuses the folder %s: %s', async (path, reason) => {
  const setup = await createTestWatch();
  await setup.put('a.txt', 'a');
  await setup.put('../data/vault/x', 'x');
  await expect(setup.watch.chooseFolder(join(setup.folder, '..', path))).rejects.toMatchObject(refusal(reason));
});

test('cancelling the folder choice changes nothing', async () => {
  const { watch } = await createTestWatch({ chooseFolder: async () => null });
  expect(await watch.chooseFolder(null)).toMatchObject({ isChosen: false, state: { folder: null } });
});

test('a store that fails to write twice does not stop later files from being taken', async () => {
  const setup = await watching();
  const full = new FailureError({ kind: 'disk-full', path: '/data' });
  const setState = vi.spyOn(setup.upload.stores.watch, 'setState').mockImplementation(() => {
    throw full;
  });
  await setup.put('new.bin', 'new');
  await setup.settle();
  expect(setState.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(setup.watch.state().failure).toEqual(full.failure);
  setState.mockRestore();
  await setup.later();
  expect(setup.watch.state()).toMatchObject({ failure: null, files: [{ path: 'new.bin', state: 'drafted' }] });
});

test('a scan result is adopted later when it could not be stored at the end of the scan', async () => {
  const jobs = new Map([[7, scanOf(7, 'running')]]);
  const setup = await watching({ scan: async () => 7, job: (id) => jobs.get(id) ?? null });
  await setup.put('new.bin', 'new');
  await setup.settle();
  expect(setup.states()).toEqual({ 'new.bin': 'scanning' });
  vi.spyOn(setup.upload.stores.watch.outcomes, 'scanned').mockImplementationOnce(() =>
    fail({ kind: 'disk-full', path: '/data' }),
  );
  jobs.set(7, scanOf(7, 'done'));
  setup.events.emit({ name: 'job.changed', payload: scanOf(7, 'done') });
  expect(setup.states()).toEqual({ 'new.bin': 'scanning' });
  await setup.settle();
  expect(setup.states()).toEqual({ 'new.bin': 'drafted' });
  expect(setup.defects.splice(0)).toMatchObject([{ failure: { kind: 'disk-full' } }]);
});

test('a drafted file that was not scanned before a kill is scanned and reported at the next start', async () => {
  const setup = await watching({
    scan: async () => {
      throw new Error('killed');
    },
  });
  await setup.put('new.bin', 'new');
  await setup.settle();
  expect([setup.states(), setup.found, setup.defects.splice(0).length]).toEqual([{ 'new.bin': 'scanning' }, [], 1]);
  const again = await setup.reopen({ scan: async () => 7, job: (id) => scanOf(id, 'done') });
  await again.clock.pass(0);
  expect([again.states(), again.found, again.upload.files().length]).toEqual([
    { 'new.bin': 'drafted' },
    [{ files: 1, hits: 0, scan: null }],
    1,
  ]);
});

test('the watch reports that no rules are active', async () => {
  const setup = await watching();
  await setup.put('new.bin', 'new');
  await setup.settle();
  expect(setup.file('new.bin')).toMatchObject({ state: 'drafted', hits: null, failure: { kind: 'no-active-rules' } });
});

test('a file deleted before its scan does not stop the scan of the others', async () => {
  const setup = await watching();
  vi.spyOn(setup.upload.uploads, 'addHeld').mockImplementationOnce((...given) => {
    rmSync(join(setup.folder, 'gone.bin'));
    setup.upload.uploads.addHeld(...given);
  });
  await setup.put('gone.bin', 'gone');
  await setup.put('stays.bin', 'stays');
  await setup.settle();
  expect(setup.file('gone.bin')).toMatchObject({ state: 'drafted', failure: { kind: 'file-gone' } });
  expect(setup.scanned.map((files) => files.length)).toEqual([1]);
});

test('the watch reports a flood of files once, with all hits and their scan', async () => {
  const hits = new Map([
    [1, 0],
    [2, 3],
  ]);
  let job = 0;
  const setup = await watching({ scan: async () => (job += 1), job: (id) => scanOf(id, 'done') });
  const { outcomes } = setup.upload.stores.watch;
  const scanned = outcomes.scanned.bind(outcomes);
  vi.spyOn(outcomes, 'scanned').mockImplementation((id) => ({ ...scanned(id), hits: hits.get(id) ?? 0 }));
  await Promise.all(Array.from({ length: 501 }, (_, file) => setup.put(`${file}.bin`, `${file}`)));
  await setup.settle();
  expect(setup.found).toEqual([{ files: 501, hits: 3, scan: 2 }]);
});

test('a moved file is sent from its current place, and a copy changes nothing', async () => {
  const setup = await watching();
  await setup.put('came.bin', 'came');
  await setup.settle();
  await setup.put('copy.bin', 'came');
  await setup.settle();
  // One that is moved before it was looked at is found with the next walk only.
  expect(await quietDraft(setup.upload)).toMatchObject([{ name: 'came.bin', path: '' }]);
  await rm(join(setup.folder, 'copy.bin'));
  await mkdir(join(setup.folder, 'sorted'));
  await rename(join(setup.folder, 'came.bin'), join(setup.folder, 'sorted', 'moved.bin'));
  await setup.settle();
  expect(setup.upload.files()).toMatchObject([
    { name: 'moved.bin', path: 'sorted', isTicked: false, presence: 'held' },
  ]);
  const again = await setup.reopen();
  const { uploads } = again.upload;
  await uploads.change(team, { kind: 'files', ids: again.upload.files().map(({ id }) => id) }, { isTicked: true });
  await quietDraft(again.upload);
  const job = await ended(again.upload, (await uploads.send(team)).id);
  expect(await outcomesOf(again.upload, job.id)).toEqual({ 'moved.bin': 'done' });
});

test('a missing folder is reported even when nothing watches it', async () => {
  const setup = await watching();
  expect(await setup.watch.checkedState()).toMatchObject({ isOn: true, failure: null });
  await setup.watch.close();
  expect(await setup.watch.checkedState()).toMatchObject({ isOn: true, failure: null });
  await takeAway(setup);
  expect(await setup.watch.checkedState()).toMatchObject({
    isOn: true,
    failure: { kind: 'watch-refused', reason: 'not-a-folder' },
  });
  await setup.watch.turn(false, team);
  expect(await setup.watch.checkedState()).toMatchObject({ isOn: false, failure: null });
});
