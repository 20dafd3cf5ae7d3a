import { closeSync, openSync, rmSync, writeSync, writevSync } from 'node:fs';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import { encodeTrailer, encryptBody, newHeader, type ContainerFacts } from '../container/container.ts';

/** What stays in a processor's cache between encryption and the disk. */
const sliceBytes = 256 * 1024;

/**
 * Writes the container of a sample that is held whole as a new file, with calls that block. Leaves none when it throws.
 */
export function writeContainer(path: string, bytes: Uint8Array, facts: ContainerFacts): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeTo(file, bytes, facts);
  } catch (error) {
    closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
  closeSync(file);
}

function writeTo(file: number, bytes: Uint8Array, facts: ContainerFacts): void {
  const header = newHeader();
  const cipher = encryptBody(header);
  let before: Uint8Array[] = [header];
  let encrypted = cipher.update(bytes.subarray(0, sliceBytes));
  for (let at = sliceBytes; at < bytes.length; at += sliceBytes) {
    append(file, [...before, encrypted]);
    releaseBytes(encrypted);
    before = [];
    encrypted = cipher.update(bytes.subarray(at, at + sliceBytes));
  }
  append(file, [...before, encrypted, encodeTrailer(header, cipher, facts)]);
  releaseBytes(encrypted);
}

/** In one call of the system, as a rule. */
function append(file: number, parts: readonly Uint8Array[]): void {
  const written = writevSync(file, parts);
  let before = 0;
  for (const part of parts) {
    for (let done = Math.max(0, written - before); done < part.length;) done += writeSync(file, part, done);
    before += part.length;
  }
}
