import { type ExtractedHash, HashExtractor, type RejectedRun } from './hash-extractor.ts';
import { unitsOf } from './text-encoding.ts';

export type { ExtractedHash, RejectedRun } from './hash-extractor.ts';

export interface ExtractedHashes {
  /** Each hash once, in the order of its first appearance. */
  found: ExtractedHash[];
  /** How often a hash came again. */
  repeated: number;
  /** The first 10,000. */
  rejected: RejectedRun[];
  rejectedCount: number;
  /** A new line at the very end begins no further one. */
  lines: number;
}
/** Called for every run that was taken or rejected, piece by piece where it is broken. Offsets into the text. */
export type OnMark = (start: number, end: number, isHash: boolean) => void;

export const mostRejectedKept = 10_000;
const pieceOfText = 256 * 1024;

/** Reads every MD5, SHA-1 and SHA-256 out of a text, once each. */
export function extractHashes(text: string, onMark: OnMark = () => {}): ExtractedHashes {
  const found = new Map<string, ExtractedHash>();
  const rejected: RejectedRun[] = [];
  let [repeated, rejectedCount] = [0, 0];
  const extractor = new HashExtractor({
    hash(hash, pieces) {
      if (found.has(hash.value)) repeated += 1;
      else found.set(hash.value, hash);
      for (const { start, end } of pieces) onMark(start, end, true);
    },
    rejected(run, pieces) {
      rejectedCount += 1;
      if (rejected.length < mostRejectedKept) rejected.push(run);
      for (const { start, end } of pieces) onMark(start, end, false);
    },
  });
  for (let at = 0; at < text.length; at += pieceOfText)
    extractor.push(unitsOf(text, at, Math.min(text.length, at + pieceOfText)));
  extractor.end();
  return { found: [...found.values()], repeated, rejected, rejectedCount, lines: extractor.lines };
}
