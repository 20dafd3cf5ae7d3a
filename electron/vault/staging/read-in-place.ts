import { openInPlace } from './in-place-file.ts';
import { ChangedFileError, type InPlaceSource } from './staged-source.ts';

/** Twice as large, and what is given back is not at hand for the next one. */
const pieceBytes = 128 * 1024;

/**
 * The file in pieces of 128 KiB. The last piece, which may be shorter, is given out only when the file is still the one
 * that was staged, so a reader that counts bytes never holds a mixture as complete.
 * @throws ChangedFileError, or the system's error
 */
export async function* readInPlace(source: InPlaceSource): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const file = await openInPlace(source);
  try {
    for (let position = 0; position < source.sizeBytes;) {
      const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, source.sizeBytes - position));
      const count = await file.read(buffer, position);
      if (count === 0) throw new ChangedFileError('shorter');
      position += count;
      if (position === source.sizeBytes) await file.requireUnchanged();
      yield buffer.subarray(0, count);
    }
  } finally {
    await file.close();
  }
}
