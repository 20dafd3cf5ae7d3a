import type { ExtractedHash } from '../../../shared/domain/hash-extraction.ts';
import type { ShownLine } from './extracted-text.ts';
import type { ReadOutcome } from './hash-reader.ts';

/** Between the page and the thread that reads: both of one build. Each request has one answer. */
export type ReaderRequest =
  | { id: number; kind: 'read'; source: string | Blob }
  | { id: number; kind: 'lines' | 'found'; from: number; count: number };

export type ReaderAnswer =
  | { id: number; kind: 'read'; outcome: ReadOutcome }
  | { id: number; kind: 'lines'; lines: ShownLine[] }
  | { id: number; kind: 'found'; found: ExtractedHash[] };
