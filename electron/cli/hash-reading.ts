import { HashExtractor, type HashSink } from '../../shared/domain/hash-extractor.ts';
import { probeBytes, UnitDecoder } from '../../shared/domain/text-encoding.ts';

/**
 * Reads the hashes out of a text of any size and encoding that comes in pieces. After each of them what was found in it
 * has been given to the sink, and `onPiece` is waited for.
 */
export async function readHashes(
  pieces: AsyncIterable<Uint8Array>,
  sink: HashSink,
  onPiece: () => Promise<void> = async () => {},
): Promise<void> {
  const [decoder, extractor] = [new UnitDecoder(), new HashExtractor(sink)];
  for await (const piece of withLongBeginning(pieces)) {
    extractor.push(decoder.decode(piece));
    await onPiece();
  }
  extractor.push(decoder.end());
  extractor.end();
  await onPiece();
}

/** A pipe gives a few bytes at a time: too few to tell an encoding by. */
async function* withLongBeginning(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let beginning: Uint8Array[] | null = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    beginning?.push(piece);
    if (beginning === null) yield piece;
    else if (bytes >= probeBytes) {
      yield joined(beginning);
      beginning = null;
    }
  }
  if (beginning && bytes > 0) yield joined(beginning);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = pieces;
  return only && others.length === 0 ? only : Buffer.concat(pieces);
}
