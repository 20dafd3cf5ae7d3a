import { Chain, type Joined, type Piece } from './hash-joins.ts';
import {
  carriageReturn,
  classes,
  digitsIn,
  hasCase,
  isBlank,
  isBlockSize,
  isCellMark,
  isFraction,
  isHex,
  isHexAt,
  isIndentation,
  isInvisible,
  isLineEnd,
  isPrefixed,
  isRepetitive,
  isWordAt,
  isWrapMark,
  judgeWord,
  kindOfLength,
  labelBefore,
  letter,
  longestDigest,
  nearestKind,
  newLine,
  otherHashOfLength,
  rejectedRun,
  type RejectReason,
  shortestNearMiss,
  textIn,
  unit,
} from './hash-runs.ts';
import type { FoundHash } from './hash.ts';

export interface ExtractedHash extends FoundHash {
  /** Where it begins first: line and column from 1, columns in UTF-16 code units. */
  line: number;
  column: number;
}
export interface RejectedRun {
  line: number;
  /** The run, at most eighty characters of it; the pieces of one that is broken with a space between. */
  text: string;
  reason: RejectReason;
}
/** Gets what is extracted, in the order of the text. */
export interface HashSink {
  /** Every time a hash appears. The pieces are where it lies. */
  hash(hash: ExtractedHash, pieces: readonly Place[]): void;
  rejected(run: RejectedRun, pieces: readonly Place[]): void;
}
export type Place = { start: number; end: number };

const longestShown = 80;
/** Held before and behind each word that is read, and all that it is judged by: no division changes the result. */
const context = 256;
/** A longer word is not held as a whole. */
const longestHeld = 64 * 1024;
const longestBeforeColon = 9;
/** Of a certificate's or key's fingerprint, in pairs of digits. */
const digestPairs = new Set([16, 20, 32]);
const fewestPairs = 3;
/** So many are read at a time: more than any digest has. */
const mostPairs = 34;
/** Of an ssdeep hash: in all, and each of its two parts. */
const shortestSsdeep = 12;
const ssdeepPart = { least: 3, most: 64 };

const colon = 0x3a;

/** A word that may extend beyond the held part of the text. */
interface LongWord extends Place {
  line: number;
  text: string;
  /** Of hexadecimal digits. */
  run: number;
  longest: number;
}

type Seam = 'closed' | 'next-line' | 'marked';

/**
 * Reads the hashes out of a text that comes in parts, in time linear in the text and in bounded memory. The text comes
 * as units (see `unit`).
 *
 * A hash is a run of hexadecimal digits of exactly the right length with no letter or digit on either side; a piece of
 * a longer run is never taken. Directly before it may be an escape (`%22`, `=3D`, `\n`, `\u0022`) or `0x`. A hash that
 * is broken is joined as described at `Chain`.
 *
 * Bytes with spaces between are not read: a line of a hex dump has sixteen of them, as an MD5 has.
 */
export class HashExtractor {
  readonly #sink: HashSink;
  readonly #chain = new Chain();
  /** What is held of the text, with two zeros behind it. */
  #units = new Uint8Array(0);
  #length = 0;
  /** Of the units held, so many are read. */
  #read = 0;
  /** Where the units held begin in the text. */
  #base = 0;
  #line = 1;
  #lineStart = 0;
  /** The same, where U+2028 parts lines as well. */
  #rowStart = 0;
  /** Where the row of the last hash begins. */
  #hashRow = -1;
  #long: LongWord | null = null;
  /** Where pairs continue that are more than `mostPairs`. */
  #morePairs = -1;

  constructor(sink: HashSink) {
    this.#sink = sink;
  }

  /** How many lines were read. */
  get lines(): number {
    return this.#lineStart === this.#base + this.#read ? this.#line - 1 : this.#line;
  }

  push(units: Uint8Array): void {
    this.#hold(units);
    this.#readTo(this.#divided());
  }

  end(): void {
    this.#readTo(this.#length);
    this.#endLongWord();
    this.#endChain(true);
  }

  #hold(units: Uint8Array): void {
    const from = Math.max(0, this.#read - context);
    const kept = this.#length - from;
    const needed = kept + units.length;
    if (needed + 2 > this.#units.length) {
      const larger = new Uint8Array(needed * 2 + 2);
      larger.set(this.#units.subarray(from, this.#length));
      this.#units = larger;
    } else this.#units.copyWithin(0, from, this.#length);
    this.#units.set(units, kept);
    this.#units.fill(0, needed, needed + 2);
    this.#base += from;
    this.#read -= from;
    this.#length = needed;
  }

  /**
   * The last place between words that has enough text behind it to judge all words before it. In a very long word, a
   * place in that.
   */
  #divided(): number {
    const last = this.#length - context;
    const least = Math.max(this.#read, last - longestHeld);
    for (let at = last; at > least; at -= 1) if (!isWordAt(this.#units, at - 1)) return at;
    return least > this.#read ? last : this.#read;
  }

  #readTo(limit: number): void {
    const units = this.#units;
    let at = this.#long ? this.#longer(this.#read, limit) : this.#read;
    while (at < limit) {
      const code = units[at] ?? 0;
      if (classes[code] === 0) {
        at += 1;
        if (code === newLine || (code === carriageReturn && units[at] !== newLine)) {
          this.#line += 1;
          this.#lineStart = this.#rowStart = this.#base + at;
        } else if (code === unit.separator) this.#rowStart = this.#base + at;
        continue;
      }
      const start = at;
      do at += 1;
      while (at < limit && classes[units[at] ?? 0] !== 0);
      if (at - start >= longestHeld) at = this.#longWord(start, limit);
      else if (at - start >= shortestNearMiss || this.#chain.last !== undefined || this.#mayMatter(start, at))
        at = this.#word(start, at);
    }
    this.#read = at;
  }

  /** Whether a short word may be the first piece of a hash, or begin pairs or an ssdeep hash, by what is behind it. */
  #mayMatter(start: number, end: number): boolean {
    const next = this.#units[end];
    if (next === colon) return end - start <= longestBeforeColon;
    return classes[this.#units[end - 1] ?? 0] !== letter && this.#isBroken(end);
  }

  /**
   * Whether what is behind a word may break a hash, of which `whole` digits come before that and are a hash by
   * themselves.
   */
  #isBroken(end: number, whole = 0): boolean {
    const units = this.#units;
    if (isInvisible(units[end]) || end >= this.#length) return true;
    const isMarked = isWrapMark(units[end]);
    let at = isMarked ? end + 1 : end;
    while (isBlank(units[at])) at += 1;
    if (!isLineEnd(units[at]) && at < this.#length) return false;
    at += units[at] === carriageReturn && units[at + 1] === newLine ? 2 : 1;
    while (isIndentation(units[at])) at += 1;
    if (at >= this.#length) return true;
    const next = at;
    while (isHexAt(units, at)) at += 1;
    if (at === next || isWordAt(units, at)) return false;
    // A hash and the first digits of a line, with no continuation behind them, form no other hash.
    const joined = whole + at - next;
    return (
      whole === 0 ||
      isMarked ||
      kindOfLength(joined) !== null ||
      otherHashOfLength(joined) !== null ||
      this.#isBroken(at)
    );
  }

  /** Returns where reading continues. */
  #word(start: number, end: number): number {
    if (this.#units[end] === colon) {
      const behind = this.#pairs(start) ?? this.#ssdeep(start, end);
      if (behind !== null) return behind;
    }
    if (
      this.#chain.last === undefined &&
      kindOfLength(end - start) &&
      !this.#isBroken(end, end - start) &&
      this.#whole(start, end)
    )
      return end;
    const word = judgeWord(this.#units, start, end);
    if (word.kind === 'digits' && end - start - word.skipped <= longestDigest) {
      this.#piece(start + word.skipped, end, word.skipped > 0);
      return end;
    }
    this.#endChain(false);
    if (word.kind === 'rejected') this.#reject(start, end, word.reason);
    if (word.kind === 'digits')
      this.#reject(start + word.skipped, end, { kind: 'too-long', length: end - start - word.skipped });
    return end;
  }

  /** Takes a hash that nothing can be joined to, as most are. */
  #whole(start: number, end: number): boolean {
    const kind = kindOfLength(end - start);
    if (!kind || !isHex(this.#units, start, end) || isRepetitive(this.#units, start, end)) return false;
    if (isFraction(this.#units, start, end)) return false;
    if (labelBefore(this.#units, start, end - start)?.kind === 'reason') return false;
    const hash = {
      kind,
      value: digitsIn(this.#units, start, end),
      line: this.#line,
      column: this.#base + start - this.#rowStart + 1,
    };
    this.#hashRow = this.#rowStart;
    this.#sink.hash(hash, [{ start: this.#base + start, end: this.#base + end }]);
    return true;
  }

  #piece(start: number, end: number, isEscaped: boolean): void {
    const { last } = this.#chain;
    const seam = last && !isEscaped ? this.#seamBetween(last.end - this.#base, start) : 'closed';
    if (seam === 'closed') this.#endChain(false);
    else if (last) last.endsLine = true;
    const isMarked = seam === 'marked';
    const piece: Piece = {
      start: this.#base + start,
      end: this.#base + end,
      value: digitsIn(this.#units, start, end),
      hasUpper: hasCase(this.#units, start, end, true),
      hasLower: hasCase(this.#units, start, end, false),
      line: this.#line,
      column: this.#base + start - this.#rowStart + 1,
      beginsLine: this.#beginsLine(start),
      endsLine: false,
      isMarked,
      isPrefixed: isEscaped && isPrefixed(this.#units, start - 2),
      endsInMark: isWrapMark(this.#units[end]) && isLineEnd(this.#units[end + 1]),
      lineHead: this.#lineHead(start),
      label: isMarked ? null : labelBefore(this.#units, start, end - start),
      isInRow: isCellMark(this.#units[start - 1]) || this.#hashRow === this.#rowStart,
      endsCell: isCellMark(this.#units[end]),
    };
    for (const joined of this.#chain.add(piece)) this.#settle(joined);
    if (kindOfLength(end - start)) this.#hashRow = this.#rowStart;
  }

  /**
   * What is between two words: a break that may be within a hash, or something that parts them. Indices of the units
   * held.
   */
  #seamBetween(from: number, to: number): Seam {
    if (to - from > context) return 'closed';
    const units = this.#units;
    let at = from;
    while (isInvisible(units[at])) at += 1;
    if (at === to) return at > from ? 'marked' : 'closed';
    // At the end of a line a zero-width space is what a web page has behind every word.
    const isMarked = isWrapMark(units[at]) || (at > from && units[at - 1] === unit.softHyphen);
    if (isWrapMark(units[at])) at += 1;
    while (isBlank(units[at])) at += 1;
    if (!isLineEnd(units[at])) return 'closed';
    at += units[at] === carriageReturn && units[at + 1] === newLine ? 2 : 1;
    while (isIndentation(units[at])) at += 1;
    if (at !== to) return 'closed';
    return isMarked ? 'marked' : 'next-line';
  }

  #beginsLine(start: number): boolean {
    const least = Math.max(0, start - context);
    let at = start - 1;
    while (at >= least && isIndentation(this.#units[at])) at -= 1;
    return at < least ? this.#base + at < 0 : isLineEnd(this.#units[at]);
  }

  /**
   * How many digits the run has that begins the line; 0 where that is another word, what begins at `start`, or too far
   * before.
   */
  #lineHead(start: number): number {
    const line = this.#rowStart - this.#base;
    if (line < 0 || start - line > context) return 0;
    let at = line;
    while (isIndentation(this.#units[at])) at += 1;
    const first = at;
    while (at < start && isHexAt(this.#units, at)) at += 1;
    return at >= start || isWordAt(this.#units, at) ? 0 : at - first;
  }

  #endChain(isEnd: boolean): void {
    const { last } = this.#chain;
    if (!last) return;
    last.endsLine = isEnd || last.line < this.#line;
    for (const joined of this.#chain.end()) this.#settle(joined);
  }

  #settle({ pieces, value, reason }: Joined): void {
    const [first] = pieces;
    if (!first) return;
    const { line, column } = first;
    if (reason) {
      const text = pieces
        .map((piece) => piece.value)
        .join(' ')
        .slice(0, longestShown);
      return this.#sink.rejected({ line, text, reason }, pieces);
    }
    const kind = kindOfLength(value.length);
    if (!kind) throw new TypeError('a hash of no kind');
    this.#sink.hash({ kind, value, line, column }, pieces);
  }

  #reject(start: number, end: number, reason: RejectReason): void {
    const place = { start: this.#base + start, end: this.#base + end };
    this.#sink.rejected(
      { line: this.#line, text: textIn(this.#units, start, Math.min(end, start + longestShown)), reason },
      [place],
    );
  }

  /** Reads pairs of digits with colons between. Gives where they end; null where there are none. */
  #pairs(start: number): number | null {
    const units = this.#units;
    const isContinued = this.#base + start === this.#morePairs;
    let [count, behind] = [0, start];
    for (let at = start; count < mostPairs && isPair(units, at); at = behind + 1) {
      count += 1;
      behind = at + 2;
      if (units[behind] !== colon) break;
    }
    if (count < fewestPairs && !isContinued) return null;
    this.#endChain(false);
    if (count === mostPairs && units[behind] === colon) {
      // The last one is read again, with those that may follow it.
      this.#morePairs = this.#base + behind - 2;
      return behind - 3;
    }
    if (digestPairs.has(count) && !isContinued)
      this.#reject(start, behind, { kind: 'colons', length: count * 2, nearest: nearestKind(count * 2) });
    return behind;
  }

  /** Reads `block size:signature:signature`. Gives where it ends; null where there is none. */
  #ssdeep(start: number, end: number): number | null {
    const middle = this.#endOfSignature(end + 1);
    if (middle === null || this.#units[middle] !== colon) return null;
    if (end - start > longestBeforeColon || !isBlockSize(textIn(this.#units, start, end))) return null;
    const behind = this.#endOfSignature(middle + 1);
    if (behind === null || this.#units[behind] === colon || behind - end < shortestSsdeep) return null;
    this.#endChain(false);
    this.#reject(start, behind, { kind: 'other-hash', length: behind - start, name: 'ssdeep' });
    return behind;
  }

  #endOfSignature(start: number): number | null {
    let at = start;
    let hasOther = false;
    while (isWordAt(this.#units, at) || isBase64Sign(this.#units[at])) {
      hasOther ||= !isHexAt(this.#units, at);
      at += 1;
      if (at - start > ssdeepPart.most) return null;
    }
    // Fields of hexadecimal digits with colons between are no signatures.
    return at - start < ssdeepPart.least || (!hasOther && at - start >= shortestNearMiss) ? null : at;
  }

  /** Gives where it ends, or the limit. */
  #longWord(start: number, limit: number): number {
    this.#endChain(false);
    const [at, text] = [this.#base + start, textIn(this.#units, start, start + longestShown)];
    this.#long = { start: at, end: at, line: this.#line, text, run: 0, longest: 0 };
    return this.#longer(start, limit);
  }

  /** Reads on in a long word. Gives where it ends, or the limit. */
  #longer(from: number, limit: number): number {
    const long = this.#long;
    let at = from;
    while (long && at < limit && isWordAt(this.#units, at)) {
      long.run = isHexAt(this.#units, at) ? long.run + 1 : 0;
      long.longest = Math.max(long.longest, long.run);
      at += 1;
    }
    if (long) long.end = this.#base + at;
    if (at < limit) this.#endLongWord();
    return at;
  }

  #endLongWord(): void {
    if (!this.#long) return;
    const { start, end, line, text, longest } = this.#long;
    this.#long = null;
    const word = rejectedRun(longest);
    const reason =
      longest === end - start
        ? { kind: 'too-long' as const, length: longest }
        : word.kind === 'rejected'
          ? word.reason
          : null;
    if (reason) this.#sink.rejected({ line, text, reason }, [{ start, end }]);
  }
}

const isBase64Sign = (code: number | undefined): boolean => code === 0x2b || code === 0x2f;
const isPair = (units: Uint8Array, at: number): boolean =>
  isHexAt(units, at) && isHexAt(units, at + 1) && !isWordAt(units, at + 2);
