import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The harmless file that every antivirus takes for malware; put together here so that no source file holds it. */
export const eicar = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
  'latin1',
);

/** Paths of all files under the folder, in the order of their names. */
export async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

export async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Those of them that hold these bytes as they are. */
export async function filesHolding(folder: string, bytes: Buffer): Promise<string[]> {
  const holding: string[] = [];
  for (const path of await filesUnder(folder)) if ((await readFile(path)).includes(bytes)) holding.push(path);
  return holding;
}
