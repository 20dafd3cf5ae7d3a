import { hash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BundleContent,
  cheap,
  inMemory,
  packed,
  partsOf,
  passphrase,
  randomPacked,
  recordOf,
  refusalOf,
  sampleOf,
  sealedBundle,
  signingKey,
} from './bundle.fixture.ts';
import type { Json } from '../../../shared/domain/sample.ts';
import { RecordBounds } from './bundle-bounds.ts';
import { headerBytes, newHeader, openHeader } from './bundle-header.ts';
import { BundleReading } from './bundle-opening.ts';
import { frameOf, recordType } from './bundle-records.ts';
import { BundleSealing } from './bundle-sealing.ts';
import { newSigningKey, publicKeyOf } from './bundle-signature.ts';
import { newTrailer, trailerBytes } from './bundle-trailer.ts';
import { ChunkOpener, ChunkSealer, tagBytes } from './sealed-chunks.ts';

const time = '2026-01-01T00:00:00.000Z';
const damaged = expect.objectContaining({ kind: 'bundle-damaged', atByte: expect.any(Number) });
const sealedChunkBytes = cheap.chunkBytes + tagBytes;

test('what went in comes out, in its order, and is signed by its key', async () => {
  const [large, rules] = [randomPacked(5_000), randomBytes(3_000)];
  const known = {
    sample: {
      ...sampleOf(randomBytes(4)),
      tags: ['one', 'two'],
      tlp: 'red' as const,
      note: { text: 'a note', changed: '' },
    },
    bytes: null,
    records: [recordOf(time)],
  };
  const parts = await partsOf(
    await sealedBundle({ samples: [large, known, packed(Buffer.alloc(0))], rules: { version: '1.4', bytes: rules } }),
  );
  expect(parts.map(({ kind }) => kind).filter((kind, index, all) => kind !== all[index - 1])).toEqual([
    'manifest',
    'sample',
    'piece',
    'bytes-end',
    'sample',
    'bytes-end',
    'rules',
    'piece',
    'bytes-end',
    'border',
    'end',
  ]);
  expect(parts.filter(({ kind }) => kind === 'sample')).toEqual([
    { kind: 'sample', sample: large.sample, records: [], hasBytes: true, toldBytes: expect.any(Number) },
    {
      kind: 'sample',
      sample: known.sample,
      records: known.records,
      hasBytes: false,
      toldBytes: JSON.stringify(known.sample).length + Buffer.byteLength(JSON.stringify(known.records[0])),
    },
    expect.objectContaining({ hasBytes: true }),
  ]);
  expect(Buffer.concat(parts.flatMap((part) => (part.kind === 'piece' ? [part.bytes] : [])))).toEqual(
    Buffer.concat([large.bytes ?? Buffer.alloc(0), rules]),
  );
  expect(parts.at(-1)).toEqual({ kind: 'end', counts: { samples: 3, withBytes: 2, bytes: 5_000 } });
});

test('a sample that comes twice is damage; several SHA-256s, also an unknown one, may share an MD5', async () => {
  const [one, alone] = [
    randomPacked(10),
    { sample: { ...sampleOf(randomBytes(4)), sha256: null, sha1: null }, bytes: null },
  ];
  expect(await refusalOf(await sealedBundle({ samples: [one, randomPacked(10), one] }))).toEqual(damaged);
  expect(await refusalOf(await sealedBundle({ samples: [alone, alone] }))).toEqual(damaged);
  const sharing = { sample: { ...sampleOf(randomBytes(4)), md5: alone.sample.md5, sha1: null }, bytes: null };
  expect(
    await refusalOf(
      await sealedBundle({
        samples: [alone, sharing, { ...sharing, sample: { ...sharing.sample, sha256: 'a'.repeat(64) } }],
      }),
    ),
  ).toBeNull();
});

test('nothing of it is there to be read, and two of the same are not alike', async () => {
  const bytes = randomBytes(100);
  const content: BundleContent = { samples: [packed(bytes)] };
  const [one, other] = [await sealedBundle(content), await sealedBundle(content)];
  expect([one.includes(bytes.subarray(0, 8)), one.includes('somebody')]).toEqual([false, false]);
  expect(one.subarray(headerBytes, headerBytes + 64)).not.toEqual(other.subarray(headerBytes, headerBytes + 64));
});

test('bytes that proved damaged on their way are to be forgotten, and what follows them holds', async () => {
  const parts = await partsOf(
    await sealedBundle({
      samples: [{ ...randomPacked(3_000), bytes: randomBytes(1_000), isWhole: false }, randomPacked(10)],
    }),
  );
  expect(parts.flatMap((part) => (part.kind === 'bytes-end' ? [part.isWhole] : []))).toEqual([false, true]);
  expect(parts.at(-1)).toEqual({ kind: 'end', counts: { samples: 2, withBytes: 1, bytes: 10 } });
});

test('every byte of it counts: one that is flipped is found, wherever it lies', { timeout: 60_000 }, async () => {
  const file = await sealedBundle({ samples: [randomPacked(1_500)], rules: { version: '1', bytes: randomBytes(20) } });
  for (let at = 0; at < file.length; at += 1) {
    const flipped = Buffer.from(file);
    flipped[at] = (flipped[at] ?? 0) ^ 0x10;
    const refusal = await refusalOf(flipped);
    if (at < 8) expect(refusal).toEqual({ kind: 'bundle-unknown', name: 'theirs' });
    else if (at < 12) expect(refusal).toEqual(expect.objectContaining({ kind: 'bundle-newer', supported: 1 }));
    else if (at < headerBytes || at >= file.length - trailerBytes) expect(refusal).toEqual(damaged);
    else
      expect(refusal).toEqual({
        kind: 'bundle-damaged',
        atByte: headerBytes + Math.floor((at - headerBytes) / sealedChunkBytes) * sealedChunkBytes,
      });
  }
});

test('a file that was cut off says so, at every length it may have', { timeout: 60_000 }, async () => {
  const file = await sealedBundle({ samples: [randomPacked(1_500)] });
  expect(await refusalOf(Buffer.alloc(0))).toEqual({ kind: 'bundle-unknown', name: 'theirs' });
  for (let length = 1; length < file.length; length += 1)
    expect(await refusalOf(file.subarray(0, length))).toEqual({ kind: 'bundle-truncated', receivedBytes: length });
});

test('a file cut off behind a chunk that says it is whole is not believed', async () => {
  const file = await sealedBundle({ samples: [randomPacked(5_000)] });
  for (let end = headerBytes + sealedChunkBytes; end < file.length; end += sealedChunkBytes) {
    expect(await refusalOf(Buffer.concat([file.subarray(0, end), newTrailer(end + trailerBytes)]))).toEqual({
      kind: 'bundle-damaged',
      atByte: end - sealedChunkBytes,
    });
  }
});

test('chunks that changed places, came twice or were left out are found', async () => {
  const file = await sealedBundle({ samples: [randomPacked(5_000)] });
  const chunk = (index: number): Buffer =>
    file.subarray(headerBytes + index * sealedChunkBytes, headerBytes + (index + 1) * sealedChunkBytes);
  const withChunks = (...chunks: Buffer[]): Buffer => {
    const body = Buffer.concat([
      file.subarray(0, headerBytes),
      ...chunks,
      file.subarray(headerBytes + 4 * sealedChunkBytes, -trailerBytes),
    ]);
    return Buffer.concat([body, newTrailer(body.length + trailerBytes)]);
  };
  const [a, b, c, d] = [chunk(0), chunk(1), chunk(2), chunk(3)];
  expect(await refusalOf(withChunks(a, b, c, d))).toBeNull();
  for (const chunks of [
    [b, a, c, d],
    [a, b, b, c, d],
    [a, c, d],
    [a, b, d, c],
  ])
    expect(await refusalOf(withChunks(...chunks))).toEqual(damaged);
});

test.each([1, 16, 17, 5_000])('%i bytes behind the end are found, and where the end was', async (more) => {
  const file = await sealedBundle({ samples: [randomPacked(1_500)] });
  expect(await refusalOf(Buffer.concat([file, randomBytes(more)]))).toEqual({
    kind: 'bundle-damaged',
    atByte: file.length,
  });
});

test('a wrong passphrase is told from damage, and one that is written otherwise is no other', async () => {
  const file = await sealedBundle({
    samples: [randomPacked(10)],
    options: { passphrase: 'caf\u00e9 caf\u00e9 caf\u00e9' },
  });
  expect(await refusalOf(file)).toEqual({ kind: 'bundle-passphrase-wrong' });
  expect(await refusalOf(file, 'cafe\u0301 cafe\u0301 cafe\u0301')).toBeNull();
});

test('a newer version is refused before anything of it is read', async () => {
  const file = Buffer.concat([Buffer.from('VITRBNDL'), Buffer.from([0, 0, 0, 2]), randomBytes(500)]);
  expect(await refusalOf(file)).toEqual({ kind: 'bundle-newer', found: 2, supported: 1 });
});

test('a header cannot ask for gigabytes, nor for minutes', async () => {
  for (const cost of [
    { rounds: 19, blocks: 8, lanes: 1 },
    { rounds: 31, blocks: 8, lanes: 1 },
    { rounds: 17, blocks: 2 ** 20, lanes: 1 },
    { rounds: 17, blocks: 8, lanes: 2 ** 20 },
    { rounds: 0, blocks: 8, lanes: 1 },
  ]) {
    expect(await refusalOf(Buffer.concat([costing(cost), randomBytes(100)]))).toEqual(damaged);
  }
});

/** What `newHeader` would write, without doing the work. */
function costing({ rounds, blocks, lanes }: { rounds: number; blocks: number; lanes: number }): Buffer {
  const header = newHeader(passphrase, cheap).bytes;
  header.writeUInt32BE(rounds, 12);
  header.writeUInt32BE(blocks, 16);
  header.writeUInt32BE(lanes, 20);
  return withDigest(header);
}

const withDigest = (header: Buffer): Buffer =>
  Buffer.concat([header.subarray(0, 96), hash('sha256', header.subarray(0, 96), 'buffer')]);

test('another key, or another maker, is not the one that signed', async () => {
  const other = newSigningKey();
  const file = await sealedBundle({ samples: [randomPacked(10)], options: { signingKey: other } });
  const [first] = await partsOf(file);
  expect(first).toMatchObject({ manifest: { publicKey: publicKeyOf(other) } });
  const content = await plainOf(file);
  const signatureAt = content.length - 64;
  expect(
    await refusalOf(await sealedAgain(Buffer.concat([content.subarray(0, signatureAt), randomBytes(64)]))),
  ).toEqual({ kind: 'bundle-not-signed' });
  expect(await refusalOf(await sealedAgain(content))).toEqual({ kind: 'bundle-not-signed' });
});

test('any content that violates the format is damage, also when written with the right passphrase', async () => {
  const content = await plainOf(
    await sealedBundle({ samples: [randomPacked(2_000)], rules: { version: '1', bytes: randomBytes(20) } }),
  );
  const borders = frameStarts(content);
  expect(borders.length).toBeGreaterThan(7);
  for (const border of borders) {
    if (border > 0) expect(await refusalOf(await sealedAgain(content.subarray(0, border)))).toEqual(damaged);
    expect(
      await refusalOf(
        await sealedAgain(
          inserted(content, border, Buffer.concat([frameOf(recordType.bytesEnd, 2), Buffer.from('{}')])),
        ),
      ),
    ).toEqual(damaged);
    expect(
      await refusalOf(await sealedAgain(inserted(content, border, Buffer.from([9, 0, 0, 0, 0, 0, 0, 0])))),
    ).toEqual(damaged);
    expect(
      await refusalOf(await sealedAgain(inserted(content, border, Buffer.from([4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])))),
    ).toEqual(damaged);
  }
  expect(await refusalOf(await sealedAgain(Buffer.concat([content, Buffer.from([0])])))).toEqual(damaged);
});

test.each([
  ['a name for a hash', { sha256: '../../etc/passwd' }],
  ['a size that is none', { sizeBytes: -1 }],
  ['other bytes', { sha256: 'a'.repeat(64) }],
  ['another MD5', { md5: 'b'.repeat(32) }],
  ['another size', { sizeBytes: 9 }],
  ['too many tags', { tags: Array.from({ length: 1001 }, (_, index) => `t${index}`) }],
  ['a tag that is none', { tags: ['a,b'] }],
  ['a TLP that is none', { tlp: 'blue' }],
  ['a note without end', { note: { text: 'x'.repeat(100_001), changed: '' } }],
])('%s of a sample is damage', async (_, facts) => {
  const sample = { ...sampleOf(Buffer.alloc(10)), ...facts } as ReturnType<typeof sampleOf>;
  expect(await refusalOf(await sealedBundle({ samples: [{ sample, bytes: Buffer.alloc(10) }] }))).toEqual(damaged);
});

test('JSON that is nested without end is damage', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const record = Buffer.from(JSON.stringify(recordOf(time)).replace('"unknown":{}', `"unknown":{"deep":${deep}}`));
  const content = await plainOf(await sealedBundle({ samples: [{ sample: sampleOf(randomBytes(1)), bytes: null }] }));
  const behindSample = frameStarts(content)[2] ?? 0;
  expect(
    await refusalOf(
      await sealedAgain(
        inserted(content, behindSample, Buffer.concat([frameOf(recordType.record, record.length), record])),
      ),
    ),
  ).toEqual(damaged);
});

test('counts that are not those of what is in it are damage', async () => {
  const samples = [randomPacked(10), randomPacked(10)];
  expect(await refusalOf(await sealedBundle({ samples, manifest: { samples: 1 } }))).toEqual(damaged);
  expect(await refusalOf(await sealedBundle({ samples, manifest: { samples: 3 } }))).toBeNull();
});

test('borders are of the content: the same at each reading, and few samples lie between two', async () => {
  const file = await sealedBundle({ samples: Array.from({ length: 70 }, () => randomPacked(5)) });
  const borders = async (): Promise<string[]> =>
    (await partsOf(file)).flatMap((part) => (part.kind === 'border' ? [part.digest.toString('hex')] : []));
  expect(await borders()).toHaveLength(3);
  expect(await borders()).toEqual(await borders());
});

test('any set of samples comes out as it went in', { timeout: 60_000 }, async () => {
  const bytes = fc.uint8Array({ maxLength: 3_000 }).map((each) => Buffer.from(each));
  const sample = fc.record({
    bytes,
    tags: fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,12}$/), { maxLength: 4 }),
    text: fc.string({ maxLength: 50, unit: 'grapheme' }).filter((text) => !text.includes('\0')),
    hasBytes: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(sample, { minLength: 1, maxLength: 8, selector: (one) => one.bytes.toString('hex') }),
      fc.integer({ min: 256, max: 5_000 }),
      async (samples, chunkBytes) => {
        const content = samples.map((one) => ({
          sample: { ...sampleOf(one.bytes), tags: one.tags, note: { text: one.text, changed: 'then' } },
          bytes: one.hasBytes ? one.bytes : null,
        }));
        const parts = await partsOf(await sealedBundle({ samples: content, options: { chunkBytes } }));
        expect(parts.flatMap((part) => (part.kind === 'sample' ? [part.sample] : []))).toEqual(
          content.map((one) => one.sample),
        );
        expect(Buffer.concat(parts.flatMap((part) => (part.kind === 'piece' ? [part.bytes] : [])))).toEqual(
          Buffer.concat(content.flatMap((one) => one.bytes ?? [])),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test('any bytes at all are refused as data', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, hasHeader) => {
      const file = hasHeader ? Buffer.concat([newHeader(passphrase, cheap).bytes, bytes]) : Buffer.from(bytes);
      expect(await refusalOf(file)).toEqual(expect.objectContaining({ kind: expect.stringMatching(/^bundle-/) }));
    }),
  );
});

/** What is sealed in a bundle. */
async function plainOf(file: Buffer): Promise<Buffer> {
  const { key, chunkBytes } = openHeader(file.subarray(0, headerBytes), { passphrase, name: '' });
  const opener = new ChunkOpener(inMemory(file), {
    key,
    chunkBytes,
    start: headerBytes,
    end: file.length - trailerBytes,
  });
  const chunks: Buffer[] = [];
  for (let chunk = await opener.next(); chunk !== null; chunk = await opener.next()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The same for somebody who has the passphrase, and not the key it was signed with. */
async function sealedAgain(content: Buffer): Promise<Buffer> {
  const header = newHeader(passphrase, cheap);
  const parts: Uint8Array[] = [header.bytes];
  const sealer = new ChunkSealer(header.key, header.chunkBytes, { write: (bytes) => void parts.push(bytes) });
  await sealer.write(content);
  await sealer.finish();
  const body = Buffer.concat(parts);
  return Buffer.concat([body, newTrailer(body.length + trailerBytes)]);
}

function frameStarts(content: Buffer): number[] {
  const starts: number[] = [];
  for (let at = 0; at < content.length; at += 8 + content.readUInt32BE(at + 4)) starts.push(at);
  return starts;
}

const inserted = (content: Buffer, at: number, more: Buffer): Buffer =>
  Buffer.concat([content.subarray(0, at), more, content.subarray(at)]);

test('a reading stops where it is left', async () => {
  const reading = new BundleReading(inMemory(await sealedBundle({ samples: [randomPacked(50_000)] })));
  for await (const part of reading.parts({ passphrase, name: '' })) if (part.kind === 'piece') break;
  expect(reading.readBytes).toBeGreaterThan(headerBytes);
});

test('a record beyond what is kept of a service’s own is neither written nor read', async () => {
  const { record } = recordOf(time);
  const deep = (depth: number): Json => (depth === 0 ? 1 : [deep(depth - 1)]);
  const comments = (count: number, idCharacters = 5, content = '') =>
    Array.from({ length: count }, (_, at) => ({
      id: String(at).padStart(idCharacters, '0'),
      parentId: null,
      author: null,
      content,
      created: null,
    }));
  const beyond = [
    { unknown: { deep: deep(40) } },
    { unknown: { wide: Array<number>(50_000).fill(1) } },
    { name: 'x'.repeat(600_000) },
  ].map((facts) => ({ readAt: time, record: { ...record, ...facts } }));
  const threads = [comments(1001), comments(1, 300), comments(300, 5, 'x'.repeat(1000))].map((each) => ({
    readAt: time,
    record: { ...record, comments: each },
  }));
  expect([...beyond, ...threads].map((one) => new RecordBounds().take(one))).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(new RecordBounds().take(recordOf(time))).toBe(true);
  const told = (
    await partsOf(await sealedBundle({ samples: [{ ...randomPacked(1), records: [...beyond, ...threads] }] }))
  ).find((part) => part.kind === 'sample');
  const body = Buffer.from(JSON.stringify(threads[0]));
  const content = await plainOf(await sealedBundle({ samples: [{ sample: sampleOf(randomBytes(1)), bytes: null }] }));
  const signed = inserted(
    content,
    frameStarts(content)[2] ?? 0,
    Buffer.concat([frameOf(recordType.record, body.length), body]),
  );
  expect(await refusalOf(await sealedAgain(signed))).toEqual(damaged);
  const kept = [comments(1001).slice(1), [], []];
  expect(told).toMatchObject({
    records: threads.map((each, at) => ({ ...each, record: { ...each.record, comments: kept[at] } })),
  });
});

test('of a thread that is longer than there is room for, the latest comments go along', () => {
  const said = (id: string, created: string | null, characters: number) => ({
    id,
    parentId: null,
    author: 'a',
    content: 'x'.repeat(characters),
    created,
  });
  const thread = [
    said('latest', '2026-11-02', 100_000),
    said('untimed', null, 100_000),
    said('first', '2026-10-01', 100_000),
    said('second', '2026-11-01', 100_000),
  ];
  expect(new RecordBounds().latest(thread).map(({ id }) => id)).toEqual(['latest', 'second']);
});

test('the limit of records counts all of a sample together, and the writer reports what it skipped', async () => {
  const { record } = recordOf(time);
  const comments = Array.from({ length: 600 }, (_, at) => ({
    id: String(at),
    parentId: null,
    author: null,
    content: '',
    created: null,
  }));
  const records = [0, 1, 2].map((at) => ({ readAt: time, record: { ...record, name: `${at}`, comments } }));
  const sealing = new BundleSealing({ passphrase, signingKey, ...cheap, sink: { write: () => {} } });
  await sealing.begin({
    created: time,
    title: '',
    author: '',
    parts: { samples: true, notes: true, threads: true, rules: false },
    samples: 1,
  });
  await sealing.sample(sampleOf(randomBytes(1)));
  const went: boolean[] = [];
  for (const one of records) went.push(await sealing.record(one));
  expect(went).toEqual([true, false, false]);
  const content = await plainOf(
    await sealedBundle({ samples: [{ ...randomPacked(1), records: records.slice(0, 1) }] }),
  );
  const [, , first = 0, behind = 0] = frameStarts(content);
  expect(await refusalOf(await sealedAgain(inserted(content, behind, content.subarray(first, behind))))).toEqual(
    damaged,
  );
});
