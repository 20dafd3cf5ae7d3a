import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canMountDisks, smallDisk } from '../../base/small-disk.fixture.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { writeFileSafely } from './export-file.ts';

const unfinished = '.vitrine-of-a-test.part';

async function* streamOf(...texts: string[]): AsyncGenerator<Uint8Array, void, void> {
  for (const text of texts) yield Buffer.from(text);
}

test('the exported file has its name, its bytes and no execute permission', async () => {
  const folder = temporaryFolder();
  const written = await writeFileSafely(folder, 'a.zip', streamOf('one', '', 'two'), unfinished);
  expect(written).toEqual({ path: join(folder, 'a.zip'), fileName: 'a.zip', sizeBytes: 6 });
  expect(await readFile(written.path, 'utf8')).toBe('onetwo');
  expect((await stat(written.path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['a.zip']);
});

test('an existing file is never overwritten, even by concurrent exports', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'a.zip'), 'theirs');
  const written = await Promise.all(
    ['x', 'y', 'z'].map((text) => writeFileSafely(folder, 'a.zip', streamOf(text), `.vitrine-${text}.part`)),
  );
  expect(written.map(({ fileName }) => fileName).toSorted()).toEqual(['a (2).zip', 'a (3).zip', 'a (4).zip']);
  expect(await readFile(join(folder, 'a.zip'), 'utf8')).toBe('theirs');
  for (const [at, { path }] of written.entries()) expect(await readFile(path, 'utf8')).toBe(['x', 'y', 'z'][at]);
});

test('an unfinished export does not have its final name, and leaves nothing when the bytes fail', async () => {
  const folder = temporaryFolder();
  async function* broken(): AsyncGenerator<Uint8Array, void, void> {
    yield Buffer.from('half');
    expect(await readdir(folder)).toEqual([unfinished]);
    throw new Error('the vault went away');
  }
  await expect(writeFileSafely(folder, 'a.zip', broken(), unfinished)).rejects.toThrow('the vault went away');
  expect(await readdir(folder)).toEqual([]);
});

test('an export to a missing folder, or to a file as a folder, fails', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  for (const [name, code] of [
    ['gone', 'ENOENT'],
    ['file', 'ENOTDIR'],
  ] as const) {
    const path = join(folder, name);
    await expect(writeFileSafely(path, 'a.zip', streamOf('x'), unfinished)).rejects.toMatchObject({
      failure: { kind: 'not-writable', path, code },
    });
  }
});

test.skipIf(!canMountDisks)(
  'a full disk is named and nothing is left (needs root on Linux, to mount a small one)',
  async () => {
    const disk = smallDisk('64k');
    const tooMuch = streamOf(...Array.from({ length: 100 }, () => 'x'.repeat(4096)));
    await expect(writeFileSafely(disk, 'a.zip', tooMuch, unfinished)).rejects.toMatchObject({
      failure: { kind: 'disk-full', path: disk },
    });
    expect(await readdir(disk)).toEqual([]);
  },
);

test.each(['', '.', '..', '../a.zip', 'a/b.zip', 'C:\\a.zip', '.hidden', 'a.zip.', 'a\0.zip'])(
  '%j is refused as a plain name',
  async (name) => {
    const folder = temporaryFolder();
    await expect(writeFileSafely(folder, name, streamOf('x'), unfinished)).rejects.toThrow(TypeError);
    expect(await readdir(folder)).toEqual([]);
  },
);
