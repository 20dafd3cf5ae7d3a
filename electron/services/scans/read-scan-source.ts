import { ruleFileType } from '../../rules/scanning/rule-file-type.ts';
import type { ScanReader } from '../../rules/scanning/serve-scans.ts';
import { readContainer } from '../../vault/container/container-file.ts';
import { openToGather } from '../../vault/container/readable-file.ts';
import { readSource, type SampleSource, unreadableReason } from '../../vault/sample-source.ts';
import { openInPlaceBlocking } from '../../vault/staging/in-place-file.ts';
import { fileType } from '../../vault/looking/file-type.ts';
import { ChangedFileError, type InPlaceSource, type StagedSource } from '../../vault/staging/staged-source.ts';

/** A sample of the vault, or a file that a person handed over. */
export type ScanSource = { kind: 'vault'; source: SampleSource } | { kind: 'staged'; source: StagedSource };

/**
 * In a lane, which reads and then scans: no other thread is asked. What is verified when it is read is whole and
 * verified.
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
    all ??= roomFor(sizeBytes);
    if (filled + piece.length > all.length) throw new ChangedFileError('longer');
    all.set(piece, filled);
    filled += piece.length;
  }
  return all?.subarray(0, filled) ?? new Uint8Array();
}

/** Room that stays, up to this size: fresh memory costs as much as decrypting what goes there. */
const keptBytes = 16 * 1024 * 1024;
let kept = Buffer.alloc(0);

function roomFor(sizeBytes: number): Buffer {
  if (sizeBytes > keptBytes) return Buffer.allocUnsafeSlow(sizeBytes);
  if (kept.length < sizeBytes) kept = Buffer.allocUnsafeSlow(sizeBytes);
  return kept.subarray(0, sizeBytes);
}

async function readInPlace(source: InPlaceSource): Promise<Uint8Array> {
  const file = await openInPlaceBlocking(source);
  try {
    const bytes = roomFor(source.sizeBytes);
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
