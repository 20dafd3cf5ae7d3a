import type { Hashes } from '../../../shared/domain/hash.ts';
import type { Failure } from '../../../shared/failure.ts';
import { ruleFileType } from '../../rules/scanning/file-variables.ts';
import type { ScanReader } from '../../rules/scanning/serve-scans.ts';
import type { OtherFile } from '../../storage/scans/scan-files.ts';
import { openToGather, readContainer } from '../../vault/container/container-file.ts';
import { fileType } from '../../vault/inspection/file-type.ts';
import { readSource, type SampleSource, unreadableReason } from '../../vault/sample-source.ts';
import type { StagedFacts } from '../../vault/staged-facts/staged-facts.ts';
import type { Staging } from '../../vault/staging.ts';
import {
  ChangedFileError,
  type InPlaceSource,
  openInPlaceBlocking,
  type StagedSource,
  unreadStagedFailure,
  unreadStagedOf,
} from '../../vault/staging/staged-bytes.ts';
import type { Vault } from '../../vault/vault.ts';

/** A sample of the vault, or a file that a person added. */
export type ScanSource = { kind: 'vault'; source: SampleSource } | { kind: 'staged'; source: StagedSource };

/**
 * In a scan worker, which reads and then scans: no other thread is involved. What is verified when it is read is whole
 * and verified.
 */
export const sampleReader: ScanReader<ScanSource> = {
  read: ({ kind, source }, sizeBytes) => {
    if (kind === 'vault') return gather(readSource(source, openToGather), sizeBytes);
    return source.kind === 'container'
      ? gather(readContainer(source.path, null, openToGather), sizeBytes)
      : readInPlace(source);
  },
  reasonOf: (error) => (error instanceof ChangedFileError ? 'changed' : unreadableReason(error)),
  typeOf: (bytes) => ruleFileType(fileType(bytes)),
};

/** The pieces as one, until the next are put together. Those of most samples are one already. */
async function gather(pieces: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<Uint8Array> {
  let all: Buffer | null = null;
  let filled = 0;
  for await (const piece of pieces) {
    if (filled === 0 && piece.length === sizeBytes) return piece;
    all ??= budgetFor(sizeBytes);
    if (filled + piece.length > all.length) throw new ChangedFileError('longer');
    all.set(piece, filled);
    filled += piece.length;
  }
  return all?.subarray(0, filled) ?? new Uint8Array();
}

/** A buffer that stays, up to this size: fresh memory costs as much as decrypting what goes there. */
const keptBytes = 16 * 1024 * 1024;
let kept = Buffer.alloc(0);

function budgetFor(sizeBytes: number): Buffer {
  if (sizeBytes > keptBytes) return Buffer.allocUnsafeSlow(sizeBytes);
  if (kept.length < sizeBytes) kept = Buffer.allocUnsafeSlow(sizeBytes);
  return kept.subarray(0, sizeBytes);
}

async function readInPlace(source: InPlaceSource): Promise<Uint8Array> {
  const file = await openInPlaceBlocking(source);
  try {
    const bytes = budgetFor(source.sizeBytes);
    for (let done = 0; done < bytes.length;) {
      const count = await file.read(bytes.subarray(done), done);
      if (count === 0) throw new ChangedFileError('shorter');
      done += count;
    }
    await file.requireUnchanged();
    return bytes;
  } finally {
    await file.close();
  }
}

export interface SourcePorts {
  vault: Pick<Vault, 'sourceOf' | 'sourcesOf' | 'unreadable' | 'read'>;
  staging: Pick<Staging, 'sourceOf' | 'open'>;
}

/** A file of a scan, wherever it is stored. */
export interface ScanFile {
  sha256: string;
  name: string;
  /** A file that was added for the scan; null: a sample of the vault. */
  stagedId: string | null;
  /** Other files with its bytes. */
  also: readonly OtherFile[];
}

export function scanSourceOf({ vault, staging }: SourcePorts, { sha256, stagedId }: ScanFile): ScanSource {
  const staged = stagedId === null ? null : staging.sourceOf(stagedId);
  return staged === null ? { kind: 'vault', source: vault.sourceOf(sha256) } : { kind: 'staged', source: staged };
}

/** The same bytes for a request. */
export function openScanFile({ vault, staging }: SourcePorts, file: ScanFile): AsyncIterable<Uint8Array> {
  const { sha256, stagedId } = file;
  return stagedId !== null && staging.sourceOf(stagedId) !== null ? staging.open(stagedId) : vault.read(sha256);
}

/** Why a scan worker could not read a file. `changed`, `damaged`, or the system's name of an error. */
export function unreadableFailure({ vault, staging }: SourcePorts, file: ScanFile, reason: string): Failure {
  if (scanSourceOf({ vault, staging }, file).kind === 'vault') return vault.unreadable(file.sha256, reason);
  return unreadStagedFailure(file.name, unreadStagedOf(reason));
}

/** A staged file whose bytes were read once already. */
export interface ReadStagedFile {
  stagedId: string;
  hashes: Hashes;
  sizeBytes: number;
}

/** What is known of them, in place of reading them once more. */
export const factsOf = (files: readonly ReadStagedFile[]): Pick<StagedFacts, 'hash'> => ({
  hash: async (_asked, _signal, reported) =>
    reported(files.map(({ stagedId, hashes, sizeBytes }) => ({ id: stagedId, hashes, sizeBytes }))),
});
