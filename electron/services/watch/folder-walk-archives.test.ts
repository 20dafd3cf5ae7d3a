import type { PathLike } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStaging, type Staging } from '../../vault/staging.ts';
import { openInPlaceBlocking } from '../../vault/staging/staged-bytes.ts';
import { walkFolder } from './folder-walk.ts';

/**
 * As Electron's: a file with such a name is an archive, and one that is none is not there
 * (`lib/node/asar-fs-wrapper.ts` of its sources).
 */
const { asElectron } = vi.hoisted(() => ({
  asElectron:
    <A extends [PathLike, ...unknown[]], R>(call: (...args: A) => R, refuse: (error: Error) => R) =>
    (...args: A): R =>
      String(args[0]).endsWith('.asar') && !process.noAsar
        ? refuse(Object.assign(new Error('ENOENT, not found in the archive'), { code: 'ENOENT' }))
        : call(...args),
}));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const rejected = async (error: Error): Promise<never> => {
    throw error;
  };
  return {
    ...real,
    stat: asElectron(real.stat, rejected),
    lstat: asElectron(real.lstat, rejected),
    access: asElectron(real.access, rejected),
    open: asElectron(real.open, rejected),
  };
});
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const thrown = (error: Error): never => {
    throw error;
  };
  return { ...real, openSync: asElectron(real.openSync, thrown) };
});

const bytes = Buffer.from('a program of somebody else');
let folder: string;
let path: string;
let staging: Staging;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-archive-named-'));
  path = join(folder, 'app.asar');
  await writeFile(path, bytes);
  staging = await openStaging(join(folder, 'staging'));
});
afterEach(async () => {
  await staging.close();
  await rm(folder, { recursive: true, force: true });
});

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const piece of pieces) collected.push(piece);
  return collected;
}

test('the stand-in refuses the same as Electron', async () => {
  const { stat } = await import('node:fs/promises');
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a file named like an archive of Electron is staged and read like any other', async () => {
  const { id, sizeBytes } = await staging.stagePath(path);
  expect([sizeBytes, await staging.check(id)]).toEqual([bytes.length, 'there']);
  expect(Buffer.concat(await all(staging.open(id)))).toEqual(bytes);
});

test('a file named like an archive of Electron is read by the workers’ blocking reads too', async () => {
  const { id } = await staging.stagePath(path);
  const place = staging.placeOf(id);
  if (place.kind !== 'in-place') throw new TypeError('it was copied');
  const file = await openInPlaceBlocking(place);
  const read = Buffer.alloc(bytes.length);
  await file.read(read, 0);
  await file.close();
  expect(read).toEqual(bytes);
});

test('a file named like an archive of Electron is found in a watched folder', async () => {
  const found = await all(
    walkFolder(folder, { depth: 0, limit: 10, signal: new AbortController().signal, entered: () => {} }),
  );
  expect(found.flatMap(({ files }) => files.map((file) => file.path))).toEqual(['app.asar']);
});

test('Electron still sees archives, also after a failed call', async () => {
  await expect(staging.stagePath(join(folder, 'gone.asar'))).rejects.toThrow();
  expect(process.noAsar).toBeFalsy();
});
