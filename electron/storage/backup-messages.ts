import type { Failure, FailureOf } from '../../shared/failure.ts';
import type { WholeBackup } from './backup-file.ts';
import type { BackupOrder } from './backup-making.ts';

/** What the thread of a backup is started with. `stop` is one 32-bit number, not 0 when it is to end. */
export interface BackupStart extends BackupOrder {
  stop: SharedArrayBuffer;
}

/** How much was done since the last message. */
export interface BackupStep {
  done: number;
  alreadyHere: number;
  bytes: number;
}

export type FromBackup =
  | { kind: 'planned'; files: number; bytes: number }
  | ({ kind: 'step' } & BackupStep)
  | { kind: 'lost'; failure: FailureOf<'backup-kept' | 'backup-missed'> }
  | { kind: 'whole'; backup: WholeBackup & { copied: number; missed: number } }
  | { kind: 'over' }
  | { kind: 'stopped' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'defect'; text: string };
