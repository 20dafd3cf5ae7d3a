import type { ZipItem } from './zip-items.ts';

/** An archive cut at its entries: each with its header and what follows its bytes; then the directory and the end. */
export interface ZipParts {
  entries: ZipItem[];
  end: Buffer;
}

const endBytes = 22;
const locatorBytes = 20;
const inZip64Field = 0xffffffff;

/** Of a sound archive without a comment, whatever its names are (APPNOTE.TXT 4.3.12 to 4.3.16). */
export function partsOf(zip: Buffer): ZipParts {
  const directory = directoryOffset(zip);
  const placed = placesIn(zip, directory).toSorted((one, other) => one.offset - other.offset);
  const entries = placed.map(({ name, offset }, index) => ({
    name,
    bytes: zip.subarray(offset, placed[index + 1]?.offset ?? directory),
  }));
  return { entries, end: zip.subarray(directory) };
}

function directoryOffset(zip: Buffer): number {
  const end = zip.length - endBytes;
  if (zip.readUInt32LE(end) !== 0x06054b50) throw new Error('the archive does not end as one');
  const offset = zip.readUInt32LE(end + 16);
  if (offset !== inZip64Field) return offset;
  const zip64End = Number(zip.readBigUInt64LE(end - locatorBytes + 8));
  return Number(zip.readBigUInt64LE(zip64End + 48));
}

function placesIn(zip: Buffer, directory: number): { name: string; offset: number }[] {
  const places: { name: string; offset: number }[] = [];
  for (let at = directory; zip.readUInt32LE(at) === 0x02014b50;) {
    const [nameBytes, extraBytes, commentBytes] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    const nameEnd = at + 46 + nameBytes;
    const offset = zip.readUInt32LE(at + 42);
    places.push({
      name: zip.subarray(at + 46, nameEnd).toString(),
      offset: offset === inZip64Field ? offsetIn(zip.subarray(nameEnd, nameEnd + extraBytes)) : offset,
    });
    at = nameEnd + extraBytes + commentBytes;
  }
  return places;
}

/** The last value of the zip64 field, where there is an offset in it (APPNOTE.TXT 4.5.3). */
function offsetIn(extra: Buffer): number {
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 0x0001) return Number(extra.readBigUInt64LE(end - 8));
    at = end;
  }
  throw new Error('the archive has no offset for an entry');
}
