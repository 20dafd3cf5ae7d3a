import { Buffer } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import fc from 'fast-check';
import { z } from 'zod';
import { bundledRecord, bundledRules, bundledSample } from '../../../shared/domain/bundle.ts';
import type { Json } from '../../../shared/domain/sample.ts';
import { FailureError } from '../../../shared/failure.ts';
import { changedJson } from '../../../shared/testing/changed-json.ts';
import { fuzzTarget, type InputForm, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { frameOf, newHeader, newTrailer, publicKeyOf, recordType, signatureOf, trailerBytes } from './bundle-format.ts';
import { type BundlePart, BundleReading } from './bundle-opening.ts';
import { cheap, inMemory, passphrase, recordOf, sampleOf, signingKey } from './bundle.fixture.ts';
import { ChunkSealer } from './sealed-chunks.ts';

/**
 * A record by its type and its text; the text of the signature does not count: it is made. `said` is the length in its
 * frame, where that lies.
 */
type Record = readonly [type: number, text: string, said: number | null];
const keptRecords = z.array(z.tuple([z.number(), z.string(), z.number().nullable()]));

const bytes = Buffer.from('some bytes of a sample');
const rules = Buffer.from('rule a { condition: true }');
const manifest = {
  created: '2026-11-23T04:30:34.000Z',
  title: 'a title',
  author: 'somebody',
  parts: { samples: true, notes: true, threads: true, rules: true },
  samples: 2,
  publicKey: publicKeyOf(signingKey),
};
const known = { ...sampleOf(Buffer.from('x')), tags: ['one'], tlp: 'red', note: { text: 'a note', changed: '' } };
const texts: readonly (readonly [number, Json])[] = [
  [recordType.manifest, manifest],
  [recordType.sample, sampleOf(bytes)],
  [recordType.record, recordOf('2026-01-01T00:00:00.000Z')],
  [recordType.bytesEnd, { isWhole: true }],
  [recordType.rules, { version: '1.4', sha256: hash('sha256', rules), sizeBytes: rules.length }],
  [recordType.end, { samples: 2, withBytes: 1, bytes: bytes.length }],
];
const record = (type: number, value: Json): Record => [type, JSON.stringify(value), null];
const whole: readonly Record[] = [
  record(recordType.manifest, manifest),
  record(recordType.sample, sampleOf(bytes)),
  record(recordType.record, recordOf('2026-01-01T00:00:00.000Z')),
  [recordType.piece, bytes.toString('latin1'), null],
  record(recordType.bytesEnd, { isWhole: true }),
  record(recordType.sample, known),
  record(recordType.rules, { version: '1.4', sha256: hash('sha256', rules), sizeBytes: rules.length }),
  [recordType.piece, rules.toString('latin1'), null],
  record(recordType.bytesEnd, { isWhole: true }),
  record(recordType.end, { samples: 2, withBytes: 1, bytes: bytes.length }),
  [recordType.signature, '', null],
];

const names = [
  'created',
  'title',
  'author',
  'parts',
  'samples',
  'publicKey',
  'sha256',
  'md5',
  'sizeBytes',
  'tags',
  'tlp',
  'note',
  'readAt',
  'record',
  'comments',
  'isWhole',
  'withBytes',
  'bytes',
  'version',
];
const type = fc.oneof(fc.constantFrom(...Object.values(recordType)), fc.nat({ max: 255 }));
const changedRecord = fc.oneof(
  fc.constantFrom(...whole),
  fc
    .constantFrom(...texts)
    .chain(([of, value]) =>
      changedJson([value], names, ['a'.repeat(64), 'f'.repeat(32), 2 ** 50, '2026-01-01T00:00:00.000Z']).map(
        (changed) => record(of, changed),
      ),
    ),
  fc.tuple(
    type,
    fc.string({ unit: 'binary-ascii', maxLength: 60 }),
    fc.constantFrom<number | null>(null, null, 0, 8, 0xffffffff),
  ),
);
/** The whole of a bundle with records changed, left out, moved or put in. */
const changedRecords = fc
  .array(fc.tuple(fc.nat({ max: whole.length }), fc.nat({ max: 2 }), fc.array(changedRecord, { maxLength: 2 })), {
    maxLength: 4,
  })
  .map((edits) =>
    edits.reduce<readonly Record[]>((records, [at, removed, put]) => records.toSpliced(at, removed, ...put), whole),
  );

const form: InputForm<readonly Record[]> = {
  keep: (records) => records.map(([of, text, said]) => [of, text, said]),
  revive: (kept) => keptRecords.parse(kept),
  changed: () => changedRecords,
};
const kinds = ['bundle-damaged', 'bundle-not-signed', 'bundle-truncated'];

export const target = fuzzTarget({
  name: 'bundle',
  reads: 'a sealed and signed bundle with any records in it',
  holds: 'valid parts in order, bytes that match their hashes, and an end only with a valid signature; or damage',
  form,
  seeds: [whole],
  made: fc.array(changedRecord, { maxLength: 12 }),
  async attack(records) {
    const parts: BundlePart[] = [];
    try {
      for await (const part of new BundleReading(inMemory(await sealed(records))).parts({ passphrase, name: 'theirs' }))
        parts.push(part.kind === 'piece' ? { ...part, bytes: Buffer.from(part.bytes) } : part);
    } catch (error) {
      if (!(error instanceof FailureError) || !kinds.includes(error.failure.kind)) throw error;
      mustHold(parts.at(-1)?.kind !== 'end', 'it fails behind its end');
    }
    mustBeSound(parts);
  },
});

function mustBeSound(parts: readonly BundlePart[]): void {
  mustHold(parts.length === 0 || parts[0]?.kind === 'manifest', 'it does not begin with its manifest');
  let [held, sizeBytes]: [Buffer[], number | null] = [[], null];
  let sha256: string | null = null;
  for (const part of parts) {
    if (part.kind === 'sample') {
      mustHold(
        bundledSample.safeParse(part.sample).success &&
          part.records.every((one) => bundledRecord.safeParse(one).success),
        'the contract does not take a sample',
      );
      [held, sizeBytes, sha256] = [[], part.sample.sizeBytes, part.sample.sha256];
    }
    if (part.kind === 'rules') {
      mustHold(bundledRules.safeParse(part.rules).success, 'the contract does not take the rules');
      [held, sizeBytes, sha256] = [[], part.rules.sizeBytes, part.rules.sha256];
    }
    if (part.kind === 'piece') held.push(part.bytes);
    if (part.kind !== 'bytes-end' || !part.isWhole) continue;
    const all = Buffer.concat(held);
    mustHold(all.length === sizeBytes && hash('sha256', all) === sha256, 'the bytes are not what their hashes say');
  }
}

async function sealed(records: readonly Record[]): Promise<Buffer> {
  const header = newHeader(passphrase, cheap);
  const pieces: Uint8Array[] = [header.bytes];
  const sealer = new ChunkSealer(header.key, header.chunkBytes, { write: (piece) => void pieces.push(piece) });
  const signed = createHash('sha256').update(header.bytes);
  for (const [of, text, said] of records) {
    const body =
      of === recordType.signature
        ? signatureOf(signed.copy().digest(), signingKey)
        : Buffer.from(text, of === recordType.piece ? 'latin1' : 'utf8');
    const frame = frameOf(of as typeof recordType.piece, said ?? body.length);
    if (of !== recordType.signature && of !== recordType.piece) signed.update(frame).update(body);
    await sealer.write(frame);
    await sealer.write(body);
  }
  await sealer.finish();
  const all = Buffer.concat(pieces);
  return Buffer.concat([all, newTrailer(all.length + trailerBytes)]);
}
