import type { FileTarget } from './exported-file.ts';
import type { ZipProtection } from './zip-encryption.ts';
import type { EntryHead } from './zip-entry.ts';
import type { Zip64Limits } from './write-zip-records.ts';

/** What whoever exports and its worker say to each other: one file at a time, one entry at a time, in order. */

export type ToExportWorker =
  /** `zip` of null writes entries as they are. */
  | { kind: 'file'; target: FileTarget; zip: { protection: ZipProtection; limits: Zip64Limits } | null }
  | { kind: 'entry'; head: EntryHead }
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'end-entry' }
  | { kind: 'drop-entry' }
  | { kind: 'finish-file' }
  | { kind: 'remove-file' };

export type FromExportWorker =
  /** The bytes, written, to be filled again. */
  | { kind: 'written'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'finished'; sizeBytes: number }
  | { kind: 'removed' }
  /** `code` as the system names it. Nothing is done after it. */
  | { kind: 'failed'; code: string };
