import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { littleEndianCounterMode, sliceBytes } from './zip-encryption.ts';

const blockBytes = 16;

/** Block by block, as the specification has it. */
function expected(key: Uint8Array, first: number, bytes: Uint8Array): Buffer {
  const out = Buffer.from(bytes);
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const counter = Buffer.alloc(blockBytes);
    counter.writeBigUInt64LE(BigInt(first) + BigInt(at / blockBytes));
    const stream = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(counter);
    for (let byte = 0; byte < blockBytes && at + byte < out.length; byte += 1)
      out[at + byte] = (out[at + byte] ?? 0) ^ (stream[byte] ?? 0);
  }
  return out;
}

const firsts = [1, 2 ** 32 - 3, 2 ** 32 - sliceBytes / blockBytes, 2 ** 32, 2 ** 33 - 5];

test.each(firsts)(
  'the encryption from block %i on equals WinZip’s counter mode, in slices of any length of whole blocks',
  (first) => {
    const key = randomBytes(32);
    const bytes = randomBytes(sliceBytes + 5 * blockBytes + 7);
    const whole = expected(key, first, bytes);
    for (const lengths of [
      [sliceBytes, 87],
      [blockBytes, 64, sliceBytes - 80, 87],
    ]) {
      const encrypt = littleEndianCounterMode(key, first);
      const made = new Uint8Array(bytes);
      let at = 0;
      for (const length of lengths) encrypt(made.subarray(at, (at += length)));
      expect(Buffer.from(made).equals(whole)).toBe(true);
    }
  },
);
