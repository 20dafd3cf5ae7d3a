import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 as crc32Of } from 'node:zlib';
import { FailureError } from '../../../shared/failure.ts';
import {
  centralSignature,
  deflatedMethod,
  descriptorSignature,
  encryptedFlag,
  isKnownMethod,
  localHeaderBytes,
  localSignature,
  storedMethod,
  u32,
} from './read-zip-records.ts';
import { hasDescriptor, type ListedEntry, type LocalEntry, readListed, readLocal } from './zip-directory.ts';
import type { ArchiveBytes } from './zip-source.ts';
import { inflated } from './zip-stream-feed.ts';

/** Parts of the archive that are known to be something; half open. */
export class Extents {
  /** In order, none over another. */
  readonly #known: { start: number; end: number }[] = [];

  add(start: number, end: number): void {
    if (end <= start) return;
    let at = this.#indexOf(start);
    let merged = { start, end };
    // One that begins before may reach into it, or touch it.
    if (at > 0 && (this.#known[at - 1]?.end ?? 0) >= start) at -= 1;
    let until = at;
    for (
      let next = this.#known[until];
      next !== undefined && next.start <= merged.end;
      next = this.#known[(until += 1)]
    ) {
      merged = { start: Math.min(merged.start, next.start), end: Math.max(merged.end, next.end) };
    }
    this.#known.splice(at, until - at, merged);
  }

  touches(start: number, end: number): boolean {
    const at = this.#indexOf(start);
    return (this.#known[at - 1]?.end ?? 0) > start || (this.#known[at]?.start ?? Infinity) < end;
  }

  /** What is not known between two places. */
  gaps(from: number, to: number): { start: number; end: number }[] {
    const gaps: { start: number; end: number }[] = [];
    let at = from;
    for (const { start, end } of this.#known) {
      if (start > at) gaps.push({ start: at, end: Math.min(start, to) });
      at = Math.max(at, end);
    }
    if (at < to) gaps.push({ start: at, end: to });
    return gaps;
  }

  /** Of the first that begins at `start` or behind it. */
  #indexOf(start: number): number {
    let low = 0;
    for (let high = this.#known.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((this.#known[middle]?.start ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** An entry that the directory does not lead to. */
export interface HiddenEntry {
  local: LocalEntry;
  /** As a directory lists it that is not the archive's own: that of a second archive in the file. */
  listed: ListedEntry | null;
  /** Null where its length is unknown: it has a descriptor and cannot be measured. */
  sizes: { storedBytes: number; plainBytes: number; crc32: number } | null;
  /** Where the record of that directory lies. */
  record: { start: number; end: number } | null;
}

/** A record of a directory that is not the archive's own. */
interface Listing {
  entry: ListedEntry;
  record: { start: number; end: number };
}

/** Signatures that are looked at. More come of no archive, but of a file that is made to keep a reader busy. */
const mostSignatures = 40_000;
const scanBytes = 64 * 1024;
const scansATurn = 16;
/** So often the archive may be read through, in all, for the ends of entries that cannot be found otherwise. */
const mostSearches = 4;

/**
 * Entries in the parts of the file that are not `known`: such as of an archive in front or behind, or left out of the
 * directory. What resembles a header by chance does not fit: its sizes must lie in the gap, its method must be one.
 * What a found entry holds is passed over, so that an archive stored in it is not taken apart.
 *
 * @param spend Called with how many bytes came out of what had to be inflated to find its end; stops by throwing
 */
export async function* hiddenEntries(
  bytes: ArchiveBytes,
  known: Extents,
  spend: (bytes: number, memberBytes: number) => void,
): AsyncGenerator<HiddenEntry, void, void> {
  const search = { leftBytes: mostSearches * bytes.size };
  for (const gap of known.gaps(bytes.from, bytes.size)) {
    // Behind many entries lie their sizes alone.
    if (gap.end - gap.start < localHeaderBytes) continue;
    const found = await signaturesIn(bytes, gap);
    const listed = await listedBy(bytes, found);
    let past = gap.start;
    for (const { at, signature } of found) {
      if (signature !== localSignature || at < past) continue;
      const local = await readLocal(bytes, at);
      if (local === null || !isPossible(local, gap.end)) continue;
      const list = await listingOf(bytes, local, listed.get(keyOf(local)) ?? []);
      const sizes = list?.entry ?? (await sizesOf(bytes, local, { end: gap.end, spend, search }));
      if (sizes === undefined) continue;
      if (sizes !== null && local.dataAt + sizes.storedBytes > gap.end && gap.end < bytes.size) continue;
      const end = local.dataAt + (sizes?.storedBytes ?? 0);
      past = end > gap.end ? local.dataAt : end;
      yield { local, listed: list?.entry ?? null, sizes, record: list?.record ?? null };
    }
  }
}

interface Found {
  at: number;
  signature: number;
}

async function signaturesIn(bytes: ArchiveBytes, { start, end }: { start: number; end: number }): Promise<Found[]> {
  const found: Found[] = [];
  let turns = 0;
  for (let at = start; at + 4 <= end; at += scanBytes) {
    const piece = await bytes.read(at, Math.min(scanBytes + 3, end - at));
    for (
      let mark = piece.indexOf('PK', 0, 'latin1');
      mark >= 0 && mark < scanBytes && mark + 4 <= piece.length;
      mark = piece.indexOf('PK', mark + 2, 'latin1')
    ) {
      const signature = u32(piece, mark);
      if (signature === localSignature || signature === centralSignature) found.push({ at: at + mark, signature });
    }
    if (found.length > mostSignatures) return found.slice(0, mostSignatures);
    turns += 1;
    if (turns % scansATurn === 0) await nextTurn();
  }
  return found;
}

const keyOf = ({ rawName }: { rawName: Uint8Array }): string =>
  Buffer.from(rawName.buffer, rawName.byteOffset, rawName.length).toString('latin1');

async function listedBy(bytes: ArchiveBytes, found: readonly Found[]): Promise<Map<string, Listing[]>> {
  const listed = new Map<string, Listing[]>();
  for (const { at, signature } of found) {
    const record = signature === centralSignature ? await readListed(bytes, at) : null;
    if (record === null || !isKnownMethod(record.entry.method)) continue;
    const key = keyOf(record.entry);
    listed.set(key, [
      ...(listed.get(key) ?? []),
      { entry: record.entry, record: { start: at, end: at + record.length } },
    ]);
  }
  return listed;
}

const isPossible = ({ rawName, method, dataAt }: LocalEntry, end: number): boolean =>
  rawName.length > 0 && isKnownMethod(method) && dataAt <= end;

/** What an entry is measured with: up to `end`, and with what is left of the searches of the archive. */
interface Measure {
  end: number;
  spend(bytes: number, memberBytes: number): void;
  search: { leftBytes: number };
}

/**
 * Where no directory has its length. undefined: it is no entry. null: it may be one, and its end is unknown. One that
 * the end of the file cuts off is as long as its header declares.
 */
async function sizesOf(
  bytes: ArchiveBytes,
  local: LocalEntry,
  measure: Measure,
): Promise<HiddenEntry['sizes'] | undefined> {
  const { end, spend } = measure;
  if (hasDescriptor(local)) return measured(bytes, local, measure);
  if (isPlausible(local, end)) return local;
  // Its header lies about its length; a deflate stream ends by itself, and the checksum shows which length of stored
  // bytes is the right one.
  const { method, flags, plainBytes, storedBytes, crc32 } = local;
  const isCutOff = end === bytes.size && local.dataAt + storedBytes > end && isPlausible(local, Infinity);
  const otherwise = isCutOff ? { storedBytes, plainBytes, crc32 } : undefined;
  if ((flags & encryptedFlag) !== 0) return otherwise;
  if (method === storedMethod) {
    for (const length of [plainBytes, storedBytes]) {
      if (local.dataAt + length <= end && (await checksum(bytes, local.dataAt, length, spend)) === crc32)
        return { storedBytes: length, plainBytes: length, crc32 };
    }
  }
  if (method !== deflatedMethod) return otherwise;
  const found = await measured(bytes, local, measure);
  return found?.plainBytes === plainBytes ? { ...found, crc32 } : otherwise;
}

async function checksum(
  bytes: ArchiveBytes,
  position: number,
  length: number,
  spend: (bytes: number, memberBytes: number) => void,
): Promise<number> {
  let sum = 0;
  let read = 0;
  for await (const piece of bytes.pieces(position, length)) {
    sum = crc32Of(piece, sum);
    read += piece.length;
    spend(piece.length, read);
  }
  return sum;
}

function isPlausible(local: LocalEntry, end: number): boolean {
  const { method, dataAt, storedBytes, plainBytes, flags } = local;
  return (
    dataAt + storedBytes <= end &&
    (method !== storedMethod || storedBytes === plainBytes || (flags & encryptedFlag) !== 0)
  );
}

/**
 * The length of an entry whose sizes follow it: a deflate stream ends by itself, and what is stored ends where a
 * descriptor matches.
 */
async function measured(
  bytes: ArchiveBytes,
  local: LocalEntry,
  { end, spend, search }: Measure,
): Promise<HiddenEntry['sizes']> {
  if (local.method === deflatedMethod && (local.flags & encryptedFlag) === 0) {
    return measuredByInflating(bytes, local, end, spend).catch((error: unknown) => {
      if (error instanceof FailureError && error.failure.kind === 'archive-damaged') return null;
      throw error;
    });
  }
  for (let at = local.dataAt; at + 16 <= end && search.leftBytes > 0; at += scanBytes) {
    const piece = await bytes.read(at, Math.min(scanBytes + 16, end - at));
    search.leftBytes -= piece.length;
    for (
      let mark = piece.indexOf('PK\u0007\u0008', 0, 'latin1');
      mark >= 0 && mark + 16 <= piece.length;
      mark = piece.indexOf('PK\u0007\u0008', mark + 4, 'latin1')
    ) {
      const storedBytes = at + mark - local.dataAt;
      if (u32(piece, mark) === descriptorSignature && u32(piece, mark + 8) === storedBytes)
        return { crc32: u32(piece, mark + 4), storedBytes, plainBytes: u32(piece, mark + 12) };
    }
  }
  return null;
}

async function measuredByInflating(
  bytes: ArchiveBytes,
  local: LocalEntry,
  end: number,
  spend: (bytes: number, memberBytes: number) => void,
): Promise<HiddenEntry['sizes']> {
  const pieces = bytes.pieces(local.dataAt, end - local.dataAt);
  let storedBytes = 0;
  let plainBytes = 0;
  let sum = 0;
  const chunks = inflated(async () => {
    const { value, done } = await pieces.next();
    if (done === true) return null;
    storedBytes += value.length;
    return value;
  }, keyOf(local));
  try {
    for (;;) {
      const { value, done } = await chunks.next();
      if (done === true) {
        storedBytes -= value;
        break;
      }
      plainBytes += value.length;
      sum = crc32Of(value, sum);
      spend(value.length, plainBytes);
    }
  } finally {
    await pieces.return();
  }
  // A file that ends within the descriptor has all bytes of the entry, and nothing that could prove them.
  return { storedBytes, plainBytes, crc32: (await describedBehind(bytes, local.dataAt + storedBytes)) ?? sum };
}

/** The checksum in a descriptor, which begins with it where it has no signature. Null at the end of the file. */
async function describedBehind(bytes: ArchiveBytes, position: number): Promise<number | null> {
  const descriptor = await bytes.read(position, 8);
  return descriptor.length < 8 ? null : u32(descriptor, u32(descriptor, 0) === descriptorSignature ? 4 : 0);
}

/** A directory's record of this very entry: others may have its name. */
async function listingOf(bytes: ArchiveBytes, local: LocalEntry, listed: readonly Listing[]): Promise<Listing | null> {
  for (const one of listed) {
    const crc32 = hasDescriptor(local)
      ? await describedBehind(bytes, local.dataAt + one.entry.storedBytes)
      : local.crc32;
    if (crc32 === one.entry.crc32) return one;
  }
  return null;
}
