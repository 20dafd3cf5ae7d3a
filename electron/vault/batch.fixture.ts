import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { PackIndexFile } from './packs/pack-index.fixture.ts';
import { openVault, type StoredSample, type Vault, type VaultBatch, type WholeSample } from './vault.ts';

export const md5Of = (bytes: Uint8Array): string => hash('md5', bytes);
export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes);
export const failing = (kind: string, facts: object = {}): object => ({ failure: { kind, ...facts } });

/** On both sides of what shares a pack. */
export const small = (): Buffer => randomBytes(4000);
export const large = (): Buffer => randomBytes(300_000);

export const deflated = (bytes: Uint8Array): WholeSample => ({
  bytes: new Uint8Array(deflateRawSync(bytes)),
  encoding: 'deflate-raw',
  sizeBytes: bytes.length,
  crc32: crc32(bytes),
});
export const identical = (bytes: Uint8Array): WholeSample => ({
  bytes: new Uint8Array(bytes),
  encoding: 'identity',
  sizeBytes: bytes.length,
  crc32: crc32(bytes),
});

export const adding = (batch: VaultBatch, bytes: Uint8Array): Promise<StoredSample> =>
  batch.add(deflated(bytes), { md5: md5Of(bytes), sha256: null });

export async function addAll(batch: VaultBatch, samples: readonly Uint8Array[]): Promise<StoredSample[]> {
  return Promise.all(samples.map((bytes) => adding(batch, bytes)));
}

export async function committed(vault: Vault, samples: readonly Uint8Array[]): Promise<readonly StoredSample[]> {
  const batch = vault.batch();
  await addAll(batch, samples);
  let known: readonly StoredSample[] = [];
  await batch.commit((kept) => {
    known = kept;
  });
  return known;
}

export interface TestVault {
  vault: Vault;
  index: PackIndexFile;
  /** Of the vault. */
  folder: string;
}

/**
 * A vault with packs, closed when the test is over. Opening it again in the same place is a new start of the program.
 */
export async function openedIn(place: string): Promise<TestVault> {
  const index = new PackIndexFile(join(place, 'index.json'));
  const folder = join(place, 'vault');
  const vault = await openVault(folder, index);
  onTestFinished(() => vault.close());
  return { vault, index, folder };
}

export const newVault = async (): Promise<TestVault> => openedIn(temporaryFolder());
