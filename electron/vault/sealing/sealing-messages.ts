import type { ContainerFacts } from '../container/container.ts';
import type { EarlyHashes, HashCandidates } from './sealer.ts';

/** What the vault's thread and its two workers say to each other. `sample` tells the samples in flight apart. */

export type ToHasher =
  | { kind: 'batch'; sample: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'digest'; sample: number; tail: Uint8Array }
  | { kind: 'forget'; sample: number };

export type FromHasher =
  /** The batch, hashed, on its way to the writer. */
  | { kind: 'batch'; sample: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'digest'; sample: number; candidates: HashCandidates };

export type ToWriter =
  | { kind: 'open'; sample: number; path: string; durable: boolean }
  | { kind: 'batch'; sample: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'seal'; sample: number; tail: Uint8Array; hashes: EarlyHashes }
  | { kind: 'discard'; sample: number };

export type FromWriter =
  /** The batch, written, to be filled again. */
  | { kind: 'written'; sample: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'sealed'; sample: number; facts: ContainerFacts }
  | { kind: 'discarded'; sample: number }
  /** `code` as the system names it; the file is closed and gone. */
  | { kind: 'failed'; sample: number; code: string };
