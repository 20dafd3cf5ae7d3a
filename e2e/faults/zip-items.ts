import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipReader, ZipWriter } from '@zip.js/zip.js';

configure({ useWebWorkers: false });

/** A ZIP in memory, by another library than the program's own writer, to take apart and put together again. */
export interface ZipItem {
  name: string;
  bytes: Uint8Array;
}

export interface ZipForm {
  zip64?: boolean;
  dataDescriptor?: boolean;
  /** 0 stores. */
  level?: number;
}

export async function itemsOf(zip: Uint8Array): Promise<ZipItem[]> {
  const items: ZipItem[] = [];
  for (const entry of await new ZipReader(new Uint8ArrayReader(zip)).getEntries()) {
    if (!entry.directory) items.push({ name: entry.filename, bytes: await entry.getData(new Uint8ArrayWriter()) });
  }
  return items;
}

/**
 * The same name may come twice: the library refuses that, so it gets a mark of the same length, exchanged afterwards.
 */
export async function zipOf(
  items: readonly ZipItem[],
  { zip64 = false, dataDescriptor = false, level = 6 }: ZipForm = {},
): Promise<Buffer> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { zip64, dataDescriptor, level, extendedTimestamp: false });
  const names = new Map<string, string>();
  for (const { name, bytes } of items) {
    const mark = names.has(name) ? `again-${names.size}-`.padEnd(name.length, '~') : name;
    names.set(mark, name);
    await writer.add(mark, new Uint8ArrayReader(bytes));
  }
  return withNames(Buffer.from(await writer.close()), names);
}

function withNames(zip: Buffer, names: ReadonlyMap<string, string>): Buffer {
  for (const [mark, name] of names) {
    if (mark === name) continue;
    for (let at = zip.indexOf(mark); at !== -1; at = zip.indexOf(mark)) zip.write(name, at, 'latin1');
  }
  return zip;
}
