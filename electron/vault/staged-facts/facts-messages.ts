import type { StagedSource } from '../staging/staged-source.ts';
import type { HashedFile, LookedFile } from './file-facts.ts';

/** What whoever wants facts and a worker that reads staged files say to each other. */

export interface FileOrder {
  id: string;
  source: StagedSource;
}

/** One word of shared memory, not 0 once nobody wants the answer: a worker that reads hears no messages meanwhile. */
export type StopWord = Int32Array<SharedArrayBuffer>;

export interface ToFacts {
  number: number;
  task: 'hash' | 'look';
  files: FileOrder[];
  stop: StopWord;
}

/** Of a stopped order some files, or none, are missing. */
export type FromFacts =
  { number: number; task: 'hash'; results: HashedFile[] } | { number: number; task: 'look'; results: LookedFile[] };
