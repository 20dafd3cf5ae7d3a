import { rmSync } from 'node:fs';
import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fail, FailureError } from '../../../shared/failure.ts';
import { outcomesOf, quietDraft } from '../uploads/upload-bench.fixture.ts';
import { ended, team } from '../uploads/uploads.fixture.ts';
import { aWhile, newWatchDesk, scanOf, takeAway, touch, watching } from './watch.fixture.ts';

const refusal = (reason: string) => ({ failure: { kind: 'watch-refused', reason } });

test('nothing is watched until a folder is chosen and turned on', async () => {
  const { watch } = await newWatchDesk();
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

test('existing files are ignored when it is turned on, and new ones are drafted, unticked and announced', async () => {
  const desk = await watching({}, { 'old.bin': 'old', 'deep/old.bin': 'older' });
  await desk.put('new.bin', 'new');
  await desk.put('a/b/.hidden', 'hidden');
  await desk.settle();
  expect(desk.watch.state()).toMatchObject({
    folder: desk.folder,
    isOn: true,
    workspaceId: team,
    failure: null,
    leftAlone: 2,
    found: 2,
  });
  expect(desk.states()).toEqual({ 'new.bin': 'drafted', 'a/b/.hidden': 'drafted' });
  const drafted = new Set(
    desk.upload.files().map(({ name, path, isTicked, presence }) => [path, name, isTicked, presence].join(' ')),
  );
  expect(drafted).toEqual(new Set([' new.bin false held', 'a/b .hidden false held']));
  expect(desk.found).toEqual([{ files: 2, hits: 0, scan: null }]);
  expect(desk.repository.connections()).toBe(0);
});

test('a person who sends what is ticked sends nothing that came by itself', async () => {
  const desk = await watching();
  await desk.put('new.bin', 'new');
  await desk.settle();
  await expect(desk.upload.uploads.send(team)).rejects.toMatchObject({ failure: { kind: 'nothing-selected' } });
  expect(desk.repository.connections()).toBe(0);
});

test('a file that is written in pieces is taken when it is whole, and never before', async () => {
  const desk = await watching();
  for (let pieces = 1; pieces <= 6; pieces += 1) {
    await appendFile(join(desk.folder, 'slow.bin'), 'piece ');
    desk.news.get(desk.folder)?.('slow.bin');
    await desk.clock.pass(1_500);
    expect(desk.file('slow.bin')).toMatchObject({ state: 'waiting', sizeBytes: pieces * 6 });
    expect(desk.upload.files()).toEqual([]);
  }
  await desk.settle();
  expect(desk.file('slow.bin')).toMatchObject({ state: 'drafted', sizeBytes: 36 });
  expect(desk.upload.files()).toMatchObject([{ name: 'slow.bin', sizeBytes: 36 }]);
});

test('a file that pauses while it grows rests longer before it is taken', async () => {
  const desk = await watching();
  await desk.put('slow.bin', 'one');
  await desk.clock.pass(aWhile);
  await appendFile(join(desk.folder, 'slow.bin'), ' two');
  await desk.clock.pass(2_000);
  expect(desk.states()).toEqual({ 'slow.bin': 'waiting' });
  await desk.clock.pass(9_000);
  expect(desk.states()).toEqual({ 'slow.bin': 'waiting' });
  await desk.clock.pass(1_000);
  expect(desk.states()).toEqual({ 'slow.bin': 'drafted' });
});

test.each(['movie.iso.part', 'setup.exe.crdownload'])('%s is waited for until it is renamed', async (name) => {
  const desk = await watching();
  await desk.put(name, 'half');
  await desk.settle();
  await desk.settle();
  expect(desk.states()).toEqual({ [name]: 'waiting' });
  await rename(join(desk.folder, name), join(desk.folder, 'whole.bin'));
  await desk.settle();
  await desk.settle();
  expect(desk.states()).toEqual({ 'whole.bin': 'drafted' });
});

test('what the system tells is looked at without a walk', async () => {
  const desk = await watching();
  await desk.put('told.bin', 'told');
  desk.news.get(desk.folder)?.('told.bin');
  await desk.clock.pass(250);
  expect(desk.states()).toEqual({ 'told.bin': 'waiting' });
  await desk.put('below/inner.bin', 'inner');
  desk.news.get(desk.folder)?.('below');
  await desk.clock.pass(250);
  expect(desk.states()).toMatchObject({ 'below/inner.bin': 'waiting' });
  expect(desk.news.has(join(desk.folder, 'below'))).toBe(true);
});

test('the same content is known, under whatever name it comes; a replaced file is a new one', async () => {
  const desk = await watching();
  await desk.put('one.bin', 'same');
  await desk.put('two.bin', 'same');
  await desk.settle();
  expect(Object.values(desk.states()).toSorted()).toEqual(['drafted', 'known']);
  await desk.put('one.bin', 'another content');
  await touch(desk, 'two.bin');
  await desk.settle();
  await desk.settle();
  expect(desk.states()).toEqual({ 'one.bin': 'drafted', 'two.bin': 'known' });
  expect(desk.upload.files()).toHaveLength(2);
});

test('what is empty, or goes while it is waited for, is left out with its reason', async () => {
  const desk = await watching();
  await desk.put('empty.bin', '');
  await desk.put('gone.bin', 'gone');
  await desk.clock.pass(aWhile);
  await rm(join(desk.folder, 'gone.bin'));
  await desk.settle();
  expect(desk.file('empty.bin')).toMatchObject({ state: 'left-out', failure: { kind: 'file-empty' } });
  expect(desk.file('gone.bin')).toMatchObject({ state: 'left-out', failure: { kind: 'file-gone' } });
  expect(desk.found).toEqual([]);
});

test('files that came while it was off are ignored, and files from before stay known', async () => {
  const desk = await watching({}, { 'old.bin': 'old' });
  await desk.put('taken.bin', 'taken');
  await desk.settle();
  await desk.put('waiting.bin', 'waiting');
  await desk.put('growing.bin', 'half');
  await desk.clock.pass(aWhile);
  await desk.watch.turn(false, team);
  expect(desk.watch.state()).toMatchObject({ isOn: false, found: 3 });
  expect(desk.states()).toEqual({ 'taken.bin': 'drafted', 'waiting.bin': 'waiting', 'growing.bin': 'waiting' });
  await desk.put('meanwhile.bin', 'meanwhile');
  await desk.put('growing.bin', 'the whole');
  await desk.watch.turn(true, team);
  await desk.settle();
  expect(desk.watch.state()).toMatchObject({ isOn: true, leftAlone: 2, found: 3 });
  expect(desk.states()).toEqual({ 'taken.bin': 'drafted', 'waiting.bin': 'drafted', 'growing.bin': 'drafted' });
});

test('after a restart nothing comes twice, and what came meanwhile is found', async () => {
  const desk = await watching({}, { 'old.bin': 'old' });
  await desk.put('taken.bin', 'taken');
  await desk.settle();
  await desk.put('waiting.bin', 'waiting');
  await desk.clock.pass(aWhile);
  const again = await desk.reopen();
  await again.put('meanwhile.bin', 'meanwhile');
  await again.settle();
  expect(again.states()).toEqual({ 'taken.bin': 'drafted', 'waiting.bin': 'drafted', 'meanwhile.bin': 'drafted' });
  expect(again.upload.files()).toHaveLength(3);
  expect(again.watch.state().leftAlone).toBe(1);
});

test('a folder that goes is told of, and when it is back only what is new in it is new', async () => {
  const desk = await watching({}, { 'old.bin': 'old' });
  await desk.put('taken.bin', 'taken');
  await desk.settle();
  await desk.put('waiting.bin', 'waiting');
  await desk.clock.pass(aWhile);
  const bringBack = await takeAway(desk);
  await desk.clock.pass(aWhile);
  await desk.clock.pass(aWhile);
  expect(desk.watch.state().failure).toMatchObject({ kind: 'watch-refused', reason: 'not-a-folder' });
  await bringBack();
  await desk.put('new.bin', 'new');
  await desk.settle();
  await desk.settle();
  expect(desk.watch.state()).toMatchObject({ failure: null, found: 3 });
  expect(desk.states()).toEqual({ 'taken.bin': 'drafted', 'waiting.bin': 'drafted', 'new.bin': 'drafted' });
});

test('a folder with too many files is not turned on, and one that fills up takes nothing more', async () => {
  const desk = await watching({ filesAtMost: 2 }, { 'a.bin': 'a', 'b.bin': 'b' });
  await desk.put('c.bin', 'c');
  await desk.settle();
  expect(desk.watch.state().failure).toEqual({ kind: 'watch-too-many', path: desk.folder, limit: 2 });
  expect(desk.upload.files()).toEqual([]);
  await desk.watch.turn(false, team);
  await expect(desk.watch.turn(true, team)).rejects.toMatchObject({ failure: { kind: 'watch-too-many', limit: 2 } });
  expect(desk.watch.state().isOn).toBe(false);
});

test('what cannot be drafted is waited with, and the reason is told', async () => {
  const desk = await watching();
  desk.upload.options.workspaces = [];
  await desk.put('new.bin', 'new');
  await desk.settle();
  expect(desk.watch.state().failure).toEqual({ kind: 'workspace-missing', id: team });
  expect(desk.states()).toEqual({ 'new.bin': 'waiting' });
  desk.upload.options.workspaces = [team];
  await desk.clock.pass(60_000);
  await desk.clock.pass(60_000);
  expect(desk.watch.state()).toMatchObject({ failure: null, files: [{ state: 'drafted' }] });
});

test('the list can be cleared, and the draft keeps what it has', async () => {
  const desk = await watching();
  await desk.put('new.bin', 'new');
  await desk.settle();
  expect(desk.watch.clear()).toMatchObject({ found: 0, files: [], isOn: true });
  expect(desk.upload.files()).toHaveLength(1);
  await desk.put('next.bin', 'next');
  await desk.settle();
  expect(desk.states()).toEqual({ 'next.bin': 'drafted' });
});

test('another folder is watched in its place, and nothing of it is new', async () => {
  const desk = await watching();
  const other = join(desk.folder, 'deep');
  await desk.put('deep/there.bin', 'there');
  expect(await desk.watch.chooseFolder(other)).toMatchObject({
    isChosen: true,
    state: { folder: other, isOn: true, workspaceId: team, leftAlone: 1, found: 0 },
  });
  await desk.put('deep/new.bin', 'new');
  await desk.put('above.bin', 'above');
  await desk.settle();
  expect(desk.states()).toEqual({ 'new.bin': 'drafted' });
});

test.each([
  ['data', 'inside-data'],
  ['data/vault', 'inside-data'],
  ['.', 'around-data'],
  ['nowhere', 'not-a-folder'],
  ['watched/a.txt', 'not-a-folder'],
])('%s is refused: %s', async (path, reason) => {
  const desk = await newWatchDesk();
  await desk.put('a.txt', 'a');
  await desk.put('../data/vault/x', 'x');
  await expect(desk.watch.chooseFolder(join(desk.folder, '..', path))).rejects.toMatchObject(refusal(reason));
});

test('a person who chooses none changes nothing', async () => {
  const { watch } = await newWatchDesk({ chooseFolder: async () => null });
  expect(await watch.chooseFolder(null)).toMatchObject({ isChosen: false, state: { folder: null } });
});

test('a store that cannot be written, twice, keeps no file from being taken later', async () => {
  const desk = await watching();
  const full = new FailureError({ kind: 'disk-full', path: '/data' });
  const setState = vi.spyOn(desk.upload.stores.watch, 'setState').mockImplementation(() => {
    throw full;
  });
  await desk.put('new.bin', 'new');
  await desk.settle();
  expect(setState.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(desk.watch.state().failure).toEqual(full.failure);
  setState.mockRestore();
  await desk.later();
  expect(desk.watch.state()).toMatchObject({ failure: null, files: [{ path: 'new.bin', state: 'drafted' }] });
});

test('what a scan found is taken over though it could not be stored when the scan ended', async () => {
  const jobs = new Map([[7, scanOf(7, 'running')]]);
  const desk = await watching({ scan: async () => 7, job: (id) => jobs.get(id) ?? null });
  await desk.put('new.bin', 'new');
  await desk.settle();
  expect(desk.states()).toEqual({ 'new.bin': 'scanning' });
  vi.spyOn(desk.upload.stores.watch.outcomes, 'scanned').mockImplementationOnce(() =>
    fail({ kind: 'disk-full', path: '/data' }),
  );
  jobs.set(7, scanOf(7, 'done'));
  desk.events.emit({ name: 'job.changed', payload: scanOf(7, 'done') });
  expect(desk.states()).toEqual({ 'new.bin': 'scanning' });
  await desk.settle();
  expect(desk.states()).toEqual({ 'new.bin': 'drafted' });
  expect(desk.defects.splice(0)).toMatchObject([{ failure: { kind: 'disk-full' } }]);
});

test('a drafted file that was not scanned before a kill is scanned and reported at the next start', async () => {
  const desk = await watching({
    scan: async () => {
      throw new Error('killed');
    },
  });
  await desk.put('new.bin', 'new');
  await desk.settle();
  expect([desk.states(), desk.found, desk.defects.splice(0).length]).toEqual([{ 'new.bin': 'scanning' }, [], 1]);
  const again = await desk.reopen({ scan: async () => 7, job: (id) => scanOf(id, 'done') });
  await again.clock.pass(0);
  expect([again.states(), again.found, again.upload.files().length]).toEqual([
    { 'new.bin': 'drafted' },
    [{ files: 1, hits: 0, scan: null }],
    1,
  ]);
});

test('where no rules are active it says so', async () => {
  const desk = await watching();
  await desk.put('new.bin', 'new');
  await desk.settle();
  expect(desk.file('new.bin')).toMatchObject({ state: 'drafted', hits: null, failure: { kind: 'no-active-rules' } });
});

test('a file that goes before its scan keeps no other from being scanned', async () => {
  const desk = await watching();
  vi.spyOn(desk.upload.uploads, 'addHeld').mockImplementationOnce((...given) => {
    rmSync(join(desk.folder, 'gone.bin'));
    desk.upload.uploads.addHeld(...given);
  });
  await desk.put('gone.bin', 'gone');
  await desk.put('stays.bin', 'stays');
  await desk.settle();
  expect(desk.file('gone.bin')).toMatchObject({ state: 'drafted', failure: { kind: 'file-gone' } });
  expect(desk.scanned.map((files) => files.length)).toEqual([1]);
});

test('a flood is told of once, with all of its hits and the scan that has them', async () => {
  const hits = new Map([
    [1, 0],
    [2, 3],
  ]);
  let job = 0;
  const desk = await watching({ scan: async () => (job += 1), job: (id) => scanOf(id, 'done') });
  const { outcomes } = desk.upload.stores.watch;
  const scanned = outcomes.scanned.bind(outcomes);
  vi.spyOn(outcomes, 'scanned').mockImplementation((id) => ({ ...scanned(id), hits: hits.get(id) ?? 0 }));
  await Promise.all(Array.from({ length: 501 }, (_, file) => desk.put(`${file}.bin`, `${file}`)));
  await desk.settle();
  expect(desk.found).toEqual([{ files: 501, hits: 3, scan: 2 }]);
});

test('a file that was moved is sent from where it lies now, and a copy changes nothing', async () => {
  const desk = await watching();
  await desk.put('came.bin', 'came');
  await desk.settle();
  await desk.put('copy.bin', 'came');
  await desk.settle();
  // One that is moved before it was looked at is found with the next walk only.
  expect(await quietDraft(desk.upload)).toMatchObject([{ name: 'came.bin', path: '' }]);
  await rm(join(desk.folder, 'copy.bin'));
  await mkdir(join(desk.folder, 'sorted'));
  await rename(join(desk.folder, 'came.bin'), join(desk.folder, 'sorted', 'moved.bin'));
  await desk.settle();
  expect(desk.upload.files()).toMatchObject([{ name: 'moved.bin', path: 'sorted', isTicked: false, presence: 'held' }]);
  const again = await desk.reopen();
  const { uploads } = again.upload;
  await uploads.change(team, { kind: 'files', ids: again.upload.files().map(({ id }) => id) }, { isTicked: true });
  await quietDraft(again.upload);
  const job = await ended(again.upload, (await uploads.send(team)).id);
  expect(await outcomesOf(again.upload, job.id)).toEqual({ 'moved.bin': 'done' });
});

test('where nothing watches it now, a folder that is gone is told of all the same', async () => {
  const desk = await watching();
  expect(await desk.watch.checkedState()).toMatchObject({ isOn: true, failure: null });
  await desk.watch.close();
  expect(await desk.watch.checkedState()).toMatchObject({ isOn: true, failure: null });
  await takeAway(desk);
  expect(await desk.watch.checkedState()).toMatchObject({
    isOn: true,
    failure: { kind: 'watch-refused', reason: 'not-a-folder' },
  });
  await desk.watch.turn(false, team);
  expect(await desk.watch.checkedState()).toMatchObject({ isOn: false, failure: null });
});
