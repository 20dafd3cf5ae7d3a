import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { DamagedContainerError, containerOverheadBytes, decryptBody, headerBytes, readFacts, trailerBytes, type ContainerFacts } from './container.ts';

const pieceBytes = 128 * 1024;

/**
 * Reads what the container at `path` says of its sample, without its body. `sha256`, where it is known, must be the one.
 * @throws DamagedContainerError, or the system's error
 */
export async function readContainerFacts(path: string, sha256: string | null): Promise<ContainerFacts> {
  const handle = await open(path, 'r');
  try {
    return (await readEnds(handle, sha256)).facts;
  } finally {
    await handle.close();
  }
}

/**
 * The sample in the container at `path`, in pieces of at most 128 KiB. The last piece is given out only when the
 * whole has the SHA-256 the container says, so a reader that counts bytes never holds a damaged sample as complete.
 * @throws DamagedContainerError, or the system's error
 */
export async function* readContainer(path: string, sha256: string | null): AsyncGenerator<Uint8Array, void, void> {
  const handle = await open(path, 'r');
  try {
    const { header, facts } = await readEnds(handle, sha256);
    yield* decrypted(handle, header, facts);
  } finally {
    await handle.close();
  }
}

async function readEnds(handle: FileHandle, sha256: string | null): Promise<{ header: Buffer; facts: ContainerFacts }> {
  const { size } = await handle.stat();
  if (size < containerOverheadBytes) throw new DamagedContainerError('cut off');
  const header = await readExactly(handle, 0, headerBytes);
  const trailer = await readExactly(handle, size - trailerBytes, trailerBytes);
  const facts = readFacts(header, trailer, size);
  if (sha256 !== null && facts.sha256 !== sha256) throw new DamagedContainerError('another sample');
  return { header, facts };
}

async function* decrypted(handle: FileHandle, header: Buffer, facts: ContainerFacts): AsyncGenerator<Uint8Array, void, void> {
  const decipher = decryptBody(header);
  const sha256 = createHash('sha256');
  const end = headerBytes + facts.sizeBytes;
  const sealed = Buffer.allocUnsafeSlow(Math.min(pieceBytes, facts.sizeBytes));
  for (let position = headerBytes; position < end; ) {
    const piece = sealed.subarray(0, Math.min(pieceBytes, end - position));
    await fill(handle, piece, position);
    position += piece.length;
    const plain = decipher.update(piece);
    sha256.update(plain);
    if (position < end) yield plain;
    else {
      requireHash(sha256.digest('hex'), facts);
      yield plain;
    }
  }
  if (facts.sizeBytes === 0) requireHash(sha256.digest('hex'), facts);
}

function requireHash(actual: string, facts: ContainerFacts): void {
  if (actual !== facts.sha256) throw new DamagedContainerError('altered');
}

async function readExactly(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  await fill(handle, buffer, position);
  return buffer;
}

async function fill(handle: FileHandle, buffer: Buffer, position: number): Promise<void> {
  for (let done = 0; done < buffer.length; ) {
    const { bytesRead } = await handle.read(buffer, done, buffer.length - done, position + done);
    if (bytesRead === 0) throw new DamagedContainerError('cut off');
    done += bytesRead;
  }
}
