import { fail } from '../../../shared/failure.ts';
import { u16, u32, u64 } from './read-zip-records.ts';
import {
  centralSignature,
  endSignature,
  max16,
  max32,
  zip64EndSignature,
  zip64LocatorSignature,
} from '../zip-format.ts';
import type { ByteFeed } from './zip-stream-feed.ts';

const centralHeaderBytes = 46;
const zip64EndBytes = 56;
const zip64LocatorBytes = 20;
const endBytes = 22;
/** A zip64 end record may grow, by things nobody writes. */
const mostExtensibleBytes = 64 * 1024;

/** What an end record says of the directory, and what the directory is. */
interface Extent {
  entries: number;
  sizeBytes: number;
  offset: number;
}

/**
 * Reads the central directory and the end of the archive, its comment too, and nothing behind it. They say again how
 * many entries there were and where: an archive whose parts contradict each other has lost some, or hides some.
 * @throws FailureError `archive-damaged`, `archive-truncated`
 */
export async function readStreamedDirectory(feed: ByteFeed, entries: number, archiveName: string): Promise<void> {
  const found: Extent = { entries: 0, sizeBytes: 0, offset: feed.position };
  let large: Extent | null = null;
  for (;;) {
    const signature = u32(await atLeast(feed, 4), 0);
    if (signature === centralSignature && large === null) {
      await skipCentralHeader(feed);
      found.entries += 1;
      found.sizeBytes = feed.position - found.offset;
    } else if (signature === zip64EndSignature && large === null) large = await readZip64End(feed, archiveName);
    else if (signature === endSignature)
      return readEnd(feed, requireEntries(found, entries, archiveName), large, archiveName);
    else damaged(archiveName, 'Its directory cannot be read');
    if (found.entries > entries) requireEntries(found, entries, archiveName);
  }
}

function requireEntries(found: Extent, entries: number, archiveName: string): Extent {
  if (found.entries !== entries) damaged(archiveName, `Its directory does not list the ${entries} entries it contains`);
  return found;
}

async function skipCentralHeader(feed: ByteFeed): Promise<void> {
  const fixed = await feed.take(centralHeaderBytes);
  await feed.skip(u16(fixed, 28) + u16(fixed, 30) + u16(fixed, 32));
}

async function readZip64End(feed: ByteFeed, archiveName: string): Promise<Extent> {
  const record = await feed.take(zip64EndBytes);
  const extent = { entries: u64(record, 32), sizeBytes: u64(record, 40), offset: u64(record, 48) };
  const extensibleBytes = u64(record, 4) + 12 - zip64EndBytes;
  if (extensibleBytes < 0 || extensibleBytes > mostExtensibleBytes)
    damaged(archiveName, 'Its end record cannot be read');
  await feed.skip(extensibleBytes);
  const locator = await feed.take(zip64LocatorBytes);
  if (u32(locator, 0) !== zip64LocatorSignature) damaged(archiveName, 'Its end record cannot be read');
  return extent;
}

/** Info-ZIP, made to write zip64 to a pipe, points to a zip64 record and writes none: then a mark says nothing. */
async function readEnd(feed: ByteFeed, found: Extent, large: Extent | null, archiveName: string): Promise<void> {
  const record = await feed.take(endBytes);
  const marked = large ?? found;
  const said: Extent = {
    entries: u16(record, 10) === max16 ? marked.entries : u16(record, 10),
    sizeBytes: u32(record, 12) === max32 ? marked.sizeBytes : u32(record, 12),
    offset: u32(record, 16) === max32 ? marked.offset : u32(record, 16),
  };
  if (said.entries !== found.entries)
    damaged(archiveName, `Its end record counts ${said.entries} entries, but it contains ${found.entries}`);
  if (said.sizeBytes !== found.sizeBytes || said.offset !== found.offset)
    damaged(archiveName, 'Its directory is not at the offset in its end record');
  await feed.skip(u16(record, 20));
}

async function atLeast(feed: ByteFeed, length: number): Promise<Uint8Array> {
  const bytes = await feed.peek(length);
  return bytes.length < length ? feed.truncated() : bytes;
}

function damaged(name: string, reason: string): never {
  fail({ kind: 'archive-damaged', name, reason });
}
