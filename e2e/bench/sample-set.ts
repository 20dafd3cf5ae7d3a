import { createCipheriv, createHash, hash, randomBytes } from 'node:crypto';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { z } from 'zod';
import { type ArchivedSample, localHeader } from './zip-records.ts';

/** Unknown samples, ready to be served in any archive. */
export interface SampleSet {
  /** Their entries, one after the other, as they lie in an archive. */
  entriesPath: string;
  /** What and where each entry is: JSON, `sampleIndex`. */
  indexPath: string;
  /** One MD5 a line. */
  listPath: string;
  /** The samples as files named by their MD5; null when they were not asked for. */
  plainFolder: string | null;
  samples: number;
  totalBytes: number;
  /** The SHA-256 over `md5 sha256 size` of each, a line each. */
  listing: string;
}

export interface SampleSetSize {
  samples: number;
  bytesEach: number;
}

const number = z.number().int().nonnegative();
export const sampleIndex = z.array(
  z.object({ md5: z.string(), crc32: number, storedBytes: number, plainBytes: number, at: number, length: number }),
);

interface Made extends ArchivedSample {
  plain: Buffer;
  stored: Buffer;
}

const deflate = promisify<Buffer, { level: number }, Buffer>(deflateRaw);
/** Deflated at a time: as many threads as Node has for it. */
const ahead = 4;

/** Writes the set below `folder`. */
export async function writeSampleSet(
  folder: string,
  { samples, bytesEach }: SampleSetSize,
  withPlain = false,
): Promise<SampleSet> {
  const plainFolder = withPlain ? join(folder, 'plain') : null;
  if (plainFolder !== null) await mkdir(plainFolder);
  const paths = {
    entriesPath: join(folder, 'entries'),
    indexPath: join(folder, 'index.json'),
    listPath: join(folder, 'list'),
  };
  const index: z.infer<typeof sampleIndex> = [];
  const listing = createHash('sha256');
  const entries = await open(paths.entriesPath, 'wx');
  try {
    let at = 0;
    for await (const { plain, stored, ...sample } of made(samples, bytesEach)) {
      const entry = Buffer.concat([localHeader(sample), stored]);
      await entries.write(entry);
      if (plainFolder !== null) await writeFile(join(plainFolder, sample.md5), plain);
      index.push({ ...sample, at, length: entry.length });
      listing.update(`${sample.md5} ${hash('sha256', plain)} ${plain.length}\n`);
      at += entry.length;
    }
  } finally {
    await entries.close();
  }
  await writeFile(paths.indexPath, JSON.stringify(index));
  await writeFile(paths.listPath, index.map(({ md5 }) => `${md5}\n`).join(''));
  return { ...paths, plainFolder, samples, totalBytes: samples * bytesEach, listing: listing.digest('hex') };
}

async function* made(samples: number, bytesEach: number): AsyncGenerator<Made> {
  const write = sampleWriter();
  const under: Promise<Made>[] = [];
  for (let count = 0; count < samples || under.length > 0; count += 1) {
    if (count < samples) under.push(archived(write(bytesEach)));
    const next = count < ahead ? undefined : under.shift();
    if (next) yield await next;
  }
}

/** The fastest level: only what comes out of it is measured, and that is equally fast to inflate. */
async function archived(plain: Buffer): Promise<Made> {
  const stored = await deflate(plain, { level: constants.Z_BEST_SPEED });
  return {
    md5: hash('md5', plain),
    crc32: crc32(plain),
    storedBytes: stored.length,
    plainBytes: plain.length,
    plain,
    stored,
  };
}

/** Bytes that deflate to about half, like most programs: noise and text in turn. */
function sampleWriter(): (sizeBytes: number) => Buffer {
  const cipher = createCipheriv('aes-256-ctr', randomBytes(32), randomBytes(16));
  const noise = (length: number): Buffer => cipher.update(Buffer.alloc(length));
  const words = Array.from({ length: 256 }, () => noise(4));
  // Written once: what one sample repeats of it lies too far apart for DEFLATE, which looks back 32 KiB.
  const text = Buffer.concat(Array.from(noise(512 * 1024), (byte) => Buffer.from(words[byte]?.toString('hex') ?? '')));
  const [noiseBytes, textBytes] = [640, 1408];
  return (sizeBytes) => {
    const pieces: Buffer[] = [];
    for (let length = 0; length < sizeBytes; length += noiseBytes + textBytes) {
      const bytes = noise(noiseBytes);
      const from = bytes.readUInt32LE() % (text.length - textBytes);
      pieces.push(bytes, text.subarray(from, from + textBytes));
    }
    return Buffer.concat(pieces).subarray(0, sizeBytes);
  };
}
