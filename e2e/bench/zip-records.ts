import { Buffer } from 'node:buffer';

/**
 * One sample as it lies in an archive: deflated, its sizes known (PKWARE APPNOTE 4.3.7 and 4.3.12), its name its MD5.
 */
export interface ArchivedSample {
  md5: string;
  crc32: number;
  storedBytes: number;
  plainBytes: number;
}

const version = 20;
const deflated = 8;
/** 1980-01-01, the format's zero. */
const date = 0x0021;

export function localHeader(sample: ArchivedSample): Buffer {
  return Buffer.concat([u32(0x04034b50), common(sample), Buffer.from(sample.md5)]);
}

/** What follows the entries: each of them again, with where it began, and the end. */
export function directoryOf(entries: readonly (ArchivedSample & { at: number })[]): Buffer {
  const [disk, comment, attributes] = [u16(0), u16(0), u32(0)];
  const headers = entries.map((entry) =>
    Buffer.concat([
      u32(0x02014b50),
      u16(version),
      common(entry),
      comment,
      disk,
      u16(0),
      attributes,
      u32(entry.at),
      Buffer.from(entry.md5),
    ]),
  );
  const directory = Buffer.concat(headers);
  const last = entries.at(-1);
  const offset = last ? last.at + localHeader(last).length + last.storedBytes : 0;
  const count = u16(entries.length % 2 ** 16);
  return Buffer.concat([
    directory,
    u32(0x06054b50),
    disk,
    disk,
    count,
    count,
    u32(directory.length),
    u32(offset),
    comment,
  ]);
}

function common({ md5, crc32, storedBytes, plainBytes }: ArchivedSample): Buffer {
  const [flags, time, extra] = [u16(0), u16(0), u16(0)];
  return Buffer.concat([
    u16(version),
    flags,
    u16(deflated),
    time,
    u16(date),
    u32(crc32),
    u32(storedBytes),
    u32(plainBytes),
    u16(md5.length),
    extra,
  ]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
