import { assertNever } from '../../shared/assert-never.ts';
import type { ArchiveFault } from './bulk-fault.ts';
import { zipBy7z } from './encrypted-zip.ts';
import { itemsOf, type ZipItem, zipOf } from './zip-items.ts';
import { partsOf } from './zip-parts.ts';

/** The archive with the fault in it. What is done while it is sent leaves it as it is. */
export async function changed(zip: Buffer, fault: ArchiveFault): Promise<Buffer> {
  switch (fault.kind) {
    case 'truncated':
    case 'slow-drip':
      return zip;
    case 'damaged':
      return damaged(zip, fault.md5);
    case 'encrypted':
      return zipBy7z(await itemsOf(zip), fault);
    case 'zip64':
      return zipOf(await itemsOf(zip), { zip64: true });
    case 'descriptors':
      return zipOf(await itemsOf(zip), { dataDescriptor: true, level: fault.stored ? 0 : 6 });
    case 'unasked':
      return zipOf([{ name: fault.name, bytes: fault.bytes }, ...(await itemsOf(zip))]);
    default:
      return zipOf(
        (await itemsOf(zip)).flatMap((item) => (item.name === fault.md5 ? itemsInstead(item, fault) : [item])),
      );
  }
}

function itemsInstead(
  item: ZipItem,
  fault: Extract<ArchiveFault, { kind: 'replaced' | 'renamed' | 'left-out' | 'twice' }>,
): ZipItem[] {
  switch (fault.kind) {
    case 'replaced':
      return [{ ...item, bytes: fault.bytes }];
    case 'renamed':
      return [{ ...item, name: fault.name }];
    case 'left-out':
      return [];
    case 'twice':
      return [item, item];
    default:
      return assertNever(fault);
  }
}

/** Flips bits in the middle of the entry's bytes, which follow a header of 30 bytes and its name. */
function damaged(zip: Buffer, md5: string): Buffer {
  const entry = partsOf(zip).entries.find(({ name }) => name === md5);
  if (entry === undefined) throw new Error('there is no such entry');
  const headerBytes = 30 + entry.name.length;
  const middle = headerBytes + Math.floor((entry.bytes.length - headerBytes) / 2);
  entry.bytes.set([(entry.bytes[middle] ?? 0) ^ 0xff], middle);
  return zip;
}
