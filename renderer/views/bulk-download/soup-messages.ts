import type { SoupHash } from '../../../shared/domain/hash-soup.ts';
import type { ShownLine } from './held-soup.ts';
import type { SoupOutcome } from './soup-reader.ts';

/** Between the page and the thread that reads: both of one build. Each request has one answer. */
export type SoupRequest =
  | { id: number; kind: 'read'; source: string | Blob }
  | { id: number; kind: 'lines' | 'found'; from: number; count: number };

export type SoupAnswer =
  | { id: number; kind: 'read'; outcome: SoupOutcome }
  | { id: number; kind: 'lines'; lines: ShownLine[] }
  | { id: number; kind: 'found'; found: SoupHash[] };
