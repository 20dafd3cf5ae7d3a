import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { bytesForm } from '../../../shared/testing/input-forms.ts';
import { containerOverheadBytes, DamagedContainerError, headerBytes, trailerBytes } from './container.ts';
import { decodeContainer, encodeContainer } from './container-bytes.ts';

const containerOf = (bytes: Uint8Array): Buffer => encodeContainer(bytes, { md5: hash('md5', bytes), sha1: hash('sha1', bytes), sha256: hash('sha256', bytes), sizeBytes: bytes.length });
const plain = Buffer.from('some bytes of a sample, which are none of a program');

/** With its seal made anew: what somebody who knows the format would write. */
function resealed(container: Uint8Array): Buffer {
  const copy = Buffer.from(container);
  if (copy.length < containerOverheadBytes) return copy;
  const trailer = copy.subarray(copy.length - trailerBytes);
  hash('sha256', Buffer.concat([copy.subarray(0, headerBytes), trailer.subarray(0, 100)]), 'buffer').copy(trailer, 100, 0, 16);
  return copy;
}

export const target = fuzzTarget({
  name: 'container',
  reads: 'a container of the vault, also with its seal made anew',
  holds: 'exactly the bytes that its tag was made of, of the length that it says; else it is damaged',
  form: bytesForm,
  seeds: [containerOf(plain), containerOf(Buffer.alloc(0))],
  made: fc.uint8Array({ maxLength: 300 }).map(containerOf),
  attack(bytes) {
    for (const container of [Buffer.from(bytes), resealed(bytes)]) {
      const decoded = decodedOf(container);
      if (decoded === null) continue;
      mustHold(decoded.bytes.length === decoded.facts.sizeBytes && decoded.bytes.length === container.length - containerOverheadBytes, 'it has another length than it says');
      mustHold(/^[0-9a-f]{64}$/.test(decoded.facts.sha256), 'it says no SHA-256');
    }
    const own = containerOf(bytes);
    mustHold(decodeContainer(own, hash('sha256', bytes)).bytes.equals(bytes), 'what went in does not come out');
    mustHold(bytes.length < 16 || !own.subarray(16).includes(Buffer.from(bytes)), 'the bytes lie in it as they are');
  },
});

function decodedOf(container: Buffer): ReturnType<typeof decodeContainer> | null {
  try {
    return decodeContainer(container, null);
  } catch (error) {
    if (error instanceof DamagedContainerError) return null;
    throw error;
  }
}
