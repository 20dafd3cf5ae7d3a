import type { ContainerFacts } from '../container/container.ts';

/** The hashes that are ready before a sample is sealed, as lower-case hex. */
export interface EarlyHashes {
  md5: string;
  sha1: string;
}

/** Of the bytes with and without their last ones, which may be a server's stray `{}`. */
export interface HashCandidates {
  whole: EarlyHashes;
  withoutTail: EarlyHashes;
}

export interface SealTarget {
  /** Where the container goes; nothing is there yet. */
  path: string;
  /** The folder a disk failure names to the person. */
  shownPath: string;
  /** Wait until the disk has it. Not needed for what a restart throws away. */
  durable: boolean;
}

/**
 * Turns bytes into a container on disk and hashes them on the way: any number of `write`, then `digest`, then `seal`.
 * A call that fails is followed by `discard`, which may come at any time, also after `seal`, and leaves no file.
 */
export interface Sealer {
  /** Takes the batch over and gives an empty one to fill, as soon as there is room for another. */
  write(batch: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  digest(tail: Uint8Array): Promise<HashCandidates>;
  /** `tail` are the last bytes, or none; `hashes` are those of everything including them. */
  seal(tail: Uint8Array, hashes: EarlyHashes): Promise<ContainerFacts>;
  discard(): Promise<void>;
}

/** Starts a sealer for a sample too large to be worked on where it arrives. */
export type OpenSealer = (target: SealTarget) => Sealer;
