import { crc32 } from 'node:zlib';
import type { ExportAs } from '../../../shared/contract.ts';
import type { Hashes } from '../../../shared/domain/hash.ts';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import type { ExportTarget } from '../../archive/export-target.ts';
import type { Vault } from '../../vault/vault.ts';

export interface CopyOptions {
  vault: Pick<Vault, 'read'>;
  target: ExportTarget;
  as: ExportAs;
  signal: AbortSignal;
  moved(bytes: number): void;
}

/**
 * Copies one sample out of the vault, which verifies it on the way. When it cannot be read to its end the target is as
 * it was before. ZipCrypto needs the CRC first: the sample is read twice.
 * @throws FailureError of the vault, or of the target (`target.hasFailed` tells); the signal's reason
 */
export async function copySample(sample: Hashes & { sizeBytes: number }, options: CopyOptions): Promise<void> {
  const { target, as } = options;
  const checksum = as.form !== 'raw' && as.encryption === 'zipcrypto' ? await checksumOf(sample.sha256, options) : 0;
  target.begin({ name: sample.sha256, sizeBytes: sample.sizeBytes, crc32: checksum });
  try {
    await copyBytes(sample, options);
  } catch (error) {
    if (!target.hasFailed) await target.drop();
    throw error;
  }
  await target.end();
}

/** The entry's head has said how many bytes there are: any other number would make an archive that misleads. */
async function copyBytes({ sha256, sizeBytes }: { sha256: string; sizeBytes: number }, { vault, target, signal, moved }: CopyOptions): Promise<void> {
  let left = sizeBytes;
  for await (const piece of vault.read(sha256)) {
    signal.throwIfAborted();
    const { length } = piece;
    left -= length;
    await target.write(piece);
    releaseBytes(piece);
    moved(length);
  }
  if (left !== 0) throw new Error(`${sha256} is not of the ${sizeBytes} bytes it was said to have`);
}

async function checksumOf(sha256: string, { vault, signal }: CopyOptions): Promise<number> {
  let checksum = 0;
  for await (const piece of vault.read(sha256)) {
    signal.throwIfAborted();
    checksum = crc32(piece, checksum);
    releaseBytes(piece);
  }
  return checksum;
}
