import type { FileTarget } from './exported-file.ts';
import type { ZipProtection } from '../encryption/zip-encryption.ts';
import type { EntryHead } from '../writing/zip-entry.ts';
import type { Zip64Limits } from '../writing/write-zip-records.ts';

/** What whoever exports and its worker say to each other: one file at a time, one entry at a time, in order. */

export type ToExportWorker<Source> =
  /** `zip` of null writes entries as they are. */
  | { kind: 'file'; target: FileTarget; zip: { protection: ZipProtection; limits: Zip64Limits } | null }
  /** A whole entry, read by the worker. `offset` is where in the file it begins. Its CRC is made on the way. */
  | { kind: 'copy'; number: number; head: EntryHead; offset: number; source: Source }
  /** An entry whose bytes are sent. */
  | { kind: 'entry'; head: EntryHead; offset: number }
  | { kind: 'bytes'; piece: Uint8Array<ArrayBuffer> }
  | { kind: 'end-entry' }
  /** Answered when nothing is held back that would be written later. */
  | { kind: 'flush' }
  /** Without an end the file is somebody else's to finish. */
  | { kind: 'finish-file'; end: FileEnd | null }
  | { kind: 'remove-file' };

/** The file ends with these bytes, from that place on. */
export interface FileEnd {
  offset: number;
  parts: Uint8Array[];
}

export type FromExportWorker =
  /** So many more bytes of a copy. */
  | { kind: 'moved'; number: number; bytes: number }
  | { kind: 'copied'; number: number; crc32: number }
  /** `reason` is the source's. What was written of it is in the way of nothing. */
  | { kind: 'unreadable'; number: number; reason: string }
  | { kind: 'written' }
  | { kind: 'flushed' }
  | { kind: 'finished'; sizeBytes: number }
  | { kind: 'removed' }
  /** `code` as the system names it. Nothing is done after it. */
  | { kind: 'failed'; code: string };
