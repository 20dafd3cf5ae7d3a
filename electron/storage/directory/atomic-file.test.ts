import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import { removeUnfinished, translateFileError, writeFileAtomic } from './atomic-file.ts';

let folder: TestFolder;
let path: string;
beforeEach(() => {
  folder = makeTestFolder();
  path = join(folder.path, 'a-file');
});
afterEach(() => folder.remove());

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

test('a write replaces the whole file, readable by its owner only, and leaves nothing else', async () => {
  writeFileSync(path, 'a longer text from before', { mode: 0o644 });
  await writeFileAtomic(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(['a-file']);
});

test('a failed write keeps the file and leaves nothing unfinished', async () => {
  mkdirSync(path);
  writeFileSync(join(path, 'inside'), '');
  await expect(writeFileAtomic(path, 'new')).rejects.toMatchObject({ failure: { kind: 'disk-failed', path } });
  expect(readdirSync(folder.path)).toEqual(['a-file']);
});

test('a missing folder is a failure that names the file', async () => {
  await expect(writeFileAtomic(join(folder.path, 'none', 'x'), '')).rejects.toMatchObject({
    failure: { kind: 'disk-failed', code: 'ENOENT' },
  });
  await expect(removeUnfinished(join(folder.path, 'none', 'x'))).rejects.toBeInstanceOf(FailureError);
});

test('the crash remains of this file are removed, and no others', async () => {
  for (const name of ['a-file.0123.unfinished', 'a-file.json', 'another.0123.unfinished'])
    writeFileSync(join(folder.path, name), '');
  await removeUnfinished(path);
  expect(readdirSync(folder.path)).toEqual(['a-file.json', 'another.0123.unfinished']);
});

test('a full disk is distinguished from one that is not writable and one that failed', () => {
  const device = openSync('/dev/full', 'w');
  let error: unknown;
  try {
    writeSync(device, 'x');
  } catch (thrown) {
    error = thrown;
  } finally {
    closeSync(device);
  }
  expect(translateFileError(error, path)).toMatchObject({ failure: { kind: 'disk-full', path }, cause: error });
  for (const code of ['EACCES', 'EROFS', 'EPERM'])
    expect(translateFileError(systemError(code), path)).toMatchObject({ failure: { kind: 'not-writable', code } });
  expect(translateFileError(systemError('EIO'), path)).toMatchObject({ failure: { kind: 'disk-failed', code: 'EIO' } });
});

test('a failure and a defect pass unchanged', () => {
  const failure = new FailureError({ kind: 'cancelled' });
  const defect = new TypeError('ours');
  expect(translateFileError(failure, path)).toBe(failure);
  expect(translateFileError(defect, path)).toBe(defect);
  expect(translateFileError('text', path)).toBeInstanceOf(TypeError);
});
