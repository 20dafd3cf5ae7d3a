import { hash, randomBytes } from 'node:crypto';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { byteMap, type ByteSource } from '../../../shared/domain/byte-view.ts';
import type { FailureKind } from '../../../shared/failure.ts';
import { committed, newVault } from '../../vault/batch.fixture.ts';
import { eicar } from '../../vault/eicar.fixture.ts';
import { openedStaging, stagedBothWays } from '../../vault/staging/staging.fixture.ts';
import { SampleBytes, type ScanFile } from './sample-bytes.ts';

const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes);
const failing = (kind: FailureKind, facts: object = {}): object => ({ failure: { kind, ...facts } });
const scan = (position: number): ByteSource => ({ kind: 'scan', jobId: 7, position });

async function newSetup(files: readonly ScanFile[] = []) {
  const { vault } = await newVault();
  const opened = await openedStaging();
  const kept = [...files];
  const bytes = new SampleBytes({
    vault,
    staging: opened.staging,
    scanFile: (jobId, position) => (jobId === 7 ? (kept[position - 1] ?? null) : null),
  });
  onTestFinished(() => bytes.close());
  const inVault = async (sample: Buffer): Promise<ByteSource> => {
    await committed(vault, [sample]);
    return { kind: 'vault', sha256: sha256Of(sample) };
  };
  const inScan = (file: ScanFile): ByteSource => scan(kept.push(file));
  return { ...opened, vault, bytes, inVault, inScan };
}

type Setup = Awaited<ReturnType<typeof newSetup>>;

/** The same bytes from every place where Vitrine has any. */
async function everywhere(setup: Setup, sample: Buffer): Promise<ByteSource[]> {
  const staged = await stagedBothWays(setup, 'sample', sample);
  const files = [staged.inPlace, staged.container].map((stagedId) =>
    setup.inScan({ stagedId, sha256: sha256Of(sample) }),
  );
  return [...files, await setup.inVault(sample), setup.inScan({ stagedId: null, sha256: sha256Of(sample) })];
}

async function readOf({ bytes }: Setup, source: ByteSource, offset: number, length: number): Promise<Buffer> {
  return Buffer.from((await bytes.read(source, { offset, length })).base64, 'base64');
}

describe('bytes at any place', () => {
  test.each([
    ['a packed one', 5000],
    ['a large one', 300_000],
  ])('are read of %s, in the vault and in a scan', async (_, size) => {
    const setup = await newSetup();
    const sample = randomBytes(size);
    const sources = await everywhere(setup, sample);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sources),
        fc.nat(size + 20),
        fc.integer({ min: 1, max: 65_536 }),
        async (source, offset, length) => {
          expect(await readOf(setup, source, offset, length)).toEqual(sample.subarray(offset, offset + length));
        },
      ),
      { numRuns: 60 },
    );
    expect(await setup.bytes.read(sources[0] ?? scan(1), { offset: Number.MAX_SAFE_INTEGER, length: 16 })).toEqual({
      offset: Number.MAX_SAFE_INTEGER,
      base64: '',
      sizeBytes: size,
    });
  });

  test('are read of an empty file', async () => {
    const setup = await newSetup();
    for (const source of await everywhere(setup, Buffer.alloc(0))) {
      expect(await setup.bytes.read(source, { offset: 0, length: 16 })).toEqual({
        offset: 0,
        base64: '',
        sizeBytes: 0,
      });
      expect(await setup.bytes.map(source)).toEqual({ sizeBytes: 0, parts: '' });
      expect(await setup.bytes.find(source, { hex: '00', anyCase: false }, 0, false, 's')).toEqual({ offset: null });
    }
  });
});

describe('missing bytes', () => {
  test('are reported for a sample outside the vault, and a file that no scan has', async () => {
    const { bytes } = await newSetup([{ stagedId: null, sha256: sha256Of(eicar) }]);
    const asked = { offset: 0, length: 1 };
    await expect(bytes.read({ kind: 'vault', sha256: sha256Of(eicar) }, asked)).rejects.toMatchObject(
      failing('not-in-vault', { sha256: sha256Of(eicar) }),
    );
    await expect(bytes.read(scan(1), asked)).rejects.toMatchObject(
      failing('scan-file-missing', { job: 7, position: 1 }),
    );
    await expect(bytes.map(scan(2))).rejects.toMatchObject(failing('scan-file-missing', { job: 7, position: 2 }));
    await expect(
      bytes.find({ kind: 'scan', jobId: 8, position: 1 }, { hex: '00', anyCase: false }, 0, false, 's'),
    ).rejects.toMatchObject(failing('scan-file-missing', { job: 8, position: 1 }));
  });

  test('of a changed or discarded staged file are read from the vault when it has them', async () => {
    const setup = await newSetup();
    const sample = randomBytes(2000);
    const staged = await stagedBothWays(setup, 'sample', sample);
    const sources = [staged.inPlace, staged.container].map((stagedId) =>
      setup.inScan({ stagedId, sha256: sha256Of(sample) }),
    );
    await appendFile(staged.path, 'more');
    await setup.staging.discard(staged.container);
    for (const source of sources)
      await expect(readOf(setup, source, 0, 10)).rejects.toMatchObject(failing('scan-file-missing'));
    await setup.inVault(sample);
    for (const source of sources) expect(await readOf(setup, source, 3, 10)).toEqual(sample.subarray(3, 13));
  });

  test('are reported for a file damaged in the vault', async () => {
    const { vault, bytes, inVault } = await newSetup();
    const source = await inVault(randomBytes(100_000));
    const { path } = vault.sourceOf(source.kind === 'vault' ? source.sha256 : '');
    await writeFile(path, 'no container');
    await expect(bytes.read(source, { offset: 0, length: 1 })).rejects.toMatchObject(failing('vault-damaged'));
    await rm(path);
    await expect(bytes.map(source)).rejects.toMatchObject(failing('not-in-vault'));
  });
});

describe('a byte search', () => {
  test('finds a place in every kind of file', async () => {
    const setup = await newSetup();
    const sample = Buffer.concat([randomBytes(150_000), Buffer.from('a needle, A Needle'), randomBytes(1000)]);
    for (const source of await everywhere(setup, sample)) {
      expect(
        await setup.bytes.find(source, { hex: Buffer.from('needle').toString('hex'), anyCase: true }, 0, false, 's'),
      ).toEqual({ offset: 150_002 });
      expect(
        await setup.bytes.find(
          source,
          { hex: Buffer.from('needle').toString('hex'), anyCase: true },
          sample.length,
          true,
          's',
        ),
      ).toEqual({ offset: 150_012 });
    }
  });

  test('is cancelled by its name, by another one of its name, by too many, and when all is closed', async () => {
    const setup = await newSetup();
    const source = await setup.inVault(Buffer.alloc(3_000_000));
    const begin = (name: string): Promise<unknown> =>
      setup.bytes.find(source, { hex: 'ff', anyCase: false }, 0, false, name).catch((error: unknown) => error);
    const stopped = begin('stopped');
    setup.bytes.stopFind('stopped');
    setup.bytes.stopFind('never begun');
    const [again, first, second, third, fourth] = ['same', 'same', 'second', 'third', 'fourth'].map(begin);
    const last = begin('last');
    for (const search of [stopped, again, first]) expect(await search).toMatchObject(failing('cancelled'));
    for (const search of [second, third, fourth, last]) expect(await search).toEqual({ offset: null });
    const closed = begin('closed');
    await setup.bytes.close();
    expect(await closed).toMatchObject(failing('cancelled'));
  });
});

describe('a byte map', () => {
  const zeros = Buffer.alloc(1_000_000);
  const mixed = Buffer.concat([zeros, randomBytes(1_000_000), Buffer.alloc(2_000_000, 'plain words ')]);

  test('shows class and entropy of each of 512 parts, from end to end', async () => {
    const setup = await newSetup();
    for (const source of await everywhere(setup, mixed)) {
      const map = byteMap.parse(await setup.bytes.map(source));
      expect(map.sizeBytes).toBe(mixed.length);
      const parts = map.parts.match(/.{3}/g) ?? [];
      expect(parts).toHaveLength(512);
      expect([parts[0], parts[127], parts[300], parts[511]]).toEqual(['000', '000', parts[511], parts[300]]);
      expect((parts[200] ?? '').slice(1) > 'f0').toBe(true);
      expect(parts[300]?.startsWith('1')).toBe(true);
    }
  });

  test('has a part for each byte of a short file', async () => {
    const setup = await newSetup();
    expect(await setup.bytes.map(await setup.inVault(Buffer.from('\u0000a\u00ff', 'latin1')))).toEqual({
      sizeBytes: 3,
      parts: '000100400',
    });
  });

  test('is cached: the file is not read again', async () => {
    const setup = await newSetup();
    const source = await setup.inVault(mixed);
    const first = await setup.bytes.map(source);
    await rm(setup.vault.sourceOf(sha256Of(mixed)).path);
    expect(await setup.bytes.map(source)).toEqual(first);
  });

  test('is not made when three others are requested after it, and is made at the next request', async () => {
    const setup = await newSetup();
    const sources = await Promise.all([1, 2, 3, 4].map((byte) => setup.inVault(Buffer.alloc(200_000, byte))));
    const maps = await Promise.allSettled(sources.map((source) => setup.bytes.map(source)));
    expect(maps.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(await setup.bytes.map(sources[0] ?? scan(1))).toMatchObject({ sizeBytes: 200_000 });
  });
});
