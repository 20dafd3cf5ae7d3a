import {
  DamagedContainerError,
  containerOverheadBytes,
  headerBytes,
  readBody,
  readFacts,
  trailerBytes,
  type BodyReader,
  type ContainerFacts,
} from './container.ts';
import { fill, openFile, type OpenFile, type ReadableFile } from './readable-file.ts';

/**
 * Reads what the container at `path` says of its sample, without its body. `sha256`, where it is known, must be the
 * one.
 * @throws DamagedContainerError, or the system's error
 */
export async function readContainerFacts(path: string, sha256: string | null): Promise<ContainerFacts> {
  const file = await openFile(path);
  try {
    return (await readEnds(file, sha256)).facts;
  } finally {
    await file.close();
  }
}

/**
 * The sample in the container at `path`, in pieces as the open file says. The last piece, which may be shorter, is
 * given out only when the whole is as it was written, so a reader that counts bytes never holds a damaged sample as
 * complete.
 * @throws DamagedContainerError, or the system's error
 */
export async function* readContainer(
  path: string,
  sha256: string | null,
  open: OpenFile = openFile,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const file = await open(path);
  try {
    const { body, facts } = await readEnds(file, sha256);
    const end = headerBytes + facts.sizeBytes;
    const { pieceBytes, readBytes } = file;
    const sealed = Buffer.allocUnsafeSlow(Math.min(readBytes, facts.sizeBytes));
    for (let position = headerBytes; position < end; position += readBytes) {
      const read = sealed.subarray(0, Math.min(readBytes, end - position));
      await fill(file, read, position);
      for (let at = 0; at < read.length; at += pieceBytes) {
        const piece = body.update(read.subarray(at, at + pieceBytes));
        if (position + at + piece.length === end) body.requireWhole();
        yield piece;
      }
    }
    if (facts.sizeBytes === 0) body.requireWhole();
  } finally {
    await file.close();
  }
}

async function readEnds(
  file: ReadableFile,
  sha256: string | null,
): Promise<{ body: BodyReader; facts: ContainerFacts }> {
  const { sizeBytes } = file;
  if (sizeBytes < containerOverheadBytes) throw new DamagedContainerError('cut off');
  const header = await readExactly(file, 0, headerBytes);
  const trailer = await readExactly(file, sizeBytes - trailerBytes, trailerBytes);
  const facts = readFacts(header, trailer, sizeBytes);
  if (sha256 !== null && facts.sha256 !== sha256) throw new DamagedContainerError('another sample');
  return { body: readBody(header, trailer), facts };
}

async function readExactly(file: ReadableFile, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  await fill(file, buffer, position);
  return buffer;
}
