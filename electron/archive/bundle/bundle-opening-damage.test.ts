import { hash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  frameOf,
  headerBytes,
  newHeader,
  newSigningKey,
  newTrailer,
  publicKeyOf,
  recordType,
  trailerBytes,
} from './bundle-format.ts';
import {
  cheap,
  partsOf,
  passphrase,
  randomPacked,
  recordOf,
  refusalOf,
  sampleOf,
  sealedBundle,
} from './bundle.fixture.ts';
import { damaged, frameStarts, inserted, plainOf, sealedAgain, time } from './opened-content.fixture.ts';
import { tagBytes } from './sealed-chunks.ts';

const sealedChunkBytes = cheap.chunkBytes + tagBytes;

test('a flipped byte anywhere in a bundle is detected', { timeout: 60_000 }, async () => {
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

test('a truncated bundle is reported as such, at every possible length', { timeout: 60_000 }, async () => {
  const file = await sealedBundle({ samples: [randomPacked(1_500)] });
  expect(await refusalOf(Buffer.alloc(0))).toEqual({ kind: 'bundle-unknown', name: 'theirs' });
  for (let length = 1; length < file.length; length += 1)
    expect(await refusalOf(file.subarray(0, length))).toEqual({ kind: 'bundle-truncated', receivedBytes: length });
});

test('a bundle cut off behind a chunk with a forged end is refused', async () => {
  const file = await sealedBundle({ samples: [randomPacked(5_000)] });
  for (let end = headerBytes + sealedChunkBytes; end < file.length; end += sealedChunkBytes) {
    expect(await refusalOf(Buffer.concat([file.subarray(0, end), newTrailer(end + trailerBytes)]))).toEqual({
      kind: 'bundle-damaged',
      atByte: end - sealedChunkBytes,
    });
  }
});

test('moved, repeated or missing chunks are detected', async () => {
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

test.each([1, 16, 17, 5_000])(
  '%i bytes behind the end of a bundle are detected, with the position of the end',
  async (more) => {
    const file = await sealedBundle({ samples: [randomPacked(1_500)] });
    expect(await refusalOf(Buffer.concat([file, randomBytes(more)]))).toEqual({
      kind: 'bundle-damaged',
      atByte: file.length,
    });
  },
);

test('a wrong passphrase is distinguished from damage, and another Unicode form of the right one works', async () => {
  const file = await sealedBundle({
    samples: [randomPacked(10)],
    options: { passphrase: 'caf\u00e9 caf\u00e9 caf\u00e9' },
  });
  expect(await refusalOf(file)).toEqual({ kind: 'bundle-passphrase-wrong' });
  expect(await refusalOf(file, 'cafe\u0301 cafe\u0301 cafe\u0301')).toBeNull();
});

test('a newer bundle version is refused before its content is read', async () => {
  const file = Buffer.concat([Buffer.from('VITRBNDL'), Buffer.from([0, 0, 0, 2]), randomBytes(500)]);
  expect(await refusalOf(file)).toEqual({ kind: 'bundle-newer', found: 2, supported: 1 });
});

test('a bundle header cannot demand gigabytes of memory or minutes of time', async () => {
  for (const cost of [
    { rounds: 19, blocks: 8, parallelism: 1 },
    { rounds: 31, blocks: 8, parallelism: 1 },
    { rounds: 17, blocks: 2 ** 20, parallelism: 1 },
    { rounds: 17, blocks: 8, parallelism: 2 ** 20 },
    { rounds: 0, blocks: 8, parallelism: 1 },
  ]) {
    expect(await refusalOf(Buffer.concat([costing(cost), randomBytes(100)]))).toEqual(damaged);
  }
});

/** What `newHeader` would write, without doing the work. */
function costing({ rounds, blocks, parallelism }: { rounds: number; blocks: number; parallelism: number }): Buffer {
  const header = newHeader(passphrase, cheap).bytes;
  header.writeUInt32BE(rounds, 12);
  header.writeUInt32BE(blocks, 16);
  header.writeUInt32BE(parallelism, 20);
  return withDigest(header);
}

const withDigest = (header: Buffer): Buffer =>
  Buffer.concat([header.subarray(0, 96), hash('sha256', header.subarray(0, 96), 'buffer')]);

test('a bundle with another key, or resealed by someone else, fails the signature check', async () => {
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

test('bundle content that violates the format is damage, even when written with the right passphrase', async () => {
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
])('%s of a sample counts as damage', async (_, facts) => {
  const sample = { ...sampleOf(Buffer.alloc(10)), ...facts } as ReturnType<typeof sampleOf>;
  expect(await refusalOf(await sealedBundle({ samples: [{ sample, bytes: Buffer.alloc(10) }] }))).toEqual(damaged);
});

test('endlessly nested JSON in a bundle is damage', async () => {
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

test('counts that do not match the content of a bundle are damage', async () => {
  const samples = [randomPacked(10), randomPacked(10)];
  expect(await refusalOf(await sealedBundle({ samples, manifest: { samples: 1 } }))).toEqual(damaged);
  expect(await refusalOf(await sealedBundle({ samples, manifest: { samples: 3 } }))).toBeNull();
});

test('arbitrary bytes are refused as a bundle', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, hasHeader) => {
      const file = hasHeader ? Buffer.concat([newHeader(passphrase, cheap).bytes, bytes]) : Buffer.from(bytes);
      expect(await refusalOf(file)).toEqual(expect.objectContaining({ kind: expect.stringMatching(/^bundle-/) }));
    }),
  );
});
