import { hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FailureKind } from '../../shared/failure.ts';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { collected, eicar, filesHolding, filesUnder } from './eicar.fixture.ts';
import { openVault, type Vault } from './vault.ts';

const stray = Buffer.from('{}', 'latin1');
const md5Of = (bytes: Uint8Array): string => hash('md5', bytes);
const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes);
const failing = (kind: FailureKind, facts: object = {}): object => ({
  failure: expect.objectContaining({ kind, ...facts }),
});
/** On both sides of what is held in memory and of what one batch between threads holds. */
const sizes = { small: 1000, large: 3_000_000 };
const eachSize = Object.entries(sizes);

async function openFilesIn(folder: string): Promise<number> {
  const targets = await Promise.all(
    (await readdir('/proc/self/fd')).map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(folder)).length;
}

async function opened(folder: string): Promise<Vault> {
  const vault = await openVault(folder, null);
  onTestFinished(() => vault.close());
  return vault;
}

async function emptyVault(): Promise<{ vault: Vault; folder: string }> {
  const folder = temporaryFolder();
  return { vault: await opened(folder), folder };
}

async function store(vault: Vault, bytes: Uint8Array, expected: { md5?: string; sha256?: string } = {}) {
  const receiver = vault.receive();
  for (let at = 0; at < bytes.length; at += 65_536) await receiver.write(bytes.subarray(at, at + 65_536));
  return receiver.finish({ md5: expected.md5 ?? null, sha256: expected.sha256 ?? null });
}

const read = (vault: Vault, sha256: string): Promise<Buffer> => collected(vault.read(sha256));

describe('stored samples', () => {
  test.each([0, 1, 2, 3, 262_143, 262_144, 262_145, 262_146, 1_310_718, 1_310_719, 1_310_720, 1_310_721])(
    'are read back: %i bytes',
    async (size) => {
      const { vault } = await emptyVault();
      const bytes = randomBytes(size);
      const facts = { md5: md5Of(bytes), sha1: hash('sha1', bytes), sha256: sha256Of(bytes), sizeBytes: size };
      expect(await store(vault, bytes, { md5: facts.md5, sha256: facts.sha256 })).toEqual({
        ...facts,
        droppedStrayBytes: false,
        wasThere: false,
      });
      expect(await read(vault, facts.sha256)).toEqual(bytes);
      expect(await vault.hashesOf(facts.sha256)).toEqual(facts);
      expect(await vault.sizeOf(facts.sha256)).toBe(size);
    },
  );

  test('are read back for pieces of any size', async () => {
    const { vault } = await emptyVault();
    const cuts = fc.array(fc.integer({ min: 0, max: 700_000 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(cuts, async (lengths) => {
        const bytes = randomBytes(lengths.reduce((sum, length) => sum + length, 0));
        const receiver = vault.receive();
        let at = 0;
        for (const length of lengths) await receiver.write(bytes.subarray(at, (at += length)));
        const stored = await receiver.finish({ md5: md5Of(bytes), sha256: null });
        expect(stored.sha256).toBe(sha256Of(bytes));
        expect(stored.sha1).toBe(hash('sha1', bytes));
        expect(sha256Of(await read(vault, stored.sha256))).toBe(stored.sha256);
      }),
      { numRuns: 25 },
    );
  });

  test('are read back when several large ones arrive at a time, each its own', async () => {
    const { vault } = await emptyVault();
    const samples = Array.from({ length: 6 }, () => randomBytes(1_500_000));
    const stored = await Promise.all(samples.map((bytes) => store(vault, bytes, { md5: md5Of(bytes) })));
    expect(stored.map(({ sha256 }) => sha256)).toEqual(samples.map(sha256Of));
  });

  test('allow a chunk to be reused once it was taken', async () => {
    const { vault } = await emptyVault();
    const chunk = Buffer.alloc(400_000, 'a');
    const receiver = vault.receive();
    await receiver.write(chunk);
    chunk.fill('b');
    await receiver.write(chunk);
    const whole = Buffer.concat([Buffer.alloc(400_000, 'a'), chunk]);
    expect((await receiver.finish({ md5: null, sha256: null })).sha256).toBe(sha256Of(whole));
  });
});

describe('stored encrypted', () => {
  test('no file ever holds the sample in plain form, not even during its arrival', async () => {
    const { vault, folder } = await emptyVault();
    const bytes = Buffer.concat(Array.from({ length: 60_000 }, () => eicar));
    const receiver = vault.receive();
    for (let at = 0; at < bytes.length; at += 500_000) {
      await receiver.write(bytes.subarray(at, at + 500_000));
      expect(await filesHolding(folder, eicar)).toEqual([]);
    }
    await receiver.finish({ md5: md5Of(bytes), sha256: null });
    const { sha256 } = await store(vault, eicar);
    expect(await filesUnder(folder)).toHaveLength(2);
    expect(await filesHolding(folder, eicar)).toEqual([]);
    expect(await read(vault, sha256)).toEqual(eicar);
  });

  test('the same sample is never stored as the same bytes twice', async () => {
    const { vault, folder } = await emptyVault();
    const path = join(folder, sha256Of(eicar).slice(0, 2), sha256Of(eicar));
    await store(vault, eicar);
    const first = await readFile(path);
    await store(vault, eicar);
    expect(await readFile(path)).not.toEqual(first);
  });

  test('no one else may read a sample, and no one may execute it', async () => {
    const { vault, folder } = await emptyVault();
    const { sha256 } = await store(vault, eicar);
    expect((await stat(join(folder, sha256.slice(0, 2), sha256))).mode & 0o777).toBe(0o600);
  });
});

describe.each(eachSize)('the check on arrival, %s', (_, size) => {
  test('keeps no wrong bytes', async () => {
    const { vault, folder } = await emptyVault();
    const bytes = randomBytes(size);
    const md5 = md5Of(randomBytes(8));
    await expect(store(vault, bytes, { md5 })).rejects.toMatchObject(
      failing('wrong-bytes', { md5, actualMd5: md5Of(bytes), sizeBytes: size }),
    );
    expect(await filesUnder(folder)).toEqual([]);
  });

  test('drops two stray bytes', async () => {
    const { vault } = await emptyVault();
    const bytes = randomBytes(size);
    const stored = await store(vault, Buffer.concat([bytes, stray]), { md5: md5Of(bytes) });
    expect(stored).toMatchObject({ sizeBytes: size, sha256: sha256Of(bytes), droppedStrayBytes: true });
    expect(await read(vault, stored.sha256)).toEqual(bytes);
  });

  test('keeps a sample that truly ends in {} whole', async () => {
    const { vault } = await emptyVault();
    const bytes = Buffer.concat([randomBytes(size), stray]);
    expect(await store(vault, bytes, { md5: md5Of(bytes) })).toMatchObject({
      sha256: sha256Of(bytes),
      droppedStrayBytes: false,
    });
    expect(await store(vault, Buffer.concat([bytes, stray]), { md5: md5Of(bytes) })).toMatchObject({
      sha256: sha256Of(bytes),
      droppedStrayBytes: true,
    });
  });

  test('treats two other bytes at the end as wrong bytes', async () => {
    const { vault } = await emptyVault();
    const bytes = randomBytes(size);
    await expect(store(vault, Buffer.concat([bytes, Buffer.from('[]')]), { md5: md5Of(bytes) })).rejects.toMatchObject(
      failing('wrong-bytes'),
    );
  });

  test('keeps no bytes whose SHA-256 contradicts the record', async () => {
    const { vault, folder } = await emptyVault();
    const bytes = randomBytes(size);
    const recorded = sha256Of(randomBytes(8));
    const facts = { md5: md5Of(bytes), recordedSha256: recorded, actualSha256: sha256Of(bytes) };
    await expect(store(vault, bytes, { md5: facts.md5, sha256: recorded })).rejects.toMatchObject(
      failing('sha256-contradicts', facts),
    );
    expect(await filesUnder(folder)).toEqual([]);
  });

  test('leaves nothing after an abort, even a repeated one', async () => {
    const { vault, folder } = await emptyVault();
    const receiver = vault.receive();
    await receiver.write(randomBytes(size));
    await receiver.abort();
    await receiver.abort();
    expect(await filesUnder(folder)).toEqual([]);
    await expect(receiver.write(eicar)).rejects.toMatchObject(failing('cancelled'));
    await expect(receiver.finish({ md5: null, sha256: null })).rejects.toMatchObject(failing('cancelled'));
  });

  test('leaves the sample out or whole when aborted while finishing, and no rest', async () => {
    const { vault, folder } = await emptyVault();
    const bytes = randomBytes(size);
    const receiver = vault.receive();
    await receiver.write(bytes);
    const finished = receiver.finish({ md5: null, sha256: null });
    await Promise.allSettled([finished, receiver.abort()]);
    await expect(finished).rejects.toMatchObject(failing('cancelled'));
    expect(await filesUnder(folder)).toEqual([]);
  });

  test('delays an abort during naming until the name is set', async () => {
    const { vault, folder } = await emptyVault();
    const bytes = randomBytes(size);
    const receiver = vault.receive();
    await receiver.write(bytes);
    const { sha256 } = await receiver.seal({ md5: null, sha256: null });
    const kept = receiver.keep();
    await receiver.abort();
    expect(existsSync(join(folder, sha256.slice(0, 2), sha256))).toBe(true);
    expect((await kept).sha256).toBe(sha256);
  });

  test('ends arriving samples and leaves nothing when the vault closes', async () => {
    const { vault, folder } = await emptyVault();
    const receiver = vault.receive();
    await receiver.write(randomBytes(size));
    await vault.close();
    await expect(receiver.finish({ md5: null, sha256: null })).rejects.toMatchObject(failing('cancelled'));
    expect(await filesUnder(folder)).toEqual([]);
  });
});

describe('on the disk', () => {
  test('unfinished files of a crash are gone after the next opening, and nothing else is', async () => {
    const folder = temporaryFolder();
    await mkdir(join(folder, 'incoming'));
    await writeFile(join(folder, 'incoming', `${'0a'.repeat(16)}.part`), 'half');
    await writeFile(join(folder, 'incoming', 'notes.txt'), 'theirs');
    const before = await opened(folder);
    const { sha256 } = await store(before, eicar);
    expect(await filesUnder(folder)).toEqual([
      join(folder, sha256.slice(0, 2), sha256),
      join(folder, 'incoming', 'notes.txt'),
    ]);
    const again = await opened(folder);
    expect(await again.has(sha256)).toBe(true);
  });

  test('an existing sample is reported as such, and a damaged copy is healed by a new one', async () => {
    const { vault, folder } = await emptyVault();
    const { sha256 } = await store(vault, eicar);
    const path = join(folder, sha256.slice(0, 2), sha256);
    await writeFile(path, 'not any more');
    await expect(read(vault, sha256)).rejects.toMatchObject(failing('vault-damaged', { sha256 }));
    expect(await store(vault, eicar)).toMatchObject({ wasThere: true });
    expect(await read(vault, sha256)).toEqual(eicar);
  });

  test('a container under another sample’s name is damage', async () => {
    const { vault, folder } = await emptyVault();
    const { sha256 } = await store(vault, eicar);
    const other = sha256Of(randomBytes(8));
    await mkdir(join(folder, other.slice(0, 2)), { recursive: true });
    await writeFile(join(folder, other.slice(0, 2), other), await readFile(join(folder, sha256.slice(0, 2), sha256)));
    await expect(read(vault, other)).rejects.toMatchObject(failing('vault-damaged', { sha256: other }));
    await expect(vault.hashesOf(other)).rejects.toMatchObject(failing('vault-damaged', { sha256: other }));
  });

  test('a missing sample is reported as missing', async () => {
    const { vault } = await emptyVault();
    const sha256 = sha256Of(eicar);
    expect(await vault.has(sha256)).toBe(false);
    expect(await vault.sizeOf(sha256)).toBeNull();
    expect(await vault.hashesOf(sha256)).toBeNull();
    await expect(read(vault, sha256)).rejects.toMatchObject(failing('not-in-vault', { sha256 }));
    await vault.remove(sha256);
  });

  test('a removed sample is gone', async () => {
    const { vault, folder } = await emptyVault();
    const { sha256 } = await store(vault, eicar);
    await vault.remove(sha256);
    expect(await vault.has(sha256)).toBe(false);
    expect(await filesUnder(folder)).toEqual([]);
  });

  test('bytes that return after their removal was requested stay, wherever they are', async () => {
    const { vault, folder } = await emptyVault();
    const others = await Promise.all(
      Array.from({ length: 5 }, (_, number) => store(vault, Buffer.from(`other ${number}`))),
    );
    const { sha256 } = await store(vault, eicar);
    const removing = [...others, { sha256 }, { sha256 }].map((one) => vault.remove(one.sha256));
    await store(vault, eicar);
    await Promise.all(removing);
    expect(await read(vault, sha256)).toEqual(eicar);
    expect(await filesUnder(folder)).toHaveLength(1);
    await vault.remove(sha256);
    expect(await vault.has(sha256)).toBe(false);
  });

  test.each(['', '..', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(63)}/`, 'a'.repeat(32)])(
    '%j never becomes a path',
    async (name) => {
      const { vault } = await emptyVault();
      await expect(vault.has(name)).rejects.toThrow('SHA-256');
      await expect(read(vault, name)).rejects.toThrow('SHA-256');
      await expect(vault.remove(name)).rejects.toThrow('SHA-256');
    },
  );

  test('a vault blocked by a file is a failure with its path', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'vault');
    await writeFile(path, '');
    await expect(openVault(path, null)).rejects.toMatchObject(failing('disk-failed', { path, code: 'ENOTDIR' }));
  });

  test.skipIf(platform !== 'linux')('a reader that stops half-way leaves no file open', async () => {
    const { vault, folder } = await emptyVault();
    const { sha256 } = await store(vault, randomBytes(sizes.large));
    for await (const piece of vault.read(sha256)) {
      expect(piece.length).toBeGreaterThan(0);
      expect(await openFilesIn(folder)).toBe(1);
      break;
    }
    expect(await openFilesIn(folder)).toBe(0);
  });
});

describe('a sealed sample', () => {
  async function seal(vault: Vault, bytes: Buffer) {
    const receiver = vault.receive();
    await receiver.write(bytes);
    return { receiver, sha256: (await receiver.seal({ md5: null, sha256: null })).sha256 };
  }

  test.each(eachSize)('is in the vault once it is kept, and not before (%s)', async (_title, size) => {
    const { vault } = await emptyVault();
    const { receiver, sha256 } = await seal(vault, randomBytes(size));
    expect(await vault.has(sha256)).toBe(false);
    expect(await receiver.keep()).toMatchObject({ sha256, sizeBytes: size, wasThere: false });
    await receiver.abort();
    expect(await vault.has(sha256)).toBe(true);
  });

  test.each(eachSize)(
    'leaves nothing when aborted and takes nothing from another of the same bytes (%s)',
    async (_title, size) => {
      const { vault, folder } = await emptyVault();
      const bytes = randomBytes(size);
      const [first, second] = [await seal(vault, bytes), await seal(vault, bytes)];
      await second.receiver.keep();
      await first.receiver.abort();
      await expect(first.receiver.keep()).rejects.toThrow('not sealed');
      expect(await read(vault, first.sha256)).toEqual(bytes);
      expect(await readdir(join(folder, 'incoming'))).toEqual([]);
    },
  );

  test('is removed when the vault closes', async () => {
    const { vault, folder } = await emptyVault();
    await seal(vault, Buffer.from('nobody kept it'));
    await vault.close();
    expect(await filesUnder(folder)).toEqual([]);
  });
});

test.each(eachSize)('a vault whose folder disappeared has not lost its samples (%s)', async (_, size) => {
  const { vault, folder } = await emptyVault();
  const { sha256 } = await store(vault, randomBytes(size));
  const damaged: string[] = [];
  vault.onDamage((one) => damaged.push(one));
  await rename(folder, `${folder}-elsewhere`);
  const gone = failing('folder-gone', { path: folder });
  const attempts = [
    () => collected(vault.read(sha256)),
    () => vault.openAt(sha256),
    () => vault.has(sha256),
    () => vault.hashesOf(sha256),
    () => vault.sizeOf(sha256),
    () => vault.unusedBytes(),
    () => vault.cleanUp(() => false),
    () => vault.list()[Symbol.asyncIterator]().next(),
    () => vault.spool(),
    () => store(vault, randomBytes(size)),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(gone);
  expect([vault.unreadable(sha256, 'ENOENT').kind, vault.unreadable(sha256, 'damaged').kind, damaged]).toEqual([
    'folder-gone',
    'folder-gone',
    [],
  ]);
  await rename(`${folder}-elsewhere`, folder);
  expect(await vault.has(sha256)).toBe(true);
});
