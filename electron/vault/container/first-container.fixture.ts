import { createCipheriv, hash, randomBytes } from 'node:crypto';
import type { ContainerFacts } from './container.ts';

export const factsOf = (bytes: Uint8Array): ContainerFacts => ({
  md5: hash('md5', bytes),
  sha1: hash('sha1', bytes),
  sha256: hash('sha256', bytes),
  sizeBytes: bytes.length,
});

/** As the first version was written. */
export function firstContainerOf(bytes: Uint8Array): Buffer {
  const [key, counter, { md5, sha1, sha256 }] = [randomBytes(32), randomBytes(16), factsOf(bytes)];
  const header = Buffer.concat([Buffer.from('VITRINE1'), Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]), key, counter]);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(bytes.length));
  const trailer = Buffer.concat([
    Buffer.from('1ENIRTIV'),
    size,
    ...[md5, sha1, sha256].map((hex) => Buffer.from(hex, 'hex')),
  ]);
  return Buffer.concat([
    header,
    createCipheriv('aes-256-ctr', key, counter).update(bytes),
    trailer,
    hash('sha256', Buffer.concat([header, trailer]), 'buffer'),
  ]);
}
