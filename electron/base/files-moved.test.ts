import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { moveIntoPlace, moveToFreeName, persistently } from './files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-disk-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a moved file replaces an older one', async () => {
  const [from, to] = [join(folder, 'new'), join(folder, 'old')];
  await writeFile(from, 'new');
  await writeFile(to, 'old');
  await moveIntoPlace(from, to);
  expect(await readFile(to, 'utf8')).toBe('new');
  expect(await readdir(folder)).toEqual(['old']);
});

test('a missing file leaves the older one and returns the system’s error', async () => {
  const to = join(folder, 'old');
  await writeFile(to, 'old');
  await expect(moveIntoPlace(join(folder, 'none'), to)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readFile(to, 'utf8')).toBe('old');
});

test.skipIf(platform === 'win32').each([
  ['a place that may be taken', moveIntoPlace],
  ['a free name', moveToFreeName],
])('%s: the new name is synced to disk once it exists', async (_where, move) => {
  await writeFile(join(folder, 'from'), 'new');
  const place = await open(folder, 'r');
  onTestFinished(() => place.close());
  const synced: [number, string[]][] = [];
  const ofAll: FileHandle = Object.getPrototypeOf(place);
  const sync = vi.spyOn(ofAll, 'sync').mockImplementation(async function (this: FileHandle) {
    synced.push([(await this.stat()).ino, await readdir(folder)]);
  });
  onTestFinished(() => sync.mockRestore());
  await move(join(folder, 'from'), join(folder, 'to'));
  expect(synced).toEqual([[(await stat(folder)).ino, ['to']]]);
});

test('a file that another program holds briefly is retried, unlike after another error', async () => {
  const held = new Set(['EPERM']);
  const failing = (times: number, code: string) => {
    let calls = 0;
    const work = async (): Promise<void> => {
      calls += 1;
      if (calls <= times) throw Object.assign(new Error(code), { code });
    };
    return { work, calls: () => calls };
  };
  const moment = failing(2, 'EPERM');
  await persistently(moment.work, held);
  expect(moment.calls()).toBe(3);
  const other = failing(1, 'EIO');
  await expect(persistently(other.work, held)).rejects.toThrow('EIO');
  expect(other.calls()).toBe(1);
});
