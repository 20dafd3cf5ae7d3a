import type { SampleSource, UnreadableReason } from '../sample-source.ts';

/** One word of shared memory, not 0 once nobody wants the answer: a worker that reads hears no messages meanwhile. */
export type StopWord = Int32Array<SharedArrayBuffer>;

export interface ToLooker {
  number: number;
  task: 'verify' | 'look';
  sources: SampleSource[];
  stop: StopWord;
}

/**
 * What the bytes of a sample look like, not verified; or why they could not be read. `strip` is a `ByteStrip`. Both are
 * null for no bytes.
 */
export type SeenSample = { type: string | null; strip: string | null } | { reason: UnreadableReason };

/**
 * In the order of the sources; of a stopped question the last ones, or all, are missing. `null`: whole, and what it
 * should be.
 */
export type FromLooker =
  | { number: number; task: 'verify'; results: (UnreadableReason | null)[] }
  | { number: number; task: 'look'; results: SeenSample[] };
