import type { MissingPart } from '../../shared/domain/diagnostics.ts';
import type { HostClient } from './client.ts';

/** A file for a bug report, ready to be written once. */
export interface MadeDiagnostics {
  fileName: string;
  missing: readonly MissingPart[];
  bytes(): AsyncIterable<Uint8Array>;
}

/** For a command that must work whatever state the program and its data are in. */
export interface Diagnosing {
  /**
   * A Vitrine of this version that is open on the data directory; null where none answers. Opens no data. The caller
   * closes it.
   */
  openRunning(): Promise<HostClient | null>;
  /**
   * Reads the data directory without opening it: nothing in it is changed, and it need not be there. Fails with
   * `not-own`, and with nothing else.
   */
  collect(): Promise<MadeDiagnostics>;
}

/** A backup that becomes a data directory. */
export interface RestoreOrder {
  /** The folder of the backup, absolute. */
  backup: string;
  /**
   * Called once nothing prevents the restore, before the first byte. `made`: when the backup was begun, UTC, ISO 8601.
   */
  onBegin(size: { files: number; bytes: number; made: string }): void;
  /** Called with each piece that was copied, or read. */
  onBytes(bytes: number): void;
}

export interface RestoredData {
  directory: string;
  files: number;
  bytes: number;
  made: string;
}

/**
 * Makes the data directory from a backup, without a host. It must be empty, or not there: nothing is restored over
 * data, and so never under an open Vitrine. Fails with `backup-refused`, `backup-damaged`, `data-newer`, and as a disk
 * does.
 */
export type Restoring<Order = RestoreOrder> = (order: Order) => Promise<RestoredData>;

/** What reading a whole backup found. */
export interface VerifiedData {
  folder: string;
  files: number;
  /** How many are missing, or are not what was copied, and the first twenty of them. */
  damaged: number;
  named: string[];
}

/**
 * Reads all of a backup, without a host, and removes what is not as it was copied: the next backup copies it again.
 * Fails with `backup-refused`, `backup-damaged`, `data-newer`, `storage-busy`, and as a disk does.
 */
export type Verifying = (order: RestoreOrder) => Promise<VerifiedData>;
