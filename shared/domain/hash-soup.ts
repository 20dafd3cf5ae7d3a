import { type FoundHash, hashLengths } from './hash-kinds.ts';
import { Chain, isOneHash, type Piece } from './soup-wraps.ts';
import { endOfWord, isWordCode, judgeWord, kindOfLength, periodOf, reasonOfLength, type RejectReason, type TextSource } from './soup-words.ts';

export interface SoupHash extends FoundHash {
  /** Where it stands first: line and column from 1, columns in UTF-16 code units. */
  line: number;
  column: number;
}
export interface RejectedRun {
  line: number;
  /** The run, at most eighty characters of it. */
  text: string;
  reason: RejectReason;
}
export interface HashSoup {
  /** Each hash once, in the order of its first appearance. */
  found: SoupHash[];
  /** How often a hash came that had come before. */
  repeated: number;
  /** The first 10,000. */
  rejected: RejectedRun[];
  rejectedCount: number;
  /** A new line at the very end begins no further one. */
  lines: number;
}
/** Told every run that was taken or rejected, a wrapped hash piece by piece. Offsets into the text. */
export type OnMark = (start: number, end: number, isHash: boolean) => void;

export const mostRejectedKept = 10_000;
const longestShown = 80;
/** Pairs of digits that make a digest. */
const digestPairs = [16, 20, 32];

/**
 * Reads every MD5, SHA-1 and SHA-256 out of any text, once each, in time linear in the text.
 *
 * A hash is a run of hexadecimal digits of exactly the right length with no letter or digit on either side; a piece of
 * a longer run is never taken. What ends directly before it may be an escape (`%22`, `=3D`, `\n`, `\u0022`) or `0x`.
 * A hash broken over lines is joined where nothing else could be meant (see `Chain` and `isOneHash`).
 *
 * Bytes with spaces between are not read: a line of a hex dump has sixteen of them, as an MD5 has. Pairs with colons
 * are rejected by name: that is how fingerprints of certificates and keys are written, and MAC addresses are shorter.
 */
export function readHashSoup(text: TextSource, onMark: OnMark = () => {}): HashSoup {
  return new Scan(text, onMark).run();
}

/** What was seen since the last piece: nothing that parts it from the next word, on its own line or on the next; or something. */
type Seam = 'open' | 'spaced' | 'wrap-mark' | 'next-line' | 'closed';

/** Pairs of digits with colons between, so far. */
interface Pairs {
  start: number;
  end: number;
  count: number;
  line: number;
}
const noPairs: Pairs = { start: 0, end: -1, count: 0, line: 0 };

class Scan {
  readonly #text: TextSource;
  readonly #onMark: OnMark;
  readonly #found = new Map<string, SoupHash>();
  readonly #rejected: (RejectedRun & { start: number })[] = [];
  #rejectedCount = 0;
  #repeated = 0;
  #line = 1;
  #lineStart = 0;
  #hasInk = false;
  #chain: Chain | null = null;
  #last: Piece | null = null;
  #seam: Seam = 'closed';
  #isMarked = false;
  #pairs: Pairs = noPairs;
  /** The last of them may be a piece of a wrapped hash: that is known when its chain ends. */
  #waitingPairs: Pairs = noPairs;

  constructor(text: TextSource, onMark: OnMark) {
    this.#text = text;
    this.#onMark = onMark;
  }

  run(): HashSoup {
    const { length } = this.#text;
    let at = 0;
    let before = 0;
    while (at < length) {
      const code = this.#text.charCodeAt(at);
      if (isWordCode(code)) {
        const end = endOfWord(this.#text, at);
        this.#word(at, end);
        before = 0;
        at = end;
      } else {
        this.#gap(code, before, at);
        before = code;
        at += 1;
      }
    }
    this.#endChain(true);
    this.#endPairs();
    return this.#soup();
  }

  #soup(): HashSoup {
    const lines = this.#lineStart === this.#text.length ? this.#line - 1 : this.#line;
    // What waits for the end of its chain is told late.
    const rejected = this.#rejected.toSorted((a, b) => a.start - b.start).map(({ line, text, reason }) => ({ line, text, reason }));
    return { found: [...this.#found.values()], repeated: this.#repeated, rejected, rejectedCount: this.#rejectedCount, lines };
  }

  #gap(code: number, before: number, at: number): void {
    if (code === newLine || code === carriageReturn) {
      // The second half of one break: the line was counted already.
      if (code === newLine && before === carriageReturn) this.#lineStart = at + 1;
      else this.#nextLine(at);
      return;
    }
    if (!isIndentation(code)) this.#hasInk = true;
    if (this.#seam !== 'closed') this.#seam = this.#seamAfter(code);
  }

  #nextLine(at: number): void {
    this.#line += 1;
    this.#lineStart = at + 1;
    this.#hasInk = false;
    if (this.#seam === 'wrap-mark') this.#isMarked = true;
    // An empty line parts what stands before it from what follows.
    this.#seam = this.#seam === 'closed' || this.#seam === 'next-line' ? 'closed' : 'next-line';
  }

  #seamAfter(code: number): Seam {
    if (this.#seam === 'next-line') return isIndentation(code) || isInvisible(code) ? 'next-line' : 'closed';
    if (isInvisible(code) && this.#seam === 'open') {
      this.#isMarked = true;
      return 'open';
    }
    if (isBlank(code)) return this.#seam === 'wrap-mark' ? 'wrap-mark' : 'spaced';
    return this.#seam === 'open' && isWrapMark(code) ? 'wrap-mark' : 'closed';
  }

  #word(start: number, end: number): void {
    const word = judgeWord(this.#text, start, end);
    const beginsLine = !this.#hasInk;
    this.#hasInk = true;
    this.#notePair(start, end);
    if (word.kind === 'other') return this.#endChain(false);
    const from = start + word.skipped;
    if (word.kind === 'digits') return this.#piece({ start: from, end, beginsLine, isJoinable: word.skipped === 0 });
    const longer = word.skipped === 0 ? this.#longerWith(end - from) : null;
    this.#endChain(false);
    if (word.kind === 'rejected') return this.#reject(from, end, this.#line, word.reason);
    if (longer) return this.#reject(from, end, this.#line, longer);
    return this.#take(this.#text.slice(from, end), { line: this.#line, column: from - this.#lineStart + 1 }, [{ start: from, end }]);
  }

  /** The rest of a wrapped SHA-384 or SHA-512 may be as long as a hash is, and is a piece of a longer run all the same. */
  #longerWith(length: number): RejectReason | null {
    if (this.#seam !== 'next-line' || !this.#last) return null;
    const before = this.#last.end - this.#last.start;
    const reason = before > hashLengths.sha256 ? reasonOfLength(before + length) : null;
    return reason?.kind === 'other-hash' ? reason : null;
  }

  #piece({ start, end, beginsLine, isJoinable }: { start: number; end: number; beginsLine: boolean; isJoinable: boolean }): void {
    const isNext = isJoinable && (this.#seam === 'next-line' || (this.#seam === 'open' && this.#isMarked));
    if (isNext && this.#last) this.#last.endsLine = true;
    else this.#endChain(false);
    const piece: Piece = { start, end, line: this.#line, column: start - this.#lineStart + 1, beginsLine, endsLine: false, isMarked: isNext && this.#isMarked };
    this.#chain ??= new Chain();
    for (const alone of this.#chain.add(piece)) this.#rejectAlone(alone);
    this.#last = piece;
    this.#seam = 'open';
    this.#isMarked = false;
  }

  #endChain(isEnd: boolean): void {
    this.#seam = 'closed';
    this.#isMarked = false;
    if (!this.#chain || !this.#last) return;
    this.#last.endsLine = isEnd || this.#last.line < this.#line;
    const { groups, alone } = this.#chain.end();
    this.#chain = null;
    this.#last = null;
    for (const piece of alone) this.#rejectAlone(piece);
    for (const pieces of groups) this.#settle(pieces);
    this.#tellPairs(this.#waitingPairs);
    this.#waitingPairs = noPairs;
  }

  #settle(pieces: Piece[]): void {
    const [first] = pieces;
    if (!first) return;
    const value = pieces.map(({ start, end }) => this.#text.slice(start, end)).join('');
    if (isOneHash(this.#text, pieces) && periodOf(value.toLowerCase()) === null) {
      this.#takeFromPairs(pieces);
      return this.#take(value, first, pieces);
    }
    const near = pieces.filter(({ start, end }) => reasonOfLength(end - start) !== null);
    if (near.length > 0) return near.forEach((piece) => this.#rejectAlone(piece));
    this.#takeFromPairs([first]);
    return this.#reject(first.start, first.end, first.line, { kind: 'unsure-wrap', lengths: pieces.map(({ start, end }) => end - start) });
  }

  #take(written: string, { line, column }: { line: number; column: number }, spans: readonly { start: number; end: number }[]): void {
    const value = written.toLowerCase();
    const kind = kindOfLength(value.length);
    if (!kind) throw new TypeError('a hash of no kind');
    if (this.#found.has(value)) this.#repeated += 1;
    else this.#found.set(value, { kind, value, line, column });
    for (const { start, end } of spans) this.#onMark(start, end, true);
  }

  #rejectAlone({ start, end, line }: Piece): void {
    const reason = reasonOfLength(end - start);
    if (reason) this.#reject(start, end, line, reason);
  }

  #reject(start: number, end: number, line: number, reason: RejectReason): void {
    this.#rejectedCount += 1;
    this.#onMark(start, end, false);
    if (this.#rejected.length < mostRejectedKept) this.#rejected.push({ start, line, text: this.#text.slice(start, Math.min(end, start + longestShown)), reason });
  }

  #notePair(start: number, end: number): void {
    if (end - start !== 2 && this.#pairs.count === 0) return;
    const isPair = end - start === 2 && /^[0-9a-f]{2}$/i.test(this.#text.slice(start, end));
    const goesOn = isPair && start === this.#pairs.end + 1 && this.#text.charCodeAt(start - 1) === colon;
    if (goesOn) this.#pairs = { ...this.#pairs, end, count: this.#pairs.count + 1 };
    else {
      this.#endPairs();
      this.#pairs = isPair ? { start, end, count: 1, line: this.#line } : noPairs;
    }
  }

  #endPairs(): void {
    if (this.#last?.end === this.#pairs.end) this.#waitingPairs = this.#pairs;
    else this.#tellPairs(this.#pairs);
    this.#pairs = noPairs;
  }

  #tellPairs({ start, end, count, line }: Pairs): void {
    const nearest = digestPairs.includes(count) ? kindOfLength(count * 2) : null;
    if (nearest) this.#reject(start, end, line, { kind: 'colons', length: count * 2, nearest });
  }

  /** A piece of a wrapped hash was no pair. */
  #takeFromPairs(pieces: readonly Piece[]): void {
    for (const { start, end } of pieces) {
      this.#pairs = withoutPair(this.#pairs, start, end);
      this.#waitingPairs = withoutPair(this.#waitingPairs, start, end);
    }
  }
}

/** Two digits and a colon. */
const pairCharacters = 3;

/** Only the first and the last of them can be a piece: between colons there is no line's end. */
function withoutPair(pairs: Pairs, start: number, end: number): Pairs {
  if (pairs.count === 0) return pairs;
  if (start === pairs.start) return { ...pairs, start: start + pairCharacters, count: pairs.count - 1 };
  return end === pairs.end ? { ...pairs, end: end - pairCharacters, count: pairs.count - 1 } : pairs;
}

const newLine = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const noBreakSpace = 0xa0;

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === noBreakSpace;
/** Blanks, and the `>` of a quoted mail. */
const isIndentation = (code: number): boolean => isBlank(code) || code === 0x3e;
/** Soft hyphen, zero-width spaces and joiners, byte order mark: they come along when a page or a PDF is copied. */
const isInvisible = (code: number): boolean => code === 0xad || (code >= 0x200b && code <= 0x200d) || code === 0x2060 || code === 0xfeff;
/** `=` of quoted-printable, hyphens. */
const isWrapMark = (code: number): boolean => code === 0x3d || code === 0x2d || code === 0x2010;
