import { cpSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import { DataPlace } from './data-lock.ts';

let folder: TestFolder;
let directory: string;
let place: DataPlace;
let changes: number;
let losses: number;
beforeEach(() => {
  folder = makeTestFolder();
  directory = join(folder.path, 'data');
  changes = 0;
  losses = 0;
  mkdirSync(directory);
  writeFileSync(join(directory, 'open.db'), 'rows');
  writeFileSync(lockFile(), '');
  place = new DataPlace({
    directory,
    file: join(directory, 'open.db'),
    lockFile: lockFile(),
    onChange: () => (changes += 1),
    onLost: () => (losses += 1),
  });
});
afterEach(() => {
  place.close();
  folder.remove();
});

const lockFile = (): string => join(directory, 'lock.db');

const isThere = (): boolean => {
  try {
    place.requireThere();
    return true;
  } catch (error) {
    expect(error instanceof FailureError && error.failure).toEqual({ kind: 'data-gone', path: directory });
    return false;
  }
};

test('a renamed directory is gone until it is back, and each change is reported once', () => {
  expect([isThere(), isThere(), changes]).toEqual([true, true, 0]);
  renameSync(directory, `${directory}-elsewhere`);
  expect([isThere(), isThere(), changes]).toEqual([false, false, 1]);
  renameSync(`${directory}-elsewhere`, directory);
  expect([isThere(), isThere(), changes]).toEqual([true, true, 2]);
});

test('a write to the data file does not change its identity', () => {
  writeFileSync(join(directory, 'open.db'), 'more rows');
  expect(isThere()).toBe(true);
});

test('a copy in the place of the directory is not the open one', () => {
  renameSync(directory, `${directory}-elsewhere`);
  cpSync(`${directory}-elsewhere`, directory, { recursive: true, preserveTimestamps: true });
  expect(isThere()).toBe(false);
});

test('an empty folder in its place is not the open one', () => {
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  expect(isThere()).toBe(false);
});

test.each([
  ['removed', () => rmSync(lockFile())],
  [
    'replaced by that of another program',
    () => {
      // Made before the old one goes, or it might get its number.
      writeFileSync(`${lockFile()}-new`, '');
      renameSync(`${lockFile()}-new`, lockFile());
    },
  ],
])('a lock file that was %s protects the data no longer, reported once and for good', (_, change) => {
  const held = `${lockFile()}-held`;
  linkSync(lockFile(), held);
  change();
  const refused = expect.objectContaining({ failure: { kind: 'data-not-held', path: lockFile() } });
  expect(() => place.requireThere()).toThrow(refused);
  renameSync(held, lockFile());
  expect(() => place.requireThere()).toThrow(refused);
  expect([changes, losses]).toEqual([1, 1]);
});

test('a directory that vanishes with its lock file lost nothing', () => {
  renameSync(directory, `${directory}-elsewhere`);
  expect([isThere(), losses]).toEqual([false, 0]);
  renameSync(`${directory}-elsewhere`, directory);
  expect([isThere(), losses]).toEqual([true, 0]);
});

test('a directory that loses its lock file first, as in a full removal, is gone, and lost when back', () => {
  rmSync(lockFile());
  expect(() => place.requireThere()).toThrow(
    expect.objectContaining({ failure: { kind: 'data-not-held', path: lockFile() } }),
  );
  renameSync(directory, `${directory}-elsewhere`);
  expect(isThere()).toBe(false);
  renameSync(`${directory}-elsewhere`, directory);
  expect(() => place.requireThere()).toThrow(
    expect.objectContaining({ failure: { kind: 'data-not-held', path: lockFile() } }),
  );
  expect(losses).toBe(1);
});
