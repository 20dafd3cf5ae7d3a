import {
  containerOverheadBytes,
  DamagedContainerError,
  encodeTrailer,
  encryptBody,
  headerBytes,
  newHeader,
  readBody,
  readFacts,
  trailerBytes,
  type ContainerFacts,
} from './container.ts';

/** The container of a sample that is held whole. */
export function encodeContainer(bytes: Uint8Array, facts: ContainerFacts): Buffer {
  const container = Buffer.allocUnsafe(bytes.length + containerOverheadBytes);
  encodeContainerInto(container, bytes, facts);
  return container;
}

/** The same into memory that has just the room for it. */
export function encodeContainerInto(container: Uint8Array, bytes: Uint8Array, facts: ContainerFacts): void {
  const header = newHeader();
  container.set(header);
  const cipher = encryptBody(header);
  container.set(cipher.update(bytes), headerBytes);
  container.set(encodeTrailer(header, cipher, facts), headerBytes + bytes.length);
}

/**
 * What a container that is held whole says of its sample. `sha256`, where it is known, must be the one.
 * @throws DamagedContainerError
 */
export function factsOfContainer(container: Buffer, sha256: string | null): ContainerFacts {
  if (container.length < containerOverheadBytes) throw new DamagedContainerError('cut off');
  const facts = readFacts(
    container.subarray(0, headerBytes),
    container.subarray(container.length - trailerBytes),
    container.length,
  );
  if (sha256 !== null && facts.sha256 !== sha256) throw new DamagedContainerError('another sample');
  return facts;
}

/** The sample itself, verified. @throws DamagedContainerError */
export function decodeContainer(
  container: Buffer,
  sha256: string | null,
): { bytes: Buffer<ArrayBuffer>; facts: ContainerFacts } {
  const facts = factsOfContainer(container, sha256);
  const end = container.length - trailerBytes;
  const body = readBody(container.subarray(0, headerBytes), container.subarray(end));
  const bytes = body.update(container.subarray(headerBytes, end));
  body.requireWhole();
  return { bytes, facts };
}
