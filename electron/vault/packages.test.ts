import { hash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { platform } from 'node:process';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { canMountDisks, smallDisk } from '../base/small-disk.fixture.ts';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { failing, sha256Of } from './batch.fixture.ts';
import { containerOverheadBytes, headerBytes } from './container/container.ts';
import { collected, eicar, filesHolding, filesUnder } from './eicar.fixture.ts';
import { newPackages, openedPackages, pathIn } from './packages.fixture.ts';
import { openPackages, type Packages } from './packages.ts';
import { inPieces } from './pieces.fixture.ts';

/** On both sides of what is sealed where it arrives. */
const eachSize = [
  ['small', 5000],
  ['large', 3_000_000],
] as const;
const limits = { atMostBytes: 8_000_000 };

const store = async (packages: Packages, bytes: Uint8Array, workspaceId = 'lab'): Promise<string> =>
  (await packages.receive(workspaceId, inPieces(bytes), limits)).sha256;
async function alter(path: string, at: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

describe.each(eachSize)('a %s package', (_, size) => {
  test('is read back unchanged, whole and from any place', async () => {
    const { packages, folder } = await newPackages();
    const bytes = randomBytes(size);
    const sha256 = hash('sha256', bytes);
    expect(await packages.receive('w-1', inPieces(bytes), limits)).toEqual({ sha256, sizeBytes: size });
    expect(await filesUnder(folder)).toEqual([pathIn(folder, sha256, 'w-1')]);
    await packages.check('w-1', sha256);
    expect(await collected(packages.read('w-1', sha256))).toEqual(bytes);
    const access = await packages.openAt('w-1', sha256);
    expect(access.sizeBytes).toBe(size);
    for (const [position, length] of [
      [0, 10],
      [17, 1500],
      [size - 3, 3],
      [size - 3, 99],
      [size, 1],
      [1, size],
    ] as const) {
      expect(Buffer.from(await access.read(position, length))).toEqual(bytes.subarray(position, position + length));
    }
    await access.close();
  });

  test('over the limit is aborted while it arrives, and at the limit is accepted', async () => {
    const { packages, folder } = await newPackages();
    const bytes = randomBytes(size);
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array, void, void> {
      for (; ; taken += 1) yield bytes;
    }
    const atMostBytes = size * 2 + 1;
    await expect(packages.receive('lab', endless(), { atMostBytes })).rejects.toMatchObject(
      failing('package-too-large', { limitBytes: atMostBytes }),
    );
    expect([taken, await filesUnder(folder)]).toEqual([2, []]);
    expect(await packages.receive('lab', inPieces(bytes), { atMostBytes: size })).toMatchObject({ sizeBytes: size });
  });

  test('whose byte stream fails leaves nothing, and the error is passed on', async () => {
    const { packages, folder } = await newPackages();
    async function* cut(): AsyncGenerator<Uint8Array, void, void> {
      yield randomBytes(size);
      throw new Error('the line was cut');
    }
    await expect(packages.receive('lab', cut(), limits)).rejects.toThrow('the line was cut');
    expect(await filesUnder(folder)).toEqual([]);
  });

  test('that is still arriving when the store closes leaves nothing', async () => {
    const { packages, folder } = await newPackages();
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* held(): AsyncGenerator<Uint8Array, void, void> {
      yield randomBytes(size);
      asked.resolve();
      await released.promise;
      yield randomBytes(10);
    }
    const received = Promise.allSettled([packages.receive('lab', held(), limits)]);
    await asked.promise;
    await packages.close();
    expect(await filesUnder(folder)).toEqual([]);
    released.resolve();
    expect(await received).toMatchObject([{ reason: failing('cancelled') }]);
    expect(await filesUnder(folder)).toEqual([]);
    await expect(store(packages, randomBytes(10))).rejects.toThrow('closed');
  });

  test('that was damaged never counts as whole, and is whole after it is received again', async () => {
    const { packages, folder } = await newPackages();
    const bytes = randomBytes(size);
    const sha256 = await store(packages, bytes);
    const path = pathIn(folder, sha256);
    const damaged = failing('vault-damaged', { sha256 });
    for (const at of [0, headerBytes + size - 1, headerBytes + size + 40, size + containerOverheadBytes - 1]) {
      await alter(path, at);
      await expect(packages.check('lab', sha256)).rejects.toMatchObject(damaged);
      await expect(collected(packages.read('lab', sha256))).rejects.toMatchObject(damaged);
      await alter(path, at);
    }
    await writeFile(path, (await readFile(path)).subarray(0, size));
    await expect(packages.check('lab', sha256)).rejects.toMatchObject(damaged);
    await expect(packages.openAt('lab', sha256)).rejects.toMatchObject(damaged);
    expect(await store(packages, bytes)).toBe(sha256);
    await packages.check('lab', sha256);
  });
});

test('an empty package is valid, too', async () => {
  const { packages } = await newPackages();
  const sha256 = await store(packages, Buffer.alloc(0));
  expect(await collected(packages.read('lab', sha256))).toEqual(Buffer.alloc(0));
});

test('no byte of a package is on the disk in plain form', async () => {
  const { packages, folder } = await newPackages();
  const sha256 = await store(packages, eicar);
  expect(await filesHolding(folder, eicar.subarray(0, 20))).toEqual([]);
  expect(await collected(packages.read('lab', sha256))).toEqual(eicar);
});

test('the same bytes are one package of a workspace, and each workspace has its own', async () => {
  const { packages, folder } = await newPackages();
  const bytes = randomBytes(5000);
  const [sha256] = await Promise.all([store(packages, bytes), store(packages, bytes), store(packages, bytes, 'w-1')]);
  expect(await filesUnder(folder)).toEqual([pathIn(folder, sha256), pathIn(folder, sha256, 'w-1')]);
  await packages.remove('lab', sha256);
  await packages.remove('lab', sha256);
  await expect(packages.check('lab', sha256)).rejects.toMatchObject(failing('package-missing', { sha256 }));
  await packages.check('w-1', sha256);
});

test('a package that does not exist is missing, for every query', async () => {
  const { packages } = await newPackages();
  const sha256 = '0'.repeat(64);
  const missing = failing('package-missing', { sha256 });
  await expect(packages.check('lab', sha256)).rejects.toMatchObject(missing);
  await expect(packages.openAt('w-1', sha256)).rejects.toMatchObject(missing);
  await expect(collected(packages.read('lab', sha256))).rejects.toMatchObject(missing);
  await packages.remove('w-1', sha256);
  await packages.removeWorkspace('w-1');
});

test('the bytes of another package under the name of this one are damage', async () => {
  const { packages, folder } = await newPackages();
  const [one, other] = [await store(packages, randomBytes(50)), await store(packages, randomBytes(50))];
  await writeFile(pathIn(folder, one), await readFile(pathIn(folder, other)));
  for (const ask of [() => packages.check('lab', one), () => packages.openAt('lab', one)])
    await expect(ask()).rejects.toMatchObject(failing('vault-damaged', { sha256: one }));
});

test('a package cut while it is read reports this', async () => {
  const { packages, folder } = await newPackages();
  const sha256 = await store(packages, randomBytes(5000));
  const access = await packages.openAt('lab', sha256);
  await writeFile(pathIn(folder, sha256), '');
  await expect(access.read(0, 100)).rejects.toMatchObject(failing('vault-damaged', { sha256 }));
  await access.close();
});

test.skipIf(platform !== 'linux')(
  'a received package is synced to the disk: first the bytes, then the name, then the new folder',
  async () => {
    const { packages, folder } = await newPackages();
    const synced: string[] = [];
    const handle = await open(folder);
    const prototype: FileHandle = Object.getPrototypeOf(handle);
    const { sync } = prototype;
    await handle.close();
    const spy = vi.spyOn(prototype, 'sync').mockImplementation(function recorded(this: FileHandle) {
      synced.push(basename(readlinkSync(`/proc/self/fd/${this.fd}`)));
      return sync.call(this);
    });
    onTestFinished(() => spy.mockRestore());
    await store(packages, randomBytes(5000));
    expect(synced).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.part$/), 'lab', 'packages']);
  },
);

test('a folder that cannot be created is a failure that names it', async () => {
  const place = join(temporaryFolder(), 'file');
  await writeFile(place, '');
  await expect(openPackages(join(place, 'packages'))).rejects.toMatchObject({
    failure: { path: join(place, 'packages') },
  });
});

test('a package whose folder is removed during arrival is a disk failure and leaves nothing', async () => {
  const { packages, folder } = await newPackages();
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  await expect(store(packages, randomBytes(5000))).rejects.toMatchObject({ failure: { path: folder } });
});

// Without the right to mount there is no disk to fill; the title shows in the report that this was not tested.
describe.skipIf(!canMountDisks)('a full disk (needs root on Linux, to mount a small one)', () => {
  test.each(eachSize)(
    'during a %s package is named, leaves nothing, and keeps existing packages whole',
    async (_, size) => {
      const disk = smallDisk('1m');
      const packages = await openedPackages(disk);
      const first = await store(packages, randomBytes(100_000));
      const fill = async (): Promise<never> => {
        for (;;) await store(packages, randomBytes(size));
      };
      await expect(fill()).rejects.toMatchObject(failing('disk-full', { path: disk }));
      expect((await readdir(disk)).filter((name) => name.endsWith('.part'))).toEqual([]);
      await packages.check('lab', first);
      expect(sha256Of(await collected(packages.read('lab', first)))).toBe(first);
    },
  );
});

test('a removed package is no longer new: a file in its place afterwards is swept', async () => {
  const { packages, folder } = await newPackages();
  const bytes = randomBytes(5000);
  const path = pathIn(folder, hash('sha256', bytes), 'lab');
  for (const remove of [(sha256: string) => packages.remove('lab', sha256), () => packages.removeWorkspace('lab')]) {
    const sha256 = await store(packages, bytes);
    await packages.sweep(() => false);
    const left = await readFile(path);
    await remove(sha256);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, left);
    await packages.sweep(() => false);
    expect(await filesUnder(folder)).toEqual([]);
  }
});
