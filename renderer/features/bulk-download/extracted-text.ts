import { extractHashes } from '../../../shared/domain/hash-extraction.ts';
import type { ExtractedHash, RejectedRun } from '../../../shared/domain/hash-extractor.ts';

/** What a text came to, without the hashes themselves: those are asked for page by page. */
export interface TextSummary {
  lines: number;
  found: number;
  repeated: number;
  rejected: RejectedRun[];
  rejectedCount: number;
}
export interface LinePart {
  text: string;
  mark: 'none' | 'hash' | 'rejected';
}
export interface ShownLine {
  /** From 1. */
  number: number;
  parts: LinePart[];
  isCut: boolean;
}

/** A text may be one line of many megabytes. In UTF-16 code units. */
const longestLine = 400;
const leadBeforeMark = 16;

/** A text that was read, with what was found in it: shown by windows of lines, handed on by pages of hashes. */
export class ExtractedText {
  readonly summary: TextSummary;
  readonly #text: string;
  readonly #found: readonly ExtractedHash[];
  readonly #lineStarts: Uint32Array;
  /** In the order of the text; an end is negative where the run was rejected. */
  readonly #markStarts: Float64Array;
  readonly #markEnds: Float64Array;

  constructor(text: string) {
    const marks: [number, number][] = [];
    const { found, ...rest } = extractHashes(text, (start, end, isHash) => marks.push([start, isHash ? end : -end]));
    marks.sort(([a], [b]) => a - b);
    this.#text = text;
    this.#found = found;
    this.#lineStarts = startsOfLines(text, rest.lines);
    this.#markStarts = Float64Array.from(marks, ([start]) => start);
    this.#markEnds = Float64Array.from(marks, ([, end]) => end);
    this.summary = { ...rest, found: found.length };
  }

  found(from: number, count: number): ExtractedHash[] {
    return this.#found.slice(from, from + count);
  }

  lines(from: number, count: number): ShownLine[] {
    const last = Math.min(this.summary.lines, from + count);
    return Array.from({ length: Math.max(0, last - from) }, (_, index) => this.#line(from + index));
  }

  #line(index: number): ShownLine {
    const start = this.#lineStarts[index] ?? 0;
    const end = endOfLine(this.#text, start, this.#lineStarts[index + 1] ?? this.#text.length);
    const first = indexOfMark(this.#markStarts, start);
    // Of a line too long to be shown, the part with its first hash is.
    const mark = this.#markStarts[first] ?? end;
    const from =
      end - start > longestLine && mark < end
        ? Math.max(start, Math.min(mark - leadBeforeMark, end - longestLine))
        : start;
    const to = Math.min(end, from + longestLine);
    return { number: index + 1, parts: this.#parts(from, to, first), isCut: from > start || to < end };
  }

  #parts(from: number, to: number, firstMark: number): LinePart[] {
    const parts: LinePart[] = [];
    let at = from;
    for (let mark = firstMark; (this.#markStarts[mark] ?? to) < to; mark += 1) {
      const start = this.#markStarts[mark] ?? to;
      const end = this.#markEnds[mark] ?? 0;
      if (start > at) parts.push({ text: this.#text.slice(at, start), mark: 'none' });
      parts.push({
        text: this.#text.slice(Math.max(at, start), Math.min(to, Math.abs(end))),
        mark: end > 0 ? 'hash' : 'rejected',
      });
      at = Math.min(to, Math.abs(end));
    }
    if (at < to) parts.push({ text: this.#text.slice(at, to), mark: 'none' });
    return parts;
  }
}

/** Lines end as `extractHashes` counts them: at LF, CR LF or CR. */
function startsOfLines(text: string, lines: number): Uint32Array {
  const starts = new Uint32Array(lines);
  const breaks = /\r\n|\n|\r/g;
  for (let line = 1; line < lines && breaks.exec(text); line += 1) starts[line] = breaks.lastIndex;
  return starts;
}

function endOfLine(text: string, start: number, next: number): number {
  let end = next;
  while (end > start && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1;
  return end;
}

/** The first mark at or behind an offset. */
function indexOfMark(starts: Float64Array, offset: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
