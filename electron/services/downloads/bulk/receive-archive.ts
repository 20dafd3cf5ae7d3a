import type { Failure } from '../../../../shared/failure.ts';
import { shownName } from '../../../archive/archive-names.ts';
import { readZipAt } from '../../../archive/reading/zip-random.ts';
import { readZipStream, type StreamedPart } from '../../../archive/reading/zip-stream.ts';
import { ownFailure } from '../../../jobs/halting-failures.ts';
import type { JobWork } from '../../../jobs/job-runner.ts';
import type { StoredSample, Vault } from '../../../vault/vault.ts';
import { KeptAlready, type Ledger } from './ledger.ts';
import { isEnding, verdictOf } from './verdict.ts';
import { namedBy, type Wanted, type WantedList } from './wanted.ts';

export interface ArchiveReceiver {
  vault: Vault;
  ledger: Ledger;
  work: JobWork;
  signal: AbortSignal;
  /** For an archive that comes encrypted, in this order. */
  passwords: readonly string[];
}

/** One archive on its way. */
interface Receiving extends ArchiveReceiver {
  wanted: WantedList;
  keeping: Set<Promise<void>>;
  broken: unknown[];
  /** What is wrong with the entry that a sample's name is on. Another entry may still be the sample. */
  unusable: Map<Wanted, Failure>;
}

/** What failures call an archive that never was a file. */
const archiveName = 'bulkdownload';
type Whole = Extract<StreamedPart, { kind: 'whole' }>;
type Unstreamable = Extract<StreamedPart, { kind: 'unstreamable' }>;

/**
 * Takes the entries of a reply to `bulkdownload` as they arrive. An entry is the sample that its bytes are, whatever
 * its name: one that is none of those asked for is dropped with a notice. Rejects when the archive breaks off or halts
 * the run; what had come until then is settled.
 */
export async function receiveArchive(
  receiver: ArchiveReceiver,
  wanted: WantedList,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const receiving: Receiving = { ...receiver, wanted, keeping: new Set(), broken: [], unusable: new Map() };
  try {
    for await (const part of readZipStream(bytes, { archiveName })) {
      if (part.kind === 'unstreamable') await receiveSpooled(receiving, part);
      else if (part.kind !== 'whole') await receivePart(receiving, part);
      else await beginKeeping(receiving, part);
      throwFirst(receiving);
    }
  } finally {
    await Promise.all(receiving.keeping);
    settleUnusable(receiving);
  }
  throwFirst(receiving);
}

/** Several are verified at a time, in the vault's threads, while the next ones arrive. */
async function beginKeeping(receiving: Receiving, { name, encoding, bytes, sizeBytes, crc32 }: Whole): Promise<void> {
  const { wanted, vault, ledger, signal, keeping, broken } = receiving;
  if (isComplete(receiving)) return drop(receiving, name);
  await ledger.room();
  await vault.room(bytes.byteLength + sizeBytes, signal);
  const kept: Promise<void> = ledger
    .keepWhole(wanted, { bytes, encoding, sizeBytes, crc32 })
    .then((stored) => void (stored && namedAfter(receiving, name, stored)))
    .catch((error: unknown) => notKept(receiving, name, error))
    .catch((error: unknown) => void broken.push(error))
    .finally(() => keeping.delete(kept));
  keeping.add(kept);
}

type Part = Exclude<StreamedPart, Whole | Unstreamable>;

async function receivePart(receiving: Receiving, part: Part): Promise<void> {
  const { ledger, work, wanted } = receiving;
  if (part.kind === 'refused') return notUsed(receiving, part.name, part.failure);
  if (isComplete(receiving)) return drop(receiving, part.name);
  const named = namedBy(wanted, part.name);
  try {
    await ledger.keepStream(wanted, named && !ledger.isSettled(named) ? shown(work, named, part) : part.chunks);
  } catch (error) {
    notKept(receiving, part.name, error);
  }
}

/** Every sample of the list has its outcome. */
const isComplete = ({ wanted, ledger }: Receiving): boolean =>
  [...wanted.byMd5.values()].every((one) => ledger.isSettled(one));

/** Throws on what says nothing of the entry: the archive ended before it did, or nothing can be kept. */
function notKept(receiving: Receiving, name: string, error: unknown): void {
  const { wanted } = receiving;
  if (error instanceof KeptAlready) return notFirst(receiving, name, error.stored);
  const failure = ownFailure(error);
  const named = namedBy(wanted, name);
  // The record was read some time ago: whether the bytes are wrong is decided by what the service says of them now.
  const contradicted = failure.kind === 'sha256-contradicts' ? wanted.byMd5.get(failure.md5) : undefined;
  const alone = failure.kind === 'archive-limit' ? named : contradicted;
  if (alone) alone.asksAlone = true;
  if (isEnding(failure)) throw error;
  if (failure.kind === 'archive-damaged') notUsed(receiving, name, { ...failure, name: shownName(name) });
  else if (failure.kind === 'wrong-bytes' && named) notUsed(receiving, name, { ...failure, md5: named.md5 });
  else if (!alone) notUsed(receiving, name, failure);
}

/** The same bytes as another entry's, under its name or under that of a third one. */
function notFirst(receiving: Receiving, name: string, { md5, sizeBytes }: StoredSample): void {
  const named = namedBy(receiving.wanted, name);
  if (named === undefined || named.md5 === md5)
    receiving.work.notice({ kind: 'archive-duplicate', name: shownName(name) });
  else notUsed(receiving, name, { kind: 'wrong-bytes', md5: named.md5, actualMd5: md5, sizeBytes });
}

/**
 * It is one sample and has the name of another, which no entry may give: whichever of two with the same bytes comes
 * first, the other's outcome is the same.
 */
function namedAfter({ wanted, ledger, unusable }: Receiving, name: string, { md5, sizeBytes }: StoredSample): void {
  const named = namedBy(wanted, name);
  if (named === undefined || named.md5 === md5 || ledger.isSettled(named) || unusable.has(named)) return;
  unusable.set(named, { kind: 'wrong-bytes', md5: named.md5, actualMd5: md5, sizeBytes });
}

/** Which sample an entry was meant to be is for its name to say, where its bytes cannot. */
function notUsed(receiving: Receiving, name: string, failure: Failure): void {
  const { wanted, ledger, unusable, work } = receiving;
  const named = namedBy(wanted, name);
  if (named && !ledger.isSettled(named)) {
    if (!unusable.has(named)) unusable.set(named, failure);
  } else if (failure.kind === 'wrong-bytes') drop(receiving, name);
  else work.notice(failure);
}

function settleUnusable({ ledger, unusable }: Receiving): void {
  for (const [named, failure] of unusable) if (!ledger.isSettled(named)) ledger.settle(named, verdictOf(failure));
}

/** With a notice: nobody waits for it. */
function drop({ wanted, work }: Receiving, name: string): void {
  work.notice({ kind: namedBy(wanted, name) ? 'archive-duplicate' : 'archive-entry-unasked', name: shownName(name) });
}

function throwFirst({ broken }: Receiving): void {
  if (broken.length > 0) throw broken[0];
}

/** Shows a large entry while it arrives. */
async function* shown(
  work: JobWork,
  { positions: [position = 0], hash }: Wanted,
  part: { sizeBytes: number | null; chunks: AsyncIterable<Uint8Array> },
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  try {
    for await (const chunk of part.chunks) {
      receivedBytes += chunk.byteLength;
      work.active(position, { position, hash, phase: 'receiving', receivedBytes, totalBytes: part.sizeBytes });
      yield chunk;
    }
  } finally {
    work.active(position, null);
  }
}

/** What cannot be read while it arrives waits on the disk, inert, until all of it is there. */
async function receiveSpooled(receiving: Receiving, { offset, rest }: Unstreamable): Promise<void> {
  const spool = await receiving.vault.spool();
  try {
    for await (const chunk of rest) await spool.write(chunk);
    const tail = await spool.finish();
    const source = {
      sizeBytes: offset + tail.sizeBytes,
      read: (position: number, length: number) => tail.read(position - offset, length),
    };
    for await (const part of readZipAt(source, { archiveName, passwords: receiving.passwords, from: offset }))
      await receivePart(receiving, part);
  } finally {
    await spool.discard();
  }
}
