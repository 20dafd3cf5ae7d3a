import type { JobWork } from '../../../jobs/job-runner.ts';
import { readZipAt } from '../../../archive/zip-random.ts';
import { readZipStream, type StreamedPart } from '../../../archive/zip-stream.ts';
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
  const keeping = new Set<Promise<void>>();
  const broken: unknown[] = [];
  try {
    for await (const part of readZipStream(bytes, { archiveName })) {
      if (part.kind === 'unstreamable') await receiveSpooled(receiver, wanted, part);
      else if (part.kind !== 'whole') await receivePart(receiver, wanted, part);
      else await beginKeeping(receiver, wanted, part, keeping, broken);
      if (broken.length > 0) throw broken[0];
    }
  } finally {
    await Promise.all(keeping);
  }
  if (broken.length > 0) throw broken[0];
}

/** Several are verified at a time, in the vault's threads, while the next ones arrive. */
async function beginKeeping({ vault, ledger, work, signal }: ArchiveReceiver, wanted: WantedByMd5, part: Whole, keeping: Set<Promise<void>>, broken: unknown[]): Promise<void> {
  const { name, encoding, bytes, sizeBytes, crc32 } = part;
  const target = targetOf({ ledger, work }, wanted, name);
  if (target === null) return;
  await vault.room(bytes.byteLength + sizeBytes, signal);
  const kept: Promise<void> = ledger
    .keepWhole(target, { bytes, encoding, sizeBytes, crc32 })
    .catch((error: unknown) => void broken.push(error))
    .finally(() => keeping.delete(kept));
  keeping.add(kept);
}

type Part = Exclude<StreamedPart, Whole | Unstreamable>;

async function receivePart({ ledger, work }: ArchiveReceiver, wanted: WantedByMd5, part: Part): Promise<void> {
  const target = targetOf({ ledger, work }, wanted, part.name, part.kind === 'refused');
  if (part.kind === 'refused') {
    if (target) ledger.settle(target, verdictOf(part.failure));
    else work.notice(part.failure);
  } else if (target) {
    await ledger.keepStream(target, shown(work, target, part));
  }
}

/** null for an entry that nobody waits for, which is told unless there is more to say of it. */
function targetOf({ ledger, work }: Pick<ArchiveReceiver, 'ledger' | 'work'>, wanted: WantedByMd5, name: string, isTold = false): Wanted | null {
  const target = wanted.get(name.toLowerCase());
  if (target && !ledger.isSettled(target)) return target;
  if (!isTold) work.notice(target ? { kind: 'archive-duplicate', name } : { kind: 'archive-entry-unasked', name });
  return null;
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
async function receiveSpooled(receiver: ArchiveReceiver, wanted: WantedByMd5, { offset, rest }: Unstreamable): Promise<void> {
  const spool = await receiver.vault.spool();
  try {
    for await (const chunk of rest) await spool.write(chunk);
    const tail = await spool.finish();
    const source = { sizeBytes: offset + tail.sizeBytes, read: (position: number, length: number) => tail.read(position - offset, length) };
    for await (const part of readZipAt(source, { archiveName, passwords: receiver.passwords, from: offset })) await receivePart(receiver, wanted, part);
  } finally {
    await spool.discard();
  }
}
