import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../shared/domain/sample.ts';
import { frameOf, headerBytes, recordType } from './bundle-format.ts';
import { BundleReading } from './bundle-opening.ts';
import { BundleSealing } from './bundle-sealing.ts';
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
import { damaged, frameStarts, inserted, plainOf, sealedAgain, time } from './opened-content.fixture.ts';
import { RecordBounds } from './sealed-chunks.ts';

test('a bundle returns its content in order, signed by its key', async () => {
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
    { kind: 'sample', sample: large.sample, records: [], hasBytes: true, recordBytes: expect.any(Number) },
    {
      kind: 'sample',
      sample: known.sample,
      records: known.records,
      hasBytes: false,
      recordBytes: JSON.stringify(known.sample).length + Buffer.byteLength(JSON.stringify(known.records[0])),
    },
    expect.objectContaining({ hasBytes: true }),
  ]);
  expect(Buffer.concat(parts.flatMap((part) => (part.kind === 'piece' ? [part.bytes] : [])))).toEqual(
    Buffer.concat([large.bytes ?? Buffer.alloc(0), rules]),
  );
  expect(parts.at(-1)).toEqual({ kind: 'end', counts: { samples: 3, withBytes: 2, bytes: 5_000 } });
});

test('a repeated sample is damage, but several SHA-256s, also an unknown one, may share an MD5', async () => {
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

test('a bundle has no readable content, and two with the same content differ', async () => {
  const bytes = randomBytes(100);
  const content: BundleContent = { samples: [packed(bytes)] };
  const [one, other] = [await sealedBundle(content), await sealedBundle(content)];
  expect([one.includes(bytes.subarray(0, 8)), one.includes('somebody')]).toEqual([false, false]);
  expect(one.subarray(headerBytes, headerBytes + 64)).not.toEqual(other.subarray(headerBytes, headerBytes + 64));
});

test('a sample found damaged while writing is marked for removal, and the following ones stay valid', async () => {
  const parts = await partsOf(
    await sealedBundle({
      samples: [{ ...randomPacked(3_000), bytes: randomBytes(1_000), isWhole: false }, randomPacked(10)],
    }),
  );
  expect(parts.flatMap((part) => (part.kind === 'bytes-end' ? [part.isWhole] : []))).toEqual([false, true]);
  expect(parts.at(-1)).toEqual({ kind: 'end', counts: { samples: 2, withBytes: 1, bytes: 10 } });
});

test('the borders of a bundle depend on its content, are stable, and have few samples between them', async () => {
  const file = await sealedBundle({ samples: Array.from({ length: 70 }, () => randomPacked(5)) });
  const borders = async (): Promise<string[]> =>
    (await partsOf(file)).flatMap((part) => (part.kind === 'border' ? [part.digest.toString('hex')] : []));
  expect(await borders()).toHaveLength(3);
  expect(await borders()).toEqual(await borders());
});

test('any set of samples is restored from a bundle unchanged', { timeout: 60_000 }, async () => {
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

test('reading a bundle stops when its reader stops', async () => {
  const reading = new BundleReading(inMemory(await sealedBundle({ samples: [randomPacked(50_000)] })));
  for await (const part of reading.parts({ passphrase, name: '' })) if (part.kind === 'piece') break;
  expect(reading.readBytes).toBeGreaterThan(headerBytes);
});

test('a record beyond the limits for stored records is neither written nor read', async () => {
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
  const reported = (
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
  expect(reported).toMatchObject({
    records: threads.map((each, at) => ({ ...each, record: { ...each.record, comments: kept[at] } })),
  });
});

test('the latest comments of an oversized thread are included', () => {
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

test('the record limit counts all records of a sample together, and the writer reports what it skipped', async () => {
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
