import { deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { archiveLimits } from '../../../shared/domain/opened-archive.ts';
import { FailureError } from '../../../shared/failure.ts';
import { collected, inChunks, type RawEntry, rawZip, u16, u32 } from '../raw-zip.fixture.ts';
import { failureOf, madeBy } from '../zip-making.fixture.ts';
import { archiveName, files, hostile, namesInto, noise, parts, read } from './zip-stream.fixture.ts';
import { readZipStream } from './zip-stream.ts';

const limits = { members: 5, memberBytes: 1000, totalBytes: 2500, expansion: 10, expansionFreeBytes: 500 };

describe('streaming limits', () => {
  test('bound the bytes passed on when the archive cannot be streamed', async () => {
    const endless = Buffer.concat([rawZip([{ name: 'sealed', flags: 1 }]), Buffer.alloc(5000)]);
    expect(await failureOf(read(endless, { limits }, 100))).toEqual({
      kind: 'archive-limit',
      name: archiveName,
      limit: 'total-size',
      value: 2500,
    });
  });

  const zeros = (length: number): RawEntry => ({ name: `z${length}`, plain: Buffer.alloc(length) });
  const met: [string, number, RawEntry[]][] = [
    ['members', 5, Array.from({ length: 6 }, (_, index) => ({ name: `${index}/`, method: 0 }))],
    ['member-size', 1000, [{ name: 'a', plain: noise.subarray(0, 1001), method: 0 }]],
    ['total-size', 2500, [1, 2, 3].map((index) => ({ name: `${index}`, plain: noise.subarray(0, 900), method: 0 }))],
    ['expansion', 10, [zeros(400), zeros(900)]],
  ];
  test.each(met)('%s', async (limit, value, entries) => {
    const failure = { kind: 'archive-limit', name: archiveName, limit, value };
    for (const wholeBytes of [0, 2 ** 20])
      expect(await failureOf(read(rawZip(entries), { limits, wholeBytes }))).toEqual(failure);
  });

  test('stop an entry of unknown size in its middle, and the archive with it', async () => {
    const zip = await madeBy('zip -qfd out.zip text noise', files);
    const got = parts(zip, { limits: { ...limits, expansion: 1e9 } });
    const first = await got.next();
    expect(
      await failureOf(collected(first.value?.kind === 'streamed' ? first.value.chunks : inChunks(noise))),
    ).toMatchObject({ limit: 'member-size' });
    expect(await failureOf(got.next())).toMatchObject({ limit: 'member-size' });
  });

  test('stop a bomb that claims more bytes than it has', async () => {
    const bomb = rawZip([{ name: 'a', plain: Buffer.alloc(3_000_000), storedBytes: 2_000_000 }]);
    const got = parts(bomb, { limits: { ...archiveLimits, expansionFreeBytes: 100_000 }, wholeBytes: 0 });
    const first = await got.next();
    expect(
      await failureOf(collected(first.value?.kind === 'streamed' ? first.value.chunks : inChunks(noise))),
    ).toMatchObject({ limit: 'expansion' });
    expect(await failureOf(got.next())).toMatchObject({ limit: 'expansion' });
  });

  test('stop 70,000 entries at the ten-thousandth', async () => {
    let given = 0;
    async function* source(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 70_000; index += 1) {
        given = index;
        const name = String(index).padStart(5, '0');
        yield Buffer.concat([
          u32(0x04034b50),
          u16(20),
          u16(0),
          u16(0),
          u32(0),
          u32(0),
          u32(0),
          u32(0),
          u16(5),
          u16(0),
          Buffer.from(name),
        ]);
      }
    }
    const names: string[] = [];
    expect(await failureOf(namesInto(names, readZipStream(source(), { archiveName })))).toMatchObject({
      limit: 'members',
      value: 10_000,
    });
    expect(names).toHaveLength(10_000);
    expect(given).toBe(10_000);
  });

  test('stop a bomb of a few kilobytes that unpacks to gigabytes', async () => {
    const piece = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: 2 });
    async function* source(): AsyncGenerator<Uint8Array> {
      yield rawZip([{ name: 'bomb', plain: Buffer.alloc(0), flags: 8, packed: Buffer.alloc(0), crc32: 0 }]).subarray(
        0,
        34,
      );
      for (let index = 0; index < 5000; index += 1) yield piece;
    }
    expect(await failureOf(namesInto([], readZipStream(source(), { archiveName })))).toMatchObject({
      kind: 'archive-limit',
      limit: 'expansion',
      value: 200,
    });
  });
});

describe('a hostile archive', () => {
  const small = { ...archiveLimits, members: 20, memberBytes: 200_000, totalBytes: 400_000 };

  async function survives(zip: Uint8Array): Promise<void> {
    let given = 0;
    try {
      for await (const part of parts(zip, { limits: small, wholeBytes: 50_000 })) {
        if (part.kind === 'whole') given += part.bytes.length;
        if (part.kind === 'unstreamable') await collected(part.rest);
        if (part.kind === 'streamed') await drained(part.chunks, (bytes) => (given += bytes));
      }
    } catch (error) {
      expect(error).toBeInstanceOf(FailureError);
    }
    expect(given).toBeLessThanOrEqual(small.totalBytes + 70_000);
  }

  async function drained(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): Promise<void> {
    try {
      for await (const chunk of chunks) count(chunk.length);
    } catch (error) {
      expect(error).toBeInstanceOf(FailureError);
    }
  }

  test('of random bytes ends in a clear failure within the limits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) =>
        survives(Buffer.concat([u32(0x04034b50), bytes])),
      ),
      { numRuns: 300 },
    );
  });

  test('with one flipped bit ends in a clear failure within the limits', async () => {
    const zips = [
      rawZip([...hostile, { name: 'folder/', method: 0 }], 'comment'),
      await madeBy('zip -qfdr out.zip folder text', files),
      await madeBy('zip -qfzr - folder text | cat > out.zip', files),
    ];
    await fc.assert(
      fc.asyncProperty(fc.nat(zips.length - 1), fc.nat(), fc.nat(7), async (which, at, bit) => {
        const zip = Buffer.from(zips[which] ?? []);
        zip[at % zip.length] = (zip[at % zip.length] ?? 0) ^ (1 << bit);
        await survives(zip);
      }),
      { numRuns: 400 },
    );
  });
});
