import { configure, type FileEntry, Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import type { ZipItem } from './zip-items.ts';

configure({ useWebWorkers: false });

/** More members are lost without a word, and so are those that no password opens. */
const membersAtMost = 25;
const memberBytesAtMost = 256 * 1024 * 1024;
const passwords = [undefined, 'infected', 'malware', 'virus'];

/** By its name or by its first bytes. */
export function isArchive({ name, bytes }: ZipItem): boolean {
  return name.toLowerCase().endsWith('.zip') || Buffer.from(bytes).subarray(0, 4).toString('latin1') === 'PK\x03\x04';
}

/** The members as these servers store them: without their folders. Null for what is no ZIP. */
export async function unpacked(archive: Uint8Array): Promise<ZipItem[] | null> {
  const entries = await entriesOf(archive);
  if (entries === null) return null;
  const members: ZipItem[] = [];
  for (const entry of entries.slice(0, membersAtMost)) {
    const bytes = entry.uncompressedSize > memberBytesAtMost ? null : await opened(entry);
    if (bytes !== null) members.push({ name: entry.filename.split('/').at(-1) ?? '', bytes });
  }
  return members;
}

async function entriesOf(archive: Uint8Array): Promise<FileEntry[] | null> {
  try {
    const entries = await new ZipReader(new Uint8ArrayReader(archive)).getEntries();
    return entries.filter((entry) => !entry.directory);
  } catch {
    // Whatever the library found wrong, the server reports one thing only.
    return null;
  }
}

async function opened(entry: FileEntry): Promise<Uint8Array | null> {
  for (const password of passwords) {
    try {
      return await entry.getData(new Uint8ArrayWriter(), {
        checkSignature: true,
        ...(password === undefined ? {} : { password }),
      });
    } catch {
      // Not this one: the next is tried.
    }
  }
  return null;
}
