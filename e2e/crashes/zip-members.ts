import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';

/** What each member of a password ZIP holds. Rejects when one does not open. */
export async function openZip(path: string, password: string): Promise<Buffer[]> {
  const zip = new ZipReader(new BlobReader(new Blob([await readFile(path)])), {
    useWebWorkers: false,
    password,
    checkSignature: true,
  });
  const members: Buffer[] = [];
  for (const entry of await zip.getEntries())
    if (!entry.directory) members.push(Buffer.from(await entry.getData(new Uint8ArrayWriter())));
  await zip.close();
  return members;
}

/** Files below a folder, in order. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
