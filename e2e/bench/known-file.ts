import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';

export interface KnownFile {
  path: string;
  md5: string;
  sha256: string;
  sizeBytes: number;
}

const pieceBytes = 1024 * 1024;

/**
 * Writes a file of bytes that are incompressible and unknown, and returns its hashes. `sizeBytes` is a whole number of
 * MiB.
 */
export async function writeKnownFile(path: string, sizeBytes: number): Promise<KnownFile> {
  const noise = createCipheriv('aes-256-ctr', randomBytes(32), randomBytes(16));
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  const zeros = Buffer.alloc(pieceBytes);
  const handle = await open(path, 'wx');
  try {
    for (let written = 0; written < sizeBytes; written += pieceBytes) {
      const piece = noise.update(zeros);
      md5.update(piece);
      sha256.update(piece);
      await handle.write(piece);
    }
    // Otherwise the first measured program would pay for the pending writes to the disk.
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { path, md5: md5.digest('hex'), sha256: sha256.digest('hex'), sizeBytes };
}
