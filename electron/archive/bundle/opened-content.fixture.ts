import { expect } from 'vitest';
import { headerBytes, newHeader, newTrailer, openHeader, trailerBytes } from './bundle-format.ts';
import { cheap, inMemory, passphrase } from './bundle.fixture.ts';
import { ChunkOpener, ChunkSealer } from './sealed-chunks.ts';

export const time = '2026-01-01T00:00:00.000Z';
export const damaged = expect.objectContaining({ kind: 'bundle-damaged', atByte: expect.any(Number) });

/** What is sealed in a bundle. */
export async function plainOf(file: Buffer): Promise<Buffer> {
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

/** The same for a person who has the passphrase, and not the key it was signed with. */
export async function sealedAgain(content: Buffer): Promise<Buffer> {
  const header = newHeader(passphrase, cheap);
  const parts: Uint8Array[] = [header.bytes];
  const sealer = new ChunkSealer(header.key, header.chunkBytes, { write: (bytes) => void parts.push(bytes) });
  await sealer.write(content);
  await sealer.finish();
  const body = Buffer.concat(parts);
  return Buffer.concat([body, newTrailer(body.length + trailerBytes)]);
}

export function frameStarts(content: Buffer): number[] {
  const starts: number[] = [];
  for (let at = 0; at < content.length; at += 8 + content.readUInt32BE(at + 4)) starts.push(at);
  return starts;
}

export const inserted = (content: Buffer, at: number, more: Buffer): Buffer =>
  Buffer.concat([content.subarray(0, at), more, content.subarray(at)]);
