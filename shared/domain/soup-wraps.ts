import { hashLengths } from './hash-kinds.ts';
import { kindOfLength, type TextSource } from './soup-words.ts';

/** A run of hexadecimal digits that is no hash by itself, and may be a part of one that was broken over lines. */
export interface Piece {
  /** Offsets into the text; `start` is behind an escape or `0x`. */
  start: number;
  end: number;
  line: number;
  column: number;
  /** Nothing but indentation and quoting stands before it on its line. */
  beginsLine: boolean;
  /** No letter or digit stands behind it on its line. */
  endsLine: boolean;
  /** The break before it is marked: by a soft hyphen, a hyphen, or quoted-printable's `=`. */
  isMarked: boolean;
}

/** A narrow column breaks a SHA-256 into four at most; more would be a list of short values. */
const mostInGroup = 4;
const mostInChain = 100_000;
/** Half an MD5 is as long as a number of 64 bits, of which there are lists. */
const numberDigits = 16;
/** Shorter runs of digits alone, or of letters alone, may be a date, a number or a word. */
const surelyNoWord = 12;

const lengthOf = ({ start, end }: Piece): number => end - start;

/**
 * Pieces of which each ends its line and the next begins the next one. Read from the first, digits are put together
 * until they have exactly a hash's length, and so on. A chain that does not come out even is no wrapped text, and none
 * of it is joined: else the end of one truncated hash would be glued to the beginning of the next.
 */
export class Chain {
  #pieces: Piece[] = [];
  #groups: Piece[][] = [];
  #open: Piece[] = [];
  #openDigits = 0;
  #isOdd = false;

  /** Takes the next piece. Gives the pieces that stay alone: none, as long as the chain can come out even. */
  add(piece: Piece): Piece[] {
    if (this.#isOdd) return [piece];
    this.#pieces.push(piece);
    this.#open.push(piece);
    this.#openDigits += lengthOf(piece);
    this.#isOdd = this.#goesOnAfterNumbers() || this.#openDigits > hashLengths.sha256 || this.#pieces.length > mostInChain;
    if (kindOfLength(this.#openDigits)) this.#closeGroup();
    else if (this.#open.length === mostInGroup) this.#isOdd = true;
    return this.#isOdd ? this.#takePieces() : [];
  }

  /** The groups of a chain that came out even, or the pieces of one that did not and that `add` has not given yet. */
  end(): { groups: Piece[][]; alone: Piece[] } {
    if (this.#isOdd || this.#open.length > 0) return { groups: [], alone: this.#takePieces() };
    return { groups: this.#groups, alone: [] };
  }

  #closeGroup(): void {
    const isList = this.#open.length === mostInGroup && this.#open.every((piece) => lengthOf(piece) * mostInGroup === hashLengths.md5);
    if (isList) this.#isOdd = true;
    this.#groups.push(this.#open);
    this.#open = [];
    this.#openDigits = 0;
  }

  #goesOnAfterNumbers(): boolean {
    return this.#groups.at(-1)?.every((piece) => lengthOf(piece) === numberDigits) === true;
  }

  #takePieces(): Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#groups = [];
    this.#open = [];
    return pieces;
  }
}

/** Whether nothing else could be meant by pieces that have a hash's length together. */
export function isOneHash(text: TextSource, pieces: readonly Piece[]): boolean {
  const all = pieces.map(({ start, end }) => text.slice(start, end)).join('');
  if (/[a-f]/.test(all) && /[A-F]/.test(all)) return false;
  if (areCells(text, pieces)) return false;
  return pieces.every((piece, index) => {
    const [before, after] = [index > 0 && !piece.isMarked, pieces[index + 1]?.isMarked === false];
    return (!before && !after) || (piece.beginsLine && piece.endsLine) || isFragment(text, piece);
  });
}

/** Digits and letters together are no word and no number. */
function isFragment(text: TextSource, piece: Piece): boolean {
  const value = text.slice(piece.start, piece.end);
  return value.length >= surelyNoWord || (/\d/.test(value) && /[a-f]/i.test(value));
}

/** The last cell of a table's row and the first of the next, as long as each other. */
function areCells(text: TextSource, pieces: readonly Piece[]): boolean {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last || lengthOf(first) !== lengthOf(last)) return false;
  return /[,;|\t]/.test(text.slice(Math.max(0, first.start - 1), first.start)) && /[,;|\t]/.test(text.slice(last.end, last.end + 1));
}
