import { descriptorSignature } from '../zip-format.ts';
import { localHeader, type EntryRecord, type Zip64Limits } from './write-zip-records.ts';

/** The limits an entry keeps in all its records; `mostBytes` is what its larger size may grow to. */
export function limitsFor(mostBytes: number, limits: Zip64Limits): Zip64Limits {
  return mostBytes >= limits.bytesFrom ? { ...limits, bytesFrom: 0 } : limits;
}

/**
 * For entries whose CRC and stored size are known only once their bytes are written: the header before them says zero,
 * and a data descriptor behind them says what it is (APPNOTE.TXT 4.3.9). An entry that may outgrow 32 bits has a zip64
 * field in that header, which makes the descriptor's sizes 64 bits long.
 */
export function headerBeforeDescriptor(entry: EntryRecord, limits: Zip64Limits): Buffer {
  return localHeader({ ...entry, crc32: 0, storedBytes: 0, plainBytes: 0 }, limits);
}

export function dataDescriptor({ crc32, storedBytes, plainBytes }: EntryRecord, limits: Zip64Limits): Buffer {
  const isZip64 = limits.bytesFrom === 0;
  const descriptor = Buffer.alloc(isZip64 ? 24 : 16);
  descriptor.writeUInt32LE(descriptorSignature, 0);
  descriptor.writeUInt32LE(crc32, 4);
  for (const [index, bytes] of [storedBytes, plainBytes].entries()) {
    if (isZip64) descriptor.writeBigUInt64LE(BigInt(bytes), 8 + index * 8);
    else descriptor.writeUInt32LE(bytes, 8 + index * 4);
  }
  return descriptor;
}
