import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { releaseBytes } from '../../../shared/release-bytes.ts';
import { encodeTrailer, encryptBody, newHeader, type ContainerFacts } from '../container/container.ts';

/** What stays in a processor's cache between encryption and the disk. */
const sliceBytes = 256 * 1024;

/** Writes the container of a sample that is held whole as a new file, with calls that block. Leaves none when it throws. */
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
  append(file, header);
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    const encrypted = cipher.update(bytes.subarray(at, at + sliceBytes));
    append(file, encrypted);
    releaseBytes(encrypted);
  }
  append(file, encodeTrailer(header, cipher, facts));
}

function append(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
