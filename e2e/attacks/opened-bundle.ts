import { createDecipheriv, hkdfSync, scryptSync } from 'node:crypto';

const [headerBytes, trailerBytes, tagBytes, chunkBytes] = [128, 16, 16, 1024 * 1024];

/**
 * The records of a bundle one behind the other, as docs/bundle-format.md has it and not as our reader does. Throws
 * where a chunk is not authentic.
 */
export function openBundle(file: Buffer, passphrase: string): Buffer {
  const [salt, digest] = [file.subarray(32, 64), file.subarray(96, headerBytes)];
  const master = scryptSync(passphrase.normalize('NFKC'), salt, 32, {
    N: 2 ** 17,
    r: 8,
    p: 1,
    maxmem: 256 * 1024 * 1024,
  });
  const key = Buffer.from(hkdfSync('sha256', master, digest, 'vitrine bundle chunks', 32));
  const sealed = file.subarray(headerBytes, -trailerBytes);
  const chunks = Math.ceil(sealed.length / (chunkBytes + tagBytes));
  return Buffer.concat(
    Array.from({ length: chunks }, (_, at) =>
      openChunk(
        key,
        nonceOf(at, at === chunks - 1),
        sealed.subarray(at * (chunkBytes + tagBytes)).subarray(0, chunkBytes + tagBytes),
      ),
    ),
  );
}

function openChunk(key: Buffer, nonce: Buffer, chunk: Buffer): Buffer {
  const opened = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAuthTag(
    chunk.subarray(-tagBytes),
  );
  return Buffer.concat([opened.update(chunk.subarray(0, -tagBytes)), opened.final()]);
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = Number(isLast);
  return nonce;
}
