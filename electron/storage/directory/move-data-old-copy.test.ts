import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { makeTestFolder, openTestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { findDataDirectory } from './data-location.ts';
import { holdDataDirectory } from './data-lock.ts';
import { findOldCopy, moveData, removeOldCopy } from './move-data.ts';

let folder: TestFolder;
let usual: string;
let target: string;
beforeEach(async () => {
  folder = makeTestFolder();
  usual = join(folder.path, 'Vitrine');
  target = join(folder.path, 'disk', 'data');
  openTestDatabase(usual).db.close();
  for (const name of ['vault/ab', 'lab', 'staging']) mkdirSync(join(usual, name), { recursive: true, mode: 0o700 });
  for (const name of ['one', 'two', 'three']) writeFileSync(join(usual, 'vault', 'ab', name), name.repeat(100));
  writeFileSync(join(usual, 'lab', 'lab.db'), 'lab');
  await moveTo(target);
});
afterEach(() => folder.remove());

async function moveTo(to: string): Promise<void> {
  await moveData({ named: null, usual, target: to, onBegin: () => {} });
}
const remove = (from = target, signal = new AbortController().signal): ReturnType<typeof removeOldCopy> =>
  removeOldCopy(from, signal);
const dataBytes = (): number => 1_100 + 3 + statSync(join(target, 'vitrine.db')).size;

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof FailureError ? error.failure : error;
}

test('the old copy is reported, removed as a whole, no longer reported, and its folder can be reused', async () => {
  expect(await findOldCopy(target)).toEqual({ path: usual, bytes: dataBytes() });
  expect(await findOldCopy(usual)).toBeNull();
  expect(await remove()).toEqual({ freedBytes: dataBytes(), leftFiles: 0 });
  expect(readdirSync(usual)).toEqual([]);
  expect(await findOldCopy(target)).toBeNull();
  expect(await remove()).toEqual({ freedBytes: 0, leftFiles: 0 });
  await moveTo(usual);
  expect(readFileSync(join(usual, 'vault', 'ab', 'one'), 'utf8')).toBe('one'.repeat(100));
});

test('files not copied stay: added, replaced, longer, or with another time', async () => {
  writeFileSync(join(usual, 'mine.txt'), 'mine');
  writeFileSync(join(usual, 'vault', 'ab', 'four'), 'four');
  appendFileSync(join(usual, 'vault', 'ab', 'one'), '!');
  utimesSync(join(usual, 'vault', 'ab', 'two'), 1, 1);
  expect(await remove()).toEqual({ freedBytes: dataBytes() - 300 - 300, leftFiles: 4 });
  expect(readdirSync(join(usual, 'vault', 'ab')).toSorted()).toEqual(['four', 'one', 'two']);
  expect(readdirSync(usual).toSorted()).toEqual(['mine.txt', 'vault']);
  expect(await findOldCopy(target)).toBeNull();
});

test('removal follows no link', async () => {
  const elsewhere = join(folder.path, 'elsewhere');
  renameSync(join(usual, 'vault'), elsewhere);
  symlinkSync(elsewhere, join(usual, 'vault'), 'junction');
  rmSync(join(usual, 'lab'), { recursive: true });
  mkdirSync(join(folder.path, 'lab'));
  symlinkSync(join(folder.path, 'lab'), join(usual, 'lab'), 'junction');
  expect(await remove()).toMatchObject({ leftFiles: 2 });
  expect(readdirSync(join(elsewhere, 'ab'))).toHaveLength(3);
  expect(readdirSync(join(folder.path, 'lab'))).toEqual([]);
});

test('a link in the place of the old folder is no old copy', async () => {
  const elsewhere = join(folder.path, 'elsewhere');
  renameSync(usual, elsewhere);
  symlinkSync(elsewhere, usual, 'junction');
  expect(await findOldCopy(target)).toBeNull();
  await remove();
  expect(existsSync(join(elsewhere, 'vitrine.db'))).toBe(true);
});

test('an old folder in use, or with its lab in use, loses nothing', async () => {
  const lock = holdDataDirectory(usual, { fileName: 'lock.db', waitMs: 0 });
  expect(await refusal(remove())).toMatchObject({ kind: 'data-in-use', path: usual });
  lock.release();
  const lab = holdDataDirectory(join(usual, 'lab'), { fileName: 'lab.lock', waitMs: 0 });
  expect(await refusal(remove())).toMatchObject({ kind: 'data-in-use' });
  lab.release();
  expect(await remove()).toEqual({ freedBytes: dataBytes(), leftFiles: 0 });
});

test('an interrupted removal cannot be opened, and the next call completes it', async () => {
  expect(await refusal(remove(target, AbortSignal.abort()))).toEqual({ kind: 'cancelled' });
  expect(() => findDataDirectory({ named: usual, usual })).toThrow(
    expect.objectContaining({ failure: { kind: 'data-unfinished', path: usual } }),
  );
  rmSync(join(usual, 'vault', 'ab', 'one'));
  expect(await findOldCopy(target)).toMatchObject({ path: usual });
  expect(await remove()).toEqual({ freedBytes: dataBytes() - 300, leftFiles: 0 });
  expect(readdirSync(usual)).toEqual([]);
});

test.each([1, 2, 3, 5, 8])('a removal cut off at step %i removes the rest when called again', async (steps) => {
  let left = steps;
  const stop = {
    get aborted() {
      left -= 1;
      return left < 0;
    },
  };
  expect(await refusal(removeOldCopy(target, stop))).toEqual({ kind: 'cancelled' });
  expect(() => findDataDirectory({ named: usual, usual })).toThrow();
  expect(await remove()).toMatchObject({ leftFiles: 0 });
  expect([readdirSync(usual), await findOldCopy(target)]).toEqual([[], null]);
});

test('a folder a person removed, or put back in place of the old one, is no old copy', async () => {
  rmSync(usual, { recursive: true });
  expect(await findOldCopy(target)).toBeNull();
  cpSync(target, usual, { recursive: true, preserveTimestamps: true });
  expect(await findOldCopy(usual)).toBeNull();
  expect(await remove(usual)).toEqual({ freedBytes: 0, leftFiles: 0 });
  expect(existsSync(join(usual, 'vitrine.db'))).toBe(true);
});

test('copies of two moves are removed one after the other, the newer first', async () => {
  const third = join(folder.path, 'third');
  await moveTo(third);
  expect(await findOldCopy(third)).toMatchObject({ path: target });
  expect(await remove(third)).toMatchObject({ leftFiles: 0 });
  expect(await findOldCopy(third)).toMatchObject({ path: usual });
  expect(await remove(third)).toMatchObject({ leftFiles: 0 });
  expect([readdirSync(usual), readdirSync(target), await findOldCopy(third)]).toEqual([[], [], null]);
});

test.each(['not JSON', '{"path":"../third/file","sizeBytes":4,"changedMs":1000}', '{"folder":"/"}'])(
  'a line that names nothing in the folder removes nothing: %s',
  async (line) => {
    const third = join(folder.path, 'third');
    mkdirSync(third);
    writeFileSync(join(third, 'file'), 'mine');
    utimesSync(join(third, 'file'), 1, 1);
    appendFileSync(join(target, 'moved-from.jsonl'), `${line}\n`);
    expect(await remove()).toMatchObject({ leftFiles: 0 });
    expect(existsSync(join(third, 'file'))).toBe(true);
  },
);

test('an unreadable list reports no old copy', async () => {
  writeFileSync(join(target, 'moved-from.jsonl'), '{"from":"relative","bytes":1}\n');
  expect(await findOldCopy(target)).toBeNull();
  writeFileSync(join(target, 'moved-from.jsonl'), '');
  expect(await findOldCopy(target)).toBeNull();
  expect(await remove()).toEqual({ freedBytes: 0, leftFiles: 0 });
});
