import type { Failure } from '../../../shared/failure.ts';
import type { OtherFile } from '../../storage/scans/scan-store.ts';
import type { Staging } from '../../vault/staging.ts';
import { unreadStagedFailure, unreadStagedOf } from '../../vault/staging/unread-staged.ts';
import type { Vault } from '../../vault/vault.ts';
import type { ScanSource } from './read-scan-source.ts';

export interface SourcePorts {
  vault: Pick<Vault, 'sourceOf' | 'sourcesOf' | 'unreadable' | 'read'>;
  staging: Pick<Staging, 'sourceOf' | 'open'>;
}

/** A file of a scan, wherever this desk has it. */
export interface ScanFile {
  sha256: string;
  name: string;
  /** A file that was handed over for the scan; null: a sample of the vault. */
  stagedId: string | null;
  /** Other files with its bytes. */
  also: readonly OtherFile[];
}

export function scanSourceOf({ vault, staging }: SourcePorts, { sha256, stagedId }: ScanFile): ScanSource {
  const staged = stagedId === null ? null : staging.sourceOf(stagedId);
  return staged === null ? { kind: 'vault', source: vault.sourceOf(sha256) } : { kind: 'staged', source: staged };
}

/** The same bytes for a request. */
export function openScanFile({ vault, staging }: SourcePorts, file: ScanFile): AsyncIterable<Uint8Array> {
  const { sha256, stagedId } = file;
  return stagedId !== null && staging.sourceOf(stagedId) !== null ? staging.open(stagedId) : vault.read(sha256);
}

/** Why a lane could not read a file. `changed`, `damaged`, or the system's name of an error. */
export function unreadableFailure({ vault, staging }: SourcePorts, file: ScanFile, reason: string): Failure {
  if (scanSourceOf({ vault, staging }, file).kind === 'vault') return vault.unreadable(file.sha256, reason);
  return unreadStagedFailure(file.name, unreadStagedOf(reason));
}
