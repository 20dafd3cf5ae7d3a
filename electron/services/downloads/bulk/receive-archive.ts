import { shownName } from '../../../archive/archive-names.ts';
import { readZipAt } from '../../../archive/reading/zip-random.ts';
import { readZipStream, type StreamedPart } from '../../../archive/reading/zip-stream.ts';
import type { JobWork } from '../../../jobs/job-runner.ts';
import type { Vault } from '../../../vault/vault.ts';
import type { Ledger } from './ledger.ts';
import { verdictOf } from './verdict.ts';
import type { Wanted, WantedByMd5 } from './wanted.ts';

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
  wanted: WantedByMd5;
  /** Samples whose entry came; a second one of the same name is dropped. */
  taken: Set<Wanted>;
  keeping: Set<Promise<void>>;
  broken: unknown[];
}

/** What failures call an archive that never was a file. */
const archiveName = 'bulkdownload';
type Whole = Extract<StreamedPart, { kind: 'whole' }>;
type Unstreamable = Extract<StreamedPart, { kind: 'unstreamable' }>;

/**
 * Takes the entries of a reply to `bulkdownload` as they arrive. An entry is what its name says, an MD5, or nothing: an
 * entry that nobody asked for is dropped and told. Rejects when the archive breaks off or halts the run; what had come
 * until then is settled.
 */
export async function receiveArchive(receiver: ArchiveReceiver, wanted: WantedByMd5, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const receiving: Receiving = { ...receiver, wanted, taken: new Set(), keeping: new Set(), broken: [] };
  try {
    for await (const part of readZipStream(bytes, { archiveName })) {
      if (part.kind === 'unstreamable') await receiveSpooled(receiving, part);
      else if (part.kind !== 'whole') await receivePart(receiving, part);
      else await beginKeeping(receiving, part);
      throwFirst(receiving);
    }
  } finally {
    await Promise.all(receiving.keeping);
  }
  throwFirst(receiving);
}

/** Several are verified at a time, in the vault's threads, while the next ones arrive. */
async function beginKeeping(receiving: Receiving, { name, encoding, bytes, sizeBytes, crc32 }: Whole): Promise<void> {
  const { vault, ledger, signal, keeping, broken } = receiving;
  const target = take(receiving, name);
  if (target === null) return;
  await ledger.room();
  await vault.room(bytes.byteLength + sizeBytes, signal);
  const kept: Promise<void> = ledger
    .keepWhole(target, { bytes, encoding, sizeBytes, crc32 })
    .catch((error: unknown) => void broken.push(error))
    .finally(() => keeping.delete(kept));
  keeping.add(kept);
}

type Part = Exclude<StreamedPart, Whole | Unstreamable>;

async function receivePart(receiving: Receiving, part: Part): Promise<void> {
  const { ledger, work } = receiving;
  if (part.kind === 'refused') return refuse(receiving, part);
  const target = take(receiving, part.name);
  if (target) await ledger.keepStream(target, shown(work, target, part));
}

/** An entry that cannot be read is its sample's failure; where it means no sample, it is told. */
function refuse({ wanted, taken, ledger, work }: Receiving, { name, failure }: Extract<Part, { kind: 'refused' }>): void {
  const target = wanted.get(name.toLowerCase());
  if (target === undefined || taken.has(target) || ledger.isSettled(target)) return work.notice(failure);
  taken.add(target);
  ledger.settle(target, verdictOf(failure));
}

/** null for an entry that nobody waits for, which is told. */
function take({ wanted, taken, ledger, work }: Receiving, name: string): Wanted | null {
  const target = wanted.get(name.toLowerCase());
  if (target && !taken.has(target) && !ledger.isSettled(target)) {
    taken.add(target);
    return target;
  }
  work.notice({ kind: target ? 'archive-duplicate' : 'archive-entry-unasked', name: shownName(name) });
  return null;
}

function throwFirst({ broken }: Receiving): void {
  if (broken.length > 0) throw broken[0];
}

/** Shows a large entry while it arrives. */
async function* shown(work: JobWork, { positions: [position = 0], hash }: Wanted, part: { sizeBytes: number | null; chunks: AsyncIterable<Uint8Array> }): AsyncGenerator<Uint8Array> {
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
    const source = { sizeBytes: offset + tail.sizeBytes, read: (position: number, length: number) => tail.read(position - offset, length) };
    for await (const part of readZipAt(source, { archiveName, passwords: receiving.passwords, from: offset })) await receivePart(receiving, part);
  } finally {
    await spool.discard();
  }
}
