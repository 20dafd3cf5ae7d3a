import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { FailureError } from '../../../shared/failure.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { bytesForm } from '../../../shared/testing/input-forms.ts';
import { headerBytes, newTrailer, trailerBytes } from './bundle-format.ts';
import { type BundlePart, BundleReading } from './bundle-opening.ts';
import { inMemory, packed, passphrase, recordOf, sealedBundle } from './bundle.fixture.ts';

const small = { ...packed(Buffer.from('some bytes of a sample')), records: [recordOf('2026-01-01T00:00:00.000Z')] };
const content = {
  samples: [small, packed(Buffer.alloc(3000, 'of several chunks'))],
  rules: { version: '1.4', bytes: Buffer.from('rule a { condition: true }') },
};
/** Each with a salt of its own: chunks of one mean nothing in the other. */
const bundles = [await sealedBundle(content), await sealedBundle(content)] as const;
const whole = (await readOf(bundles[0])).parts;

const kinds = [
  'bundle-unknown',
  'bundle-newer',
  'bundle-truncated',
  'bundle-damaged',
  'bundle-passphrase-wrong',
  'bundle-not-signed',
];
const [digestAt, roundsAt] = [96, 12];
/**
 * Powers of two: up to here a guess of the passphrase takes next to no time, and from there to what a header may ask
 * for as long as the header demands.
 */
const [quickRounds, mostRounds] = [12, 18];

/**
 * With all unencrypted parts that anyone can make made again: else most damage goes no further than the header's digest
 * and the trailer.
 */
function withOwnEnds(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length < headerBytes + trailerBytes) return copy;
  const rounds = copy.readUInt32BE(roundsAt);
  if (rounds > quickRounds && rounds <= mostRounds) copy.writeUInt32BE(quickRounds, roundsAt);
  hash('sha256', copy.subarray(0, digestAt), 'buffer').copy(copy, digestAt);
  newTrailer(copy.length).copy(copy, copy.length - trailerBytes);
  return copy;
}

export const target = fuzzTarget({
  name: 'bundle-file',
  reads: 'a bundle file damaged anywhere, also with a recalculated digest and trailer',
  holds: 'the sealed parts in order, up to the damage; an end only if nothing was modified; or one of six failures',
  form: bytesForm,
  seeds: bundles,
  made: fc
    .tuple(fc.constantFrom(...bundles), fc.nat({ max: bundles[0].length }), fc.uint8Array({ maxLength: 40 }))
    .map(([bundle, length, rest]) => Buffer.concat([bundle.subarray(0, length), rest])),
  async attack(bytes) {
    for (const file of [Buffer.from(bytes), withOwnEnds(bytes)]) {
      const { parts, failure } = await readOf(file);
      mustHold(failure === null || kinds.includes(failure), `it fails with ${failure ?? ''}`);
      mustHold(
        parts.every((part, at) => part === whole[at]),
        'it gives what was never sealed',
      );
      mustHold((failure === null) === (parts.length === whole.length), 'it fails behind its end, or ends before it');
    }
  },
});

async function readOf(file: Buffer): Promise<{ parts: string[]; failure: string | null }> {
  const parts: string[] = [];
  try {
    for await (const part of new BundleReading(inMemory(file)).parts({ passphrase, name: 'theirs' }))
      parts.push(wordsOf(part));
    return { parts, failure: null };
  } catch (error) {
    if (error instanceof FailureError) return { parts, failure: error.failure.kind };
    throw error;
  }
}

/** Without what the key makes, which is another in each process. */
function wordsOf(part: BundlePart): string {
  if (part.kind === 'piece') return Buffer.from(part.bytes).toString('hex');
  if (part.kind === 'border') return part.kind;
  return JSON.stringify(part.kind === 'manifest' ? { ...part.manifest, publicKey: '' } : part);
}
