import type { Hashes } from '../../shared/domain/hash.ts';
import type { SampleRecord } from '../../shared/domain/sample.ts';
import type { JournalEntry } from './journal-store.ts';

export type Detail = NonNullable<JournalEntry['detail']>;

export interface LookupNote {
  workspaceId: string;
  md5: string;
  /** null when the look-up failed: it is journalled all the same. */
  record: SampleRecord | null;
  outcome: string;
  detail?: Detail;
}

/** A record that a service gave. */
export interface NotedRecord {
  workspaceId: string;
  md5: string;
  record: SampleRecord;
}

export interface DownloadNote {
  workspaceId: string;
  md5: string;
  /** Computed from the bytes the vault now holds; null when nothing was kept. */
  hashes: Hashes | null;
  sizeBytes: number | null;
  outcome: string;
  detail?: Detail;
}

/** A file of this computer that was to be sent. */
export interface UploadNote {
  workspaceId: string;
  md5: string;
  /** Computed here from the bytes; null teaches nothing. */
  hashes: Hashes | null;
  sizeBytes: number | null;
  outcome: string;
  detail?: Detail;
}

/** A local file that was to be added to the vault, or a member of one. */
export interface AdditionNote {
  /** Computed from the bytes the vault now holds; null when nothing was kept. */
  hashes: Hashes | null;
  sizeBytes: number | null;
  /** Untrusted text. */
  name: string;
  path: string;
  outcome: string;
  detail?: Detail;
}

/** A file that was to be scanned: one row of the journal, under its SHA-256. */
export interface ScanOutcomeNote {
  workspaceId: string | null;
  sha256: string;
  /** Computed here from the bytes; null teaches nothing. */
  hashes: Hashes | null;
  sizeBytes: number | null;
  outcome: string;
  detail?: Detail;
}

/** A hunt as a whole: one row of the journal, of no sample. */
export interface HuntNote {
  workspaceId: string | null;
  outcome: string;
  detail?: Detail;
}
