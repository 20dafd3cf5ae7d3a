import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import {
  addAll,
  adding,
  committed,
  deflated,
  failing,
  identical,
  large,
  md5Of,
  newVault,
  openedIn,
  sha256Of,
  small,
  type TestVault,
} from './batch.fixture.ts';
import { collected, eicar, filesHolding, filesUnder } from './eicar.fixture.ts';
import { PackIndexFile } from './packs/pack-index.fixture.ts';
import { openVault, type StoredSample, type Vault } from './vault.ts';

const read = (vault: Vault, sha256: string): Promise<Buffer> => collected(vault.read(sha256));
async function listed(vault: Vault): Promise<string[]> {
  const names: string[] = [];
  for await (const sha256 of vault.list()) names.push(sha256);
  return names.toSorted();
}
const missing = (sha256: string): object => failing('not-in-vault', { sha256 });
const bytesLeft = async (folder: string): Promise<number> =>
  (await Promise.all((await filesUnder(folder)).map((path) => stat(path)))).reduce((sum, { size }) => sum + size, 0);

async function placeOf(
  { index, folder }: TestVault,
  sha256: string,
): Promise<{ path: string; at: number; length: number }> {
  const place = index.place(sha256) ?? expect.fail('not in a pack');
  return { ...place, path: join(folder, 'packs', place.pack) };
}

async function overwrite(path: string, at: number, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.write(bytes, 0, bytes.length, at);
  await handle.close();
}

describe('stored samples', () => {
  test('are read back at any size', async () => {
    const { vault } = await newVault();
    for (const size of [0, 1, 4096, 65_535, 65_536, 65_537, 1_000_000]) {
      const bytes = randomBytes(size);
      const [stored] = await committed(vault, [bytes]);
      expect(stored).toMatchObject({
        md5: md5Of(bytes),
        sha256: sha256Of(bytes),
        sizeBytes: size,
        droppedStrayBytes: false,
        wasThere: false,
      });
      expect(await read(vault, sha256Of(bytes))).toEqual(bytes);
      expect(await vault.hashesOf(sha256Of(bytes))).toMatchObject({ md5: md5Of(bytes), sizeBytes: size });
      expect(await vault.sizeOf(sha256Of(bytes))).toBe(size);
    }
  });

  test('of many sizes are read back in the order of adding, after a restart', async () => {
    const place = temporaryFolder();
    const first = await openedIn(place);
    const samples = Array.from({ length: 300 }, (_, index) => randomBytes(index % 25 === 0 ? 90_000 : 100 + index));
    const kept = await committed(first.vault, samples);
    expect(kept.map(({ sha256 }) => sha256)).toEqual(samples.map(sha256Of));
    await first.vault.close();
    const { vault } = await openedIn(place);
    for (const bytes of samples) expect(await read(vault, sha256Of(bytes))).toEqual(bytes);
    expect(await listed(vault)).toEqual(samples.map(sha256Of).toSorted());
  });

  test('are files of their own without an index', async () => {
    const folder = temporaryFolder();
    const vault = await openVault(folder, null);
    onTestFinished(() => vault.close());
    const samples = [small(), large()];
    await committed(vault, samples);
    expect(await filesUnder(folder)).toEqual(
      samples.map((bytes) => join(folder, sha256Of(bytes).slice(0, 2), sha256Of(bytes))).toSorted(),
    );
    expect(await listed(vault)).toEqual(samples.map(sha256Of).toSorted());
    expect(await read(vault, sha256Of(samples[0] ?? eicar))).toEqual(samples[0]);
  });

  test('lose their buffer to the vault', async () => {
    const { vault } = await newVault();
    const batch = vault.batch();
    const samples = [identical(small()), identical(large())];
    await Promise.all(samples.map((sample) => batch.add(sample, { md5: null, sha256: null })));
    expect(samples.map(({ bytes }) => bytes.length)).toEqual([0, 0]);
  });
});

describe('an atomic commit', () => {
  test('makes nothing visible before it, and all of it afterwards', async () => {
    const { vault } = await newVault();
    const batch = vault.batch();
    const names = (await addAll(batch, [small(), large()])).map(({ sha256 }) => sha256);
    expect(await Promise.all(names.map((name) => vault.has(name)))).toEqual([false, false]);
    await batch.commit(() => {});
    expect(await Promise.all(names.map((name) => vault.has(name)))).toEqual([true, true]);
  });

  test('excludes samples added after its call, and includes the earlier ones', async () => {
    const { vault } = await newVault();
    const batch = vault.batch();
    const reported: string[][] = [];
    const report = (kept: readonly StoredSample[]): void => void reported.push(kept.map(({ sha256 }) => sha256));
    const samples = [small(), large(), small()];
    const names = samples.map(sha256Of);
    const before = addAll(batch, samples.slice(0, 2));
    const first = batch.commit(report);
    const after = addAll(batch, samples.slice(2));
    await Promise.all([before, first, after]);
    expect(reported).toEqual([names.slice(0, 2)]);
    await batch.commit(report);
    expect(reported).toEqual([names.slice(0, 2), names.slice(2)]);
  });

  test('leaves no samples when the database refuses it, and the batch continues', async () => {
    const { vault, folder } = await newVault();
    const batch = vault.batch();
    const refused = [small(), small()];
    await addAll(batch, refused);
    await expect(
      batch.commit(() => {
        throw new Error('the row was refused');
      }),
    ).rejects.toThrow('the row was refused');
    expect(await listed(vault)).toEqual([]);
    expect(await bytesLeft(folder)).toBe(0);
    const bytes = small();
    await adding(batch, bytes);
    await batch.commit(() => {});
    expect(await listed(vault)).toEqual([sha256Of(bytes)]);
  });

  test('of one of two batches is independent of the outcome of the other', async () => {
    const { vault } = await newVault();
    const [kept, left] = [vault.batch(), vault.batch()];
    const keptSamples = Array.from({ length: 60 }, (_, index) => (index % 20 === 0 ? large() : small()));
    const leftSamples = Array.from({ length: 60 }, (_, index) => (index % 20 === 0 ? large() : small()));
    await Promise.all(
      keptSamples.flatMap((bytes, index) => [adding(kept, bytes), adding(left, leftSamples[index] ?? bytes)]),
    );
    await Promise.all([kept.commit(() => {}), left.abort()]);
    expect(await listed(vault)).toEqual(keptSamples.map(sha256Of).toSorted());
    for (const bytes of keptSamples) expect(await read(vault, sha256Of(bytes))).toEqual(bytes);
  });

  test('is whole when two run at a time', async () => {
    const { vault } = await newVault();
    const groups = [0, 1].map(() => Array.from({ length: 40 }, (_, index) => (index === 0 ? large() : small())));
    await Promise.all(groups.map((samples) => committed(vault, samples)));
    expect(await listed(vault)).toEqual(groups.flat().map(sha256Of).toSorted());
  });

  test('leaves nothing after an abort, even a repeated one, and refuses later samples', async () => {
    const { vault, folder } = await newVault();
    const batch = vault.batch();
    await addAll(batch, [small(), large()]);
    const late = adding(batch, large());
    const [answer] = await Promise.allSettled([late, batch.abort(), batch.abort()]);
    expect(answer).toMatchObject({ status: 'rejected', reason: failing('cancelled') });
    expect(await bytesLeft(folder)).toBe(0);
    await expect(adding(batch, small())).rejects.toMatchObject(failing('cancelled'));
    await expect(batch.commit(() => {})).rejects.toMatchObject(failing('cancelled'));
  });

  test('that never happened leaves nothing when the vault closes', async () => {
    const { vault, folder } = await newVault();
    const batch = vault.batch();
    await addAll(batch, [small(), large()]);
    await vault.close();
    expect(await bytesLeft(folder)).toBe(0);
  });
});

describe('the check on arrival', () => {
  let folder: string;
  let vault: Vault;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-vault-'));
    vault = await openVault(join(folder, 'vault'), new PackIndexFile(join(folder, 'index.json')));
  });
  afterAll(async () => {
    await vault.close();
    await rm(folder, { recursive: true });
  });
  const expected = { md5: null, sha256: null };
  const name = 'a'.repeat(32);
  const named = { md5: name, sha256: null };
  const bytes = Buffer.alloc(5000, 'sound ');
  const sound = (): ReturnType<typeof deflated> => deflated(bytes);
  const bent = (): Uint8Array<ArrayBuffer> => new Uint8Array(deflateRawSync(bytes)).with(2, 255);

  test.each([
    [
      'of another MD5',
      () => sound(),
      named,
      failing('wrong-bytes', { md5: name, actualMd5: md5Of(bytes), sizeBytes: bytes.length }),
    ],
    [
      'of another SHA-256',
      () => sound(),
      { md5: md5Of(bytes), sha256: 'b'.repeat(64) },
      failing('sha256-contradicts', {
        md5: md5Of(bytes),
        recordedSha256: 'b'.repeat(64),
        actualSha256: sha256Of(bytes),
      }),
    ],
    [
      'of another CRC',
      () => ({ ...sound(), crc32: crc32(bytes) ^ 1 }),
      named,
      failing('archive-damaged', { name, reason: 'Its bytes do not match their checksum' }),
    ],
    [
      'larger than it says',
      () => ({ ...sound(), sizeBytes: 4999 }),
      named,
      failing('archive-damaged', { name, reason: 'Its size differs from the expected size' }),
    ],
    [
      'smaller than it says',
      () => ({ ...sound(), sizeBytes: 5001 }),
      named,
      failing('archive-damaged', { name, reason: 'Its size differs from the expected size' }),
    ],
    [
      'stored, and not as long as it says',
      () => ({ ...identical(bytes), sizeBytes: 10 }),
      named,
      failing('archive-damaged', { name, reason: 'Its size differs from the expected size' }),
    ],
    [
      'that says to be of no bytes',
      () => ({ ...sound(), sizeBytes: 0 }),
      named,
      failing('archive-damaged', { name, reason: 'Its size differs from the expected size' }),
    ],
    [
      'that is no deflated stream',
      () => ({ ...sound(), bytes: bent() }),
      named,
      failing('archive-damaged', { name, reason: 'Its compressed data is corrupt' }),
    ],
    [
      'that is cut off',
      () => ({ ...sound(), bytes: sound().bytes.slice(0, 10) }),
      named,
      failing('archive-damaged', { name, reason: 'Its compressed data is corrupt' }),
    ],
    [
      'that is empty',
      () => ({ ...sound(), bytes: new Uint8Array() }),
      named,
      failing('archive-damaged', { name, reason: 'Its compressed data is corrupt' }),
    ],
  ])('leaves out only a sample %s', async (_, sample, wanted, failure) => {
    const batch = vault.batch();
    const others = [small(), small()];
    const [answer] = await Promise.allSettled([batch.add(sample(), wanted), addAll(batch, others)]);
    expect(answer).toMatchObject({ status: 'rejected', reason: failure });
    let known: readonly StoredSample[] = [];
    await batch.commit((kept) => {
      known = kept;
    });
    expect(known.map(({ sha256 }) => sha256)).toEqual(others.map(sha256Of));
    expect(await vault.has(sha256Of(bytes))).toBe(false);
  });

  test('inflates a bomb to no more than its stated size', async () => {
    const bomb = { ...deflated(Buffer.alloc(50_000_000)), sizeBytes: 1000 };
    await expect(vault.batch().add(bomb, expected)).rejects.toMatchObject(
      failing('archive-damaged', { name: '', reason: 'Its size differs from the expected size' }),
    );
  });

  test('answers for any bytes as a deflated stream', async () => {
    const batch = vault.batch();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 300 }), async (hostile, sizeBytes) => {
        const answer = batch.add(
          { bytes: new Uint8Array(hostile), encoding: 'deflate-raw', sizeBytes, crc32: null },
          { md5: name, sha256: null },
        );
        await expect(answer).rejects.toMatchObject({
          failure: { kind: expect.stringMatching(/^(archive-damaged|wrong-bytes)$/) },
        });
      }),
      { numRuns: 200 },
    );
    await batch.abort();
  });
});

describe('at rest', () => {
  test('no file ever holds the sample in plain form', async () => {
    const { vault, folder } = await newVault();
    const batch = vault.batch();
    const many = Buffer.concat(Array.from({ length: 3000 }, () => eicar));
    await Promise.all(
      [eicar, many].flatMap((bytes) => [
        adding(batch, bytes),
        batch.add(identical(bytes), { md5: md5Of(bytes), sha256: null }),
      ]),
    );
    expect(await filesUnder(folder)).not.toEqual([]);
    expect(await filesHolding(folder, eicar)).toEqual([]);
    await batch.commit(() => {});
    expect(await filesHolding(folder, eicar)).toEqual([]);
    expect(await read(vault, sha256Of(eicar))).toEqual(eicar);
  });

  test('small samples share a pack that no one else may read', async () => {
    const { vault, folder } = await newVault();
    await committed(vault, Array.from({ length: 20 }, small));
    const files = await filesUnder(folder);
    expect(files.length).toBeLessThanOrEqual(4);
    for (const path of files) expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('a new start continues with the packs that have space', async () => {
    const place = temporaryFolder();
    const [one, other] = [small(), small()];
    const first = await openedIn(place);
    await committed(first.vault, [one]);
    await first.vault.close();
    const { vault, folder } = await openedIn(place);
    await committed(vault, [other]);
    expect(await readdir(join(folder, 'packs'))).toHaveLength(1);
    expect(await read(vault, sha256Of(one))).toEqual(one);
    expect(await read(vault, sha256Of(other))).toEqual(other);
  });

  test('a damaged record affects that sample alone, and a new copy heals it', async () => {
    const opened = await newVault();
    const { vault } = opened;
    const samples = [small(), small()];
    const [hurt = '', sound = ''] = samples.map(sha256Of);
    await committed(vault, samples);
    const { path, at } = await placeOf(opened, hurt);
    await overwrite(path, at + 100, Buffer.alloc(8));
    await expect(read(vault, hurt)).rejects.toMatchObject(failing('vault-damaged', { sha256: hurt }));
    expect(await read(vault, sound)).toEqual(samples[1]);
    expect(await committed(vault, samples)).toMatchObject([{ wasThere: true }, { wasThere: true }]);
    expect(await read(vault, hurt)).toEqual(samples[0]);
  });

  test.each(['gone', 'cut off'])('samples of a pack that is %s are damaged, and can still be removed', async (fate) => {
    const opened = await newVault();
    const { vault } = opened;
    const bytes = small();
    await committed(vault, [bytes]);
    const { path } = await placeOf(opened, sha256Of(bytes));
    await (fate === 'gone' ? rm(path) : writeFile(path, 'cut'));
    await expect(read(vault, sha256Of(bytes))).rejects.toMatchObject(
      failing('vault-damaged', { sha256: sha256Of(bytes) }),
    );
    await vault.remove(sha256Of(bytes));
    expect(await vault.has(sha256Of(bytes))).toBe(false);
  });

  test('a sample in both places is one, and either copy is enough', async () => {
    const opened = await newVault();
    const { vault } = opened;
    const bytes = small();
    await committed(vault, [bytes]);
    const receiver = vault.receive();
    await receiver.write(bytes);
    expect(await receiver.finish({ md5: null, sha256: null })).toMatchObject({ wasThere: true });
    expect(await listed(vault)).toEqual([sha256Of(bytes)]);
    const { path, at } = await placeOf(opened, sha256Of(bytes));
    await overwrite(path, at + 100, Buffer.alloc(8));
    expect(await read(vault, sha256Of(bytes))).toEqual(bytes);
    await vault.remove(sha256Of(bytes));
    expect(await listed(vault)).toEqual([]);
    await expect(read(vault, sha256Of(bytes))).rejects.toMatchObject(missing(sha256Of(bytes)));
  });

  test('the key of a removed sample is gone', async () => {
    const opened = await newVault();
    const { vault } = opened;
    const samples = [small(), small()];
    const [removed = '', kept = ''] = samples.map(sha256Of);
    await committed(vault, samples);
    const { path, at, length } = await placeOf(opened, removed);
    await vault.remove(removed);
    const record = (await readFile(path)).subarray(at, at + length);
    expect(record.subarray(0, 64)).toEqual(Buffer.alloc(64));
    expect(await listed(vault)).toEqual([kept]);
    expect(await read(vault, kept)).toEqual(samples[1]);
  });

  test('a place outside the packs is damage of that sample alone and is removed with it', async () => {
    const { vault, index, folder } = await newVault();
    const bytes = large();
    const sha256 = sha256Of(bytes);
    await committed(vault, [bytes]);
    const path = join(folder, sha256.slice(0, 2), sha256);
    const elsewhere = join(dirname(path), 'elsewhere');
    await rename(path, elsewhere);
    const kept = await readFile(elsewhere);
    await index.add([{ sha256, pack: `../${sha256.slice(0, 2)}/elsewhere`, at: 0, length: 300 }], () => {});
    await expect(read(vault, sha256)).rejects.toMatchObject(failing('vault-damaged', { sha256 }));
    await vault.remove(sha256);
    expect(await vault.has(sha256)).toBe(false);
    expect(await readFile(elsewhere)).toEqual(kept);
  });

  test('many sources match those of each sample, including an impossible place', async () => {
    const { vault, index } = await newVault();
    const samples = [small(), small(), large()];
    await committed(vault, samples);
    const [odd = '', packed = '', own = ''] = samples.map(sha256Of);
    await index.add([{ sha256: odd, pack: '../elsewhere', at: 0, length: 300 }], () => {});
    const sources = vault.sourcesOf([own, odd, packed]);
    expect(sources).toEqual([own, odd, packed].map((sha256) => vault.sourceOf(sha256)));
    expect(sources.map((source) => source.packed?.path)).toEqual([undefined, null, expect.stringContaining('packs')]);
  });
});
