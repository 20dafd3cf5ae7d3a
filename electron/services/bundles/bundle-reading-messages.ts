import type {
  BundledRecord,
  BundledRules,
  BundledSample,
  BundleFacts,
  BundleSigner,
} from '../../../shared/domain/bundle.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { StagedSource } from '../../vault/staging/staged-source.ts';

/** What whoever reads a bundle and its worker say to each other. */

export interface ReadingOrder {
  stagedId: string;
  source: StagedSource;
  /** The file's, for failures. */
  name: string;
  passphrase: string;
  database: string;
  /** Whose records, comments and rules it is held against. */
  workspaceIds: readonly string[];
  /** null: it is looked through, and nothing of it given out. */
  taking: Taking | null;
}

export interface Taking {
  /** The digests at its borders, as they were when it was looked through, one behind the other. */
  borders: Uint8Array;
  /** Samples that an earlier run took in. */
  skip: number;
}

export const borderBytes = 32;

/** What was found, by a signature that holds. */
export interface Looked {
  facts: Omit<BundleFacts, 'signer'>;
  signer: Omit<BundleSigner, 'standing' | 'isNamesake'>;
  borders: Uint8Array;
}

/** `held`: the vault has them. `coming`: they follow, unless they are not whole. */
export type BytesState = 'none' | 'held' | 'coming';

/** So many bytes were taken from what was sent: only so many are on their way at a time. */
export interface ToReader {
  handledBytes: number;
}

/** A sample is many values, each made anew by whoever takes it: as much work as so many times its bytes of a piece. */
export const weightOfTold = 64;

/** What a message costs that has hardly any bytes. */
const leastCounted = 4 * 2 ** 10;
export const countedBytes = (length: number): number => Math.max(length, leastCounted);

export type FromReader =
  | { kind: 'read'; readBytes: number }
  | { kind: 'looked'; looked: Looked }
  | { kind: 'sample'; sample: BundledSample; records: BundledRecord[]; bytes: BytesState; sentBytes: number }
  /** All of the last sample, proven. */
  | { kind: 'whole'; bytes: Uint8Array<ArrayBuffer> }
  /** Of a sample that is too large for that, or of the rules. */
  | { kind: 'piece'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'end-pieces'; isWhole: boolean }
  | { kind: 'rules'; rules: BundledRules }
  /**
   * What was sent since the last one is what was looked through, and is taken in now: it counts as much as its samples
   * until it is.
   */
  | { kind: 'border'; sentBytes: number }
  | { kind: 'taken' }
  | { kind: 'failed'; failure: Failure };
