import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { bytesForm } from '../../../shared/testing/input-forms.ts';
import {
  containerOverheadBytes,
  DamagedContainerError,
  decodeContainer,
  encodeContainer,
  headerBytes,
  trailerBytes,
} from './container.ts';
import { factsOf, firstContainerOf } from './first-container.fixture.ts';

const containerOf = (bytes: Uint8Array): Buffer => encodeContainer(bytes, factsOf(bytes));
/** The first version has no tag, and all of the digest that seals it. */
const sealAt = { first: 84, second: 100 } as const;
const versionAt = 11;
const plain = Buffer.from('some bytes of a sample, which are none of a program');

/** With a newly computed seal, as an attacker who knows the format would write it. */
function resealed(container: Uint8Array): Buffer {
  const copy = Buffer.from(container);
  if (copy.length < containerOverheadBytes) return copy;
  const trailer = copy.subarray(copy.length - trailerBytes);
  const at = copy[versionAt] === 1 ? sealAt.first : sealAt.second;
  hash('sha256', Buffer.concat([copy.subarray(0, headerBytes), trailer.subarray(0, at)]), 'buffer').copy(
    trailer,
    at,
    0,
    trailerBytes - at,
  );
  return copy;
}

export const target = fuzzTarget({
  name: 'container',
  reads: 'a container of the vault, of either version, also with a recalculated seal',
  holds: 'exactly the bytes of its tag or SHA-256, with the stated length; otherwise damaged',
  form: bytesForm,
  seeds: [containerOf, firstContainerOf].flatMap((make) => [make(plain), make(Buffer.alloc(0))]),
  made: fc
    .tuple(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(containerOf, firstContainerOf))
    .map(([bytes, make]) => make(bytes)),
  attack(bytes) {
    for (const container of [Buffer.from(bytes), resealed(bytes)]) {
      const decoded = decodedOf(container);
      if (decoded === null) continue;
      mustHold(
        decoded.bytes.length === decoded.facts.sizeBytes &&
          decoded.bytes.length === container.length - containerOverheadBytes,
        'it has another length than it says',
      );
      mustHold(
        container[versionAt] !== 1 || hash('sha256', decoded.bytes) === decoded.facts.sha256,
        'its bytes are not those of its SHA-256',
      );
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
