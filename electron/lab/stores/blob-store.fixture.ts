import { hash, randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import type { BlobReceiver, BlobStore, ByteRange, SealedBlob } from './blob-store.ts';
import type { StoredBlob } from './metadata-store.ts';

export interface TestedBlobStore {
  blobs: BlobStore;
  /** Puts other bytes in the place of a stored container. */
  replaceContainer(place: string, change: (container: Buffer) => Uint8Array): Promise<void>;
  close(): Promise<void>;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
/** A container's header and trailer. */
const overheadBytes = 180;
/** Also what was stored a moment ago, by a clock that counts seconds. */
const anyAge = -60_000;
/** Around 5 MiB, where bytes come to a bucket in parts. */
const sizes = [
  ['nothing', 0],
  ['one byte', 1],
  ['a cipher block', 16],
  ['a little more than 64 KiB', 64 * kibibyte + 1],
  ['a little less than 128 KiB', 128 * kibibyte - 1],
  ['a container of 5 MiB', 5 * mebibyte - overheadBytes],
  ['a container of one byte more', 5 * mebibyte - overheadBytes + 1],
  ['a trailer across 5 MiB', 5 * mebibyte - 70],
  ['two parts and a piece', 10 * mebibyte + 5],
] as const;

/** What every blob store promises. `open` gives an empty one. */
export function blobStoreContract(
  title: string,
  open: () => Promise<TestedBlobStore>,
  options: { tags?: string[] } = {},
): void {
  const opened = async (): Promise<TestedBlobStore> => {
    const store = await open();
    onTestFinished(() => store.close());
    return store;
  };
  describe(`a blob store over ${title}`, options, () => {
    readingPromises(opened);
    committingPromises(opened);
    sweepingPromises(opened);
  });
}

function readingPromises(open: () => Promise<TestedBlobStore>): void {
  test.for(sizes)('a committed blob of %s is read back whole and by ranges', async ([, sizeBytes]) => {
    const { blobs } = await open();
    const bytes = randomBytes(sizeBytes);
    const blob = await added(blobs, bytes);
    expect(blob).toMatchObject({ sha256: hash('sha256', bytes), sizeBytes });
    expect((await readAll(blobs, blob)).equals(bytes)).toBe(true);
    for (const range of rangesOf(sizeBytes)) {
      const piece = await readAll(blobs, blob, range);
      expect(piece.equals(bytes.subarray(range.first, range.last + 1)), JSON.stringify(range)).toBe(true);
    }
  });

  test('the memory of a chunk may be used again once a write has resolved', async () => {
    const { blobs } = await open();
    const receiver = blobs.receive();
    const chunk = Buffer.alloc(50_000);
    const expected: Buffer[] = [];
    for (let count = 0; count < 12; count += 1) {
      chunk.fill(count);
      expected.push(Buffer.from(chunk));
      await receiver.write(chunk);
    }
    const blob = stored(await receiver.seal());
    await blobs.commit([receiver], async () => ['added']);
    expect((await readAll(blobs, blob)).equals(Buffer.concat(expected))).toBe(true);
  });

  test('a reader that ends early leaves the blob readable', async () => {
    const { blobs } = await open();
    const bytes = randomBytes(3 * mebibyte);
    const blob = await added(blobs, bytes);
    for await (const chunk of blobs.read(blob)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect((await readAll(blobs, blob)).equals(bytes)).toBe(true);
  });

  test.for([
    ['one bit of the body', 1_000_000, (container: Buffer) => flipped(container, 70)],
    ['the last byte of the body', 1_000_000, (container: Buffer) => flipped(container, container.length - 117)],
    ['one bit of a tiny body', 1, (container: Buffer) => flipped(container, 64)],
    ['the trailer', 1_000_000, (container: Buffer) => flipped(container, container.length - 50)],
    ['the tag', 1_000_000, (container: Buffer) => flipped(container, container.length - 20)],
    ['the key in the header', 1_000_000, (container: Buffer) => flipped(container, 20)],
    ['the length', 1_000_000, (container: Buffer) => container.subarray(0, -1)],
    ['all of it', 1_000_000, () => Buffer.alloc(0)],
  ] as const)('a blob with damage to %s throws before its last chunk', async ([, sizeBytes, change]) => {
    const { blobs, replaceContainer } = await open();
    const blob = await added(blobs, randomBytes(sizeBytes));
    await replaceContainer(blob.place, change);
    let received = 0;
    const reading = async (): Promise<void> => {
      for await (const chunk of blobs.read(blob)) received += chunk.length;
    };
    await expectFailure(reading(), 'vault-damaged');
    expect(received).toBeLessThan(sizeBytes);
  });

  test('a whole container of other bytes is damage, also where it is as long', async () => {
    const { blobs, replaceContainer } = await open();
    const blob = await added(blobs, randomBytes(5_000));
    const other = await added(blobs, randomBytes(5_000));
    let container: Uint8Array = Buffer.alloc(0);
    await replaceContainer(other.place, (bytes) => (container = bytes));
    await replaceContainer(blob.place, () => container);
    await expectFailure(readAll(blobs, blob), 'vault-damaged');
  });

  test('a blob that is not there is a failure, whole or by range', async () => {
    const { blobs } = await open();
    const blob = await added(blobs, randomBytes(100));
    await sweepAll(blobs);
    await expectFailure(readAll(blobs, blob), 'not-in-vault');
    await expectFailure(readAll(blobs, blob, { first: 0, last: 9 }), 'not-in-vault');
  });
}

function committingPromises(open: () => Promise<TestedBlobStore>): void {
  test.for([
    ['nothing of it', async () => {}],
    ['a little', (receiver: BlobReceiver) => receiver.write(randomBytes(1_000))],
    ['a lot', (receiver: BlobReceiver) => receiver.write(randomBytes(6 * mebibyte))],
    ['all of it', (receiver: BlobReceiver) => sealed(receiver, randomBytes(1_000))],
    ['all of a large one', (receiver: BlobReceiver) => sealed(receiver, randomBytes(6 * mebibyte))],
  ] as const)('an upload that is aborted after %s leaves nothing', async ([, begin]) => {
    const { blobs } = await open();
    const receiver = blobs.receive();
    await begin(receiver);
    await receiver.abort();
    await receiver.abort();
    expect(await placesOf(blobs)).toEqual([]);
    await expect(blobs.commit([receiver], async () => ['added'])).rejects.toThrow();
    expect(await placesOf(blobs)).toEqual([]);
  });

  test('an abort during a write or a seal leaves nothing', async () => {
    const { blobs } = await open();
    const [writing, sealing] = [blobs.receive(), blobs.receive()];
    await sealing.write(randomBytes(6 * mebibyte));
    const ends = [writing.write(randomBytes(20 * mebibyte)), sealing.seal()].map((end) => end.catch(() => null));
    await Promise.all([writing.abort(), sealing.abort()]);
    await Promise.all(ends);
    expect(await placesOf(blobs)).toEqual([]);
  });

  test('an abort after the commit does nothing', async () => {
    const { blobs } = await open();
    const receiver = blobs.receive();
    const blob = stored(await sealed(receiver, randomBytes(2_000)));
    await blobs.commit([receiver], async () => {
      await receiver.abort();
      return ['added'];
    });
    await receiver.abort();
    expect(await readAll(blobs, blob)).toHaveLength(2_000);
  });

  test('outcomes are those of the rows, in the order of the receivers', async () => {
    const { blobs } = await open();
    const receivers = [blobs.receive(), blobs.receive(), blobs.receive()];
    const all = await Promise.all(receivers.map((receiver, index) => sealed(receiver, randomBytes(100 + index))));
    const outcomes = ['added', 'md5-taken', 'added'] as const;
    expect(await blobs.commit(receivers, async () => outcomes)).toEqual(outcomes);
    expect(await readAll(blobs, stored(all[0]))).toHaveLength(100);
    expect(await readAll(blobs, stored(all[2]))).toHaveLength(102);
  });

  test('a commit of nothing writes its rows', async () => {
    const { blobs } = await open();
    expect(await blobs.commit([], async () => [])).toEqual([]);
  });

  test('bytes that lost against the same bytes are not stored twice, and the winner stays', async () => {
    const { blobs } = await open();
    const bytes = randomBytes(3_000);
    const receivers = [blobs.receive(), blobs.receive()];
    const [first] = await Promise.all(receivers.map((receiver) => sealed(receiver, bytes)));
    await blobs.commit(receivers, async () => ['added', 'already-here']);
    expect((await readAll(blobs, stored(first))).equals(bytes)).toBe(true);
    expect(await placesOf(blobs)).toEqual([first?.place]);
  });

  test('bytes that lost against those of an earlier commit leave these as they are', async () => {
    const { blobs } = await open();
    const bytes = randomBytes(3_000);
    const winner = await added(blobs, bytes);
    const receiver = blobs.receive();
    await sealed(receiver, bytes);
    await blobs.commit([receiver], async () => ['already-here']);
    expect((await readAll(blobs, winner)).equals(bytes)).toBe(true);
    expect(await placesOf(blobs)).toEqual([winner.place]);
  });

  test('bytes whose rows may have been written stay when that fails', async () => {
    const { blobs } = await open();
    const receiver = blobs.receive();
    const blob = stored(await sealed(receiver, randomBytes(1_000)));
    const lost = new Error('the answer to COMMIT was lost');
    await expect(blobs.commit([receiver], () => Promise.reject(lost))).rejects.toBe(lost);
    await receiver.abort();
    expect(await readAll(blobs, blob)).toHaveLength(1_000);
    expect(await placesOf(blobs)).toEqual([blob.place]);
  });

  test('sixteen uploads at once are each themselves', async () => {
    const { blobs } = await open();
    const all = Array.from({ length: 16 }, (_, index) => randomBytes(200_000 + index));
    const blobsOfAll = await Promise.all(all.map((bytes) => added(blobs, bytes)));
    for (const [index, blob] of blobsOfAll.entries())
      expect((await readAll(blobs, blob)).equals(all[index] ?? Buffer.alloc(0))).toBe(true);
  });

  test('a receiver that is not sealed, or of another store, is not committed', async () => {
    const { blobs } = await open();
    const foreign: BlobReceiver = {
      write: async () => {},
      seal: () => Promise.reject(new Error('it seals nothing')),
      abort: async () => {},
    };
    const own = blobs.receive();
    for (const receiver of [foreign, own])
      await expect(blobs.commit([receiver], () => Promise.reject(new Error('rows were written')))).rejects.toThrow(
        /another store|not sealed/,
      );
    await own.abort();
  });
}

function sweepingPromises(open: () => Promise<TestedBlobStore>): void {
  test('a sweep removes what is old and unknown, and leaves what is young or known', async () => {
    const { blobs } = await open();
    const [known, unknown] = [await added(blobs, randomBytes(100)), await added(blobs, randomBytes(200))];
    expect(await blobs.sweep({ olderThanMs: 60_000, unknownAmong: async (places) => places })).toBe(0);
    const unknownAmong = async (places: readonly string[]) => places.filter((place) => place !== known.place);
    expect(await blobs.sweep({ olderThanMs: anyAge, unknownAmong })).toBe(1);
    expect(await placesOf(blobs)).toEqual([known.place]);
    await expectFailure(readAll(blobs, unknown), 'not-in-vault');
    expect(await readAll(blobs, known)).toHaveLength(100);
  });

  test('a dry run of a sweep counts what is old and unknown, and removes nothing', async () => {
    const { blobs } = await open();
    const [known, unknown] = [await added(blobs, randomBytes(100)), await added(blobs, randomBytes(200))];
    const unknownAmong = async (places: readonly string[]) => places.filter((place) => place !== known.place);
    expect(await blobs.sweep({ olderThanMs: anyAge, unknownAmong, isDryRun: true })).toBe(1);
    expect(await readAll(blobs, unknown)).toHaveLength(200);
    expect(await blobs.sweep({ olderThanMs: anyAge, unknownAmong })).toBe(1);
  });

  test('a sweep leaves bytes that arrive, are sealed or are being committed', async () => {
    const { blobs } = await open();
    const [arriving, waiting, committing] = [blobs.receive(), blobs.receive(), blobs.receive()];
    await arriving.write(randomBytes(6 * mebibyte));
    await sealed(waiting, randomBytes(100));
    const blob = stored(await sealed(committing, randomBytes(300)));
    await blobs.commit([committing], async () => {
      expect(await sweepAll(blobs)).toBe(0);
      return ['added'];
    });
    expect(await readAll(blobs, blob)).toHaveLength(300);
    const { sizeBytes } = await arriving.seal();
    expect(sizeBytes).toBe(6 * mebibyte);
    await blobs.commit([waiting, arriving], async () => ['added', 'added']);
    expect(await placesOf(blobs)).toHaveLength(3);
  });

  test('a sweep that is about bytes leaves those of a commit of the same bytes that begins meanwhile', async () => {
    const { blobs } = await open();
    const bytes = randomBytes(5_000);
    const left = blobs.receive();
    await sealed(left, bytes);
    await expect(blobs.commit([left], () => Promise.reject(new Error('no rows')))).rejects.toThrow('no rows');
    const again = blobs.receive();
    const blob = stored(await sealed(again, bytes));
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const sweeping = blobs.sweep({
      olderThanMs: anyAge,
      unknownAmong: async (places) => {
        asked.resolve();
        await answer.promise;
        return places;
      },
    });
    await asked.promise;
    const committing = blobs.commit([again], async () => ['added']);
    answer.resolve();
    expect(await sweeping).toBe(1);
    expect(await committing).toEqual(['added']);
    expect((await readAll(blobs, blob)).equals(bytes)).toBe(true);
  });

  test('a sweep beside many commits of the same bytes loses none that has a row', async () => {
    const { blobs } = await open();
    const contents = Array.from({ length: 4 }, () => randomBytes(2_000));
    /** As a database has them: SHA-256 to place. */
    const rows = new Map<string, SealedBlob>();
    const upload = async (bytes: Buffer): Promise<void> => {
      const receiver = blobs.receive();
      const blob = await sealed(receiver, bytes);
      await blobs.commit([receiver], async () => {
        if (rows.has(blob.hashes.sha256)) return ['already-here'];
        rows.set(blob.hashes.sha256, blob);
        return ['added'];
      });
    };
    const unknownAmong = async (places: readonly string[]): Promise<readonly string[]> => {
      const known = new Set([...rows.values()].map(({ place }) => place));
      return places.filter((place) => !known.has(place));
    };
    for (let round = 0; round < 5; round += 1) {
      const uploads = contents.flatMap((bytes) => [upload(bytes), upload(bytes)]);
      await Promise.all([...uploads, blobs.sweep({ olderThanMs: anyAge, unknownAmong })]);
      for (const blob of rows.values()) expect(await readAll(blobs, stored(blob))).toHaveLength(2_000);
      rows.clear();
    }
  });
}

/** At both ends, one byte long, across the pieces that stores read, and not at the beginning of a cipher's block. */
function rangesOf(sizeBytes: number): ByteRange[] {
  const last = sizeBytes - 1;
  const edges = [128 * kibibyte, 5 * mebibyte - 64, 5 * mebibyte];
  return [
    { first: 0, last: 0 },
    { first: 0, last },
    { first: last, last },
    { first: 1, last: 17 },
    { first: 16, last: last - 1 },
    ...edges.flatMap((edge) => [
      { first: edge - 9, last: edge + 9 },
      { first: edge, last },
    ]),
  ].filter((range) => range.first >= 0 && range.last >= range.first && range.last <= last);
}

async function sealed(receiver: BlobReceiver, bytes: Uint8Array): Promise<SealedBlob> {
  for (let at = 0; at < bytes.length; at += 65_536) await receiver.write(bytes.subarray(at, at + 65_536));
  return receiver.seal();
}

/** Stored with a row. */
export async function added(blobs: BlobStore, bytes: Uint8Array): Promise<StoredBlob> {
  const receiver = blobs.receive();
  const blob = await sealed(receiver, bytes);
  await blobs.commit([receiver], async () => ['added']);
  return stored(blob);
}

export function stored(blob: SealedBlob | undefined): StoredBlob {
  if (blob === undefined) throw new Error('no such blob');
  return { sha256: blob.hashes.sha256, sizeBytes: blob.sizeBytes, place: blob.place };
}

export async function readAll(blobs: BlobStore, blob: StoredBlob, range?: ByteRange): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of blobs.read(blob, range)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Everything that a sweep could remove. */
export async function placesOf(blobs: BlobStore): Promise<string[]> {
  const places: string[] = [];
  const unknownAmong = async (some: readonly string[]): Promise<string[]> => {
    places.push(...some);
    return [];
  };
  await blobs.sweep({ olderThanMs: anyAge, unknownAmong, isDryRun: true });
  return places;
}

/** As where no row was ever written. */
export const sweepAll = (blobs: BlobStore): Promise<number> =>
  blobs.sweep({ olderThanMs: anyAge, unknownAmong: async (places) => places });

export async function expectFailure(work: Promise<unknown>, kind: FailureError['failure']['kind']): Promise<void> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FailureError);
  expect(error).toHaveProperty('failure.kind', kind);
}

function flipped(container: Buffer, position: number): Buffer {
  container[position] = (container[position] ?? 0) ^ 1;
  return container;
}
