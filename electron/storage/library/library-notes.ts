import type { Hashes } from '../../../shared/domain/hash.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { SampleRow } from './sample-table.ts';

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

/** The journal entry of each change of the library. */

export const lookupEntry = ({ workspaceId, md5, outcome, detail = {} }: LookupNote): JournalEntry => ({
  workspaceId,
  operation: 'look-up',
  hash: md5,
  outcome,
  detail,
});

const transferEntry = (
  operation: 'download' | 'upload',
  { workspaceId, md5, hashes, outcome, detail = {} }: DownloadNote | UploadNote,
): JournalEntry => ({
  workspaceId,
  operation,
  hash: md5,
  outcome,
  detail: { ...detail, ...(hashes && { sha256: hashes.sha256 }) },
});

export const downloadEntry = (note: DownloadNote): JournalEntry => transferEntry('download', note);
export const uploadEntry = (note: UploadNote): JournalEntry => transferEntry('upload', note);

export const additionEntry = ({ hashes, name, outcome, detail = {} }: AdditionNote): JournalEntry => ({
  workspaceId: null,
  operation: 'add',
  hash: hashes?.sha256 ?? null,
  outcome,
  detail: { name: name.toWellFormed(), ...detail },
});

/** Without a SHA-256: the hunt as a whole. */
export const scanEntry = ({
  workspaceId,
  sha256,
  outcome,
  detail = {},
}: Pick<ScanOutcomeNote, 'workspaceId' | 'outcome' | 'detail'> & { sha256: string | null }): JournalEntry => ({
  workspaceId,
  operation: 'scan',
  hash: sha256,
  outcome,
  detail,
});

/** Without a SHA-256: a list was exported. */
export const exportEntry = (sha256: string | null, outcome: string, detail: Detail): JournalEntry => ({
  workspaceId: null,
  operation: 'export',
  hash: sha256,
  outcome,
  detail,
});

export const forgetEntry = (
  { md5, sha256 }: Pick<SampleRow, 'md5' | 'sha256'>,
  what: 'bytes' | 'all',
): JournalEntry => ({
  workspaceId: null,
  operation: 'forget',
  hash: sha256 ?? md5,
  outcome: what,
  detail: { sha256 },
});

/** Forgotten bytes that the vault still holds. */
export const restoredEntry = ({ sha256 }: Hashes): JournalEntry => ({
  workspaceId: null,
  operation: 'forget',
  hash: sha256,
  outcome: 'brought-back',
  detail: {},
});
