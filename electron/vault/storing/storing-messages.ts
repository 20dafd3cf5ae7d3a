import type { Failure } from '../../../shared/failure.ts';
import type { ContainerFacts } from '../container/container.ts';
import type { Expectation } from '../expectation.ts';
import type { PackSpot } from '../packs/pack-index-port.ts';
import type { WholeSample } from './whole-sample.ts';

/** What the vault's thread and a worker that stores whole samples say to each other. */

export interface StoringSetup {
  /** The vault's folder: a disk failure names it to the person. */
  directory: string;
  /** Where packs lie; null when every sample is a file of its own. */
  packs: string | null;
  /** A pack to go on with, and where it ends. */
  unfilled: PackEnd | null;
}

export interface PackEnd {
  pack: string;
  end: number;
}

export interface StoringOrder {
  number: number;
  sample: WholeSample;
  expected: Expectation;
  /** Where its container goes when it is not packed; nothing is there yet. Empty when it is. */
  path: string;
}

export interface Stored {
  facts: ContainerFacts;
  /** The vault has a file of this sample. */
  hasFile: boolean;
  /** Where it was packed; null when it is the file that was ordered. */
  spot: PackSpot | null;
}

export type StoringAnswer = { number: number; stored: Stored } | { number: number; failure: Failure };

export type ToStorer =
  /** The first one. */
  | { kind: 'start'; setup: StoringSetup }
  | { kind: 'store'; orders: StoringOrder[] }
  /** Nobody wants these records any more. */
  | { kind: 'scrap'; number: number; spots: PackSpot[] }
  /** The disk failed this pack: nothing more goes into it. */
  | { kind: 'leave'; pack: string };

export type FromStorer = { kind: 'stored'; answers: StoringAnswer[] } | { kind: 'scrapped'; number: number };
