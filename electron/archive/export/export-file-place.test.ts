import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { placeFile, placeFolder } from './export-file.ts';

/** `look`: after each call that changes a disk. `refused`: what a call of that name fails with. */
const disk = vi.hoisted(() => ({ look: (): void => undefined, refused: new Map<string, string>() }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const watched =
    <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const code = disk.refused.get(name);
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      try {
        return await call(...args);
      } finally {
        disk.look();
      }
    };
  return {
    ...real,
    open: watched('open', real.open),
    mkdir: watched('mkdir', real.mkdir),
    link: watched('link', real.link),
    unlink: watched('unlink', real.unlink),
    rename: watched('rename', real.rename),
    rmdir: watched('rmdir', real.rmdir),
  };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-place-'));
  return async () => {
    disk.look = () => undefined;
    disk.refused.clear();
    await rm(folder, { recursive: true, force: true });
  };
});

/** What is under a name at each step, each once: the text of a file, the names in a folder. */
function seenUnder(name: string): Set<string> {
  const seen = new Set<string>();
  disk.look = () => {
    const there = statSync(join(folder, name), { throwIfNoEntry: false });
    seen.add(
      there === undefined
        ? 'nothing'
        : there.isDirectory()
          ? readdirSync(join(folder, name)).join()
          : readFileSync(join(folder, name), 'utf8'),
    );
  };
  return seen;
}

async function unfinishedFile(text: string): Promise<string> {
  const path = join(folder, `.${text}.part`);
  await writeFile(path, text);
  return path;
}

async function unfinished(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  await writeFile(join(path, 'sample'), text);
  return path;
}

test('a new folder gets an unused name: not that of a file, a dangling link or a concurrent folder', async () => {
  await mkdir(join(folder, 'out'));
  await writeFile(join(folder, 'out (2)'), 'theirs');
  await symlink(join(folder, 'nowhere'), join(folder, 'out (3)'));
  const parts = await Promise.all(['a', 'b', 'c'].map((text) => unfinished(`.${text}.part`, text)));
  const placed = await Promise.all(parts.map((part) => placeFolder(part, folder, 'out')));
  expect(placed.map(({ fileName }) => fileName).toSorted()).toEqual(['out (4)', 'out (5)', 'out (6)']);
  for (const [at, { path }] of placed.entries())
    expect(await readFile(join(path, 'sample'), 'utf8')).toBe(['a', 'b', 'c'][at]);
  expect(await readdir(join(folder, 'out'))).toEqual([]);
  expect(await readFile(join(folder, 'out (2)'), 'utf8')).toBe('theirs');
});

test('the name of a file never shows anything but the complete file', async () => {
  const part = await unfinishedFile('whole');
  const seen = seenUnder('out.zip');
  expect(await placeFile(part, folder, 'out.zip')).toEqual({ path: join(folder, 'out.zip'), fileName: 'out.zip' });
  expect(seen).toEqual(new Set(['whole']));
  expect(await readdir(folder)).toEqual(['out.zip']);
});

test('the name of a folder never shows anything but the complete folder', async () => {
  const part = await unfinished('.part', 'whole');
  const seen = seenUnder('out');
  await placeFolder(part, folder, 'out');
  expect(seen).toEqual(new Set(['nothing', 'sample']));
});

test('a new file gets an unused name: not that of a folder, a dangling link or a concurrent file', async () => {
  await mkdir(join(folder, 'out.zip'));
  await writeFile(join(folder, 'out (2).zip'), 'theirs');
  await symlink(join(folder, 'nowhere'), join(folder, 'out (3).zip'));
  const parts = await Promise.all(['a', 'b', 'c'].map((text) => unfinishedFile(text)));
  const placed = await Promise.all(parts.map((part) => placeFile(part, folder, 'out.zip')));
  expect(placed.map(({ fileName }) => fileName).toSorted()).toEqual(['out (4).zip', 'out (5).zip', 'out (6).zip']);
  for (const [at, { path }] of placed.entries()) expect(await readFile(path, 'utf8')).toBe(['a', 'b', 'c'][at]);
  expect(await readFile(join(folder, 'out (2).zip'), 'utf8')).toBe('theirs');
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

// The error of FAT and exFAT on Linux, macOS and Windows, a file system in a process, a share that has no name for it.
test.each(['EPERM', 'ENOTSUP', 'EISDIR', 'ENOSYS', 'EMLINK', 'Unknown system error -102'])(
  'a file is placed without overwriting another when the disk has no hard links and reports %j',
  async (code) => {
    await writeFile(join(folder, 'out.zip'), 'theirs');
    disk.refused.set('link', code);
    expect(await placeFile(await unfinishedFile('whole'), folder, 'out.zip')).toMatchObject({
      fileName: 'out (2).zip',
    });
    expect(await readFile(join(folder, 'out (2).zip'), 'utf8')).toBe('whole');
    expect(await readFile(join(folder, 'out.zip'), 'utf8')).toBe('theirs');
    expect((await readdir(folder)).toSorted()).toEqual(['out (2).zip', 'out.zip']);
  },
);

test('a file is not placed when its unfinished name cannot be removed', async () => {
  const part = await unfinishedFile('whole');
  disk.refused.set('unlink', 'EIO');
  await expect(placeFile(part, folder, 'out.zip')).rejects.toMatchObject({
    failure: { kind: 'disk-failed', code: 'EIO' },
  });
  expect(await readdir(folder)).toEqual(['.whole.part']);
});

test('a failed rename of a folder keeps its content and another empty folder', async () => {
  const part = await unfinished('.part', 'whole');
  await mkdir(join(folder, 'out'));
  disk.refused.set('rename', 'EIO');
  await expect(placeFolder(part, folder, 'out')).rejects.toMatchObject({
    failure: { kind: 'disk-failed', code: 'EIO' },
  });
  expect((await readdir(folder)).toSorted()).toEqual(['.part', 'out']);
});

test('a missing folder or file leaves no empty one under its name', async () => {
  await expect(placeFolder(join(folder, 'none'), folder, 'out')).rejects.toMatchObject({
    failure: { kind: 'not-writable', code: 'ENOENT' },
  });
  await expect(placeFile(join(folder, 'none'), folder, 'out.zip')).rejects.toMatchObject({
    failure: { kind: 'not-writable', code: 'ENOENT' },
  });
  expect(await readdir(folder)).toEqual([]);
});

test.each(['', '..', '../out', 'a/b', '.hidden'])('%j is refused as a plain name', async (name) => {
  await expect(placeFolder(await unfinished('.part', ''), folder, name)).rejects.toThrow(TypeError);
});
