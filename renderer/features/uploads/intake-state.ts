import type { Failure } from '../../../shared/failure.ts';

/** What is on its way into a draft. */
export interface IntakeProgress {
  /** Files so far; it grows while folders are being read. */
  found: number;
  isWalking: boolean;
  /** Files that are in the draft, and their bytes. */
  added: number;
  bytes: number;
}

export interface RefusedFile {
  /** Of a file or folder; untrusted text. */
  name: string;
  failure: Failure;
}

/** All are counted, the newest are kept, newest first. */
export interface RefusedFiles {
  files: readonly RefusedFile[];
  count: number;
}

/** What ended the taking in before its end. What was added until then is in the draft. */
export interface HaltedIntake {
  failure: Failure;
  /** Files that were found and are not in the draft. */
  notTaken: number;
}

export interface IntakeState {
  progress: IntakeProgress | null;
  refused: RefusedFiles;
  halted: HaltedIntake | null;
}

export const noIntake: IntakeState = { progress: null, refused: { files: [], count: 0 }, halted: null };
