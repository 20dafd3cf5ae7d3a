import type { BundledRules } from '../../../shared/domain/bundle.ts';
import type { PassphraseCost } from '../../archive/bundle/bundle-header.ts';
import type { BundleManifest } from '../../archive/bundle/bundle-records.ts';
import type { SampleSource } from '../../vault/sample-source.ts';

/** What whoever writes a bundle and its worker say to each other: the worker asks, and waits for each answer. */

export interface WritingOrder {
  database: string;
  passphrase: string;
  signingKey: string;
  cost: PassphraseCost;
  manifest: Omit<BundleManifest, 'publicKey'>;
  /** A file that must not be there yet; null: the bundle is sent piece by piece. */
  path: string | null;
}

export interface OrderedSample {
  /** What the library knows it by. */
  hash: string;
  /** Where its bytes are, if there are any. */
  source: SampleSource | null;
}

export type ToWriter =
  /** Whose bytes are to be counted beforehand. */
  | { kind: 'hashes'; hashes: string[] }
  | { kind: 'samples'; samples: OrderedSample[] }
  | { kind: 'rules'; rules: BundledRules }
  | { kind: 'piece'; bytes: Uint8Array }
  | { kind: 'end-rules' }
  | { kind: 'end' }
  /** A piece was taken. */
  | { kind: 'go-on' };

export type FromWriter =
  /** Which samples are next, to be counted? */
  | { kind: 'next-to-count' }
  | { kind: 'expected'; bytes: number }
  /** What is next? */
  | { kind: 'next' }
  /** `hashes`: samples that began in it. To be answered when it is gone. */
  | { kind: 'sealed'; bytes: Uint8Array<ArrayBuffer>; hashes: string[] }
  | { kind: 'moved'; bytes: number }
  /** The vault should have these bytes; the rest of the sample goes. */
  | { kind: 'unreadable'; sha256: string; reason: string }
  /** Not all that is known of it fits. */
  | { kind: 'cut'; hash: string }
  /** The library has it no more. */
  | { kind: 'gone'; hash: string }
  | { kind: 'finished'; sizeBytes: number }
  /** `code` as the system names it. Nothing is done after it. */
  | { kind: 'disk-failed'; code: string };
