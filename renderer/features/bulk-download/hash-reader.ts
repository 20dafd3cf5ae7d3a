import type { ExtractedHash } from '../../../shared/domain/hash-extractor.ts';
import { ExtractedText, type ShownLine, type TextSummary } from './extracted-text.ts';
import { readTextFile, type Refusal } from './text-file.ts';

export type ReadOutcome = { kind: 'read'; summary: TextSummary } | { kind: 'refused'; refusal: Refusal };

/**
 * Reads texts for hashes and keeps the newest one, apart from the page: neither a text nor its hashes block what is
 * shown.
 */
export interface HashReader {
  /** null when a later text overtook this one, or the reader was closed. */
  read(source: string | Blob): Promise<ReadOutcome | null>;
  /** Lines from an index on, of the text that was read last. */
  lines(from: number, count: number): Promise<ShownLine[]>;
  /** Hashes from an index on. */
  found(from: number, count: number): Promise<ExtractedHash[]>;
  /** Releases the text. The next `read` starts over. */
  close(): void;
}

/** The reader itself, wherever it runs. */
export class HashReading {
  #held: ExtractedText | null = null;

  async read(source: string | Blob): Promise<ReadOutcome> {
    this.#held = null;
    const text = typeof source === 'string' ? source : await readTextFile(source);
    if (typeof text !== 'string') return { kind: 'refused', refusal: text };
    this.#held = new ExtractedText(text);
    return { kind: 'read', summary: this.#held.summary };
  }

  lines(from: number, count: number): ShownLine[] {
    return this.#held?.lines(from, count) ?? [];
  }

  found(from: number, count: number): ExtractedHash[] {
    return this.#held?.found(from, count) ?? [];
  }
}

/** Between the page and the thread that reads: both of one build. Each request has one answer. */
export type ReaderRequest =
  | { id: number; kind: 'read'; source: string | Blob }
  | { id: number; kind: 'lines' | 'found'; from: number; count: number };

export type ReaderAnswer =
  | { id: number; kind: 'read'; outcome: ReadOutcome }
  | { id: number; kind: 'lines'; lines: ShownLine[] }
  | { id: number; kind: 'found'; found: ExtractedHash[] };
