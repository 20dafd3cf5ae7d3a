import {
  kindOfLength,
  type Label,
  longestDigest,
  otherHashOfLength,
  periodOf,
  reasonOfLength,
  type RejectReason,
  shortestNearMiss,
} from './hash-runs.ts';
import { hashLengths } from './hash.ts';

/** A run of hexadecimal digits that is a hash, or may be a part of one that was broken. */
export interface Piece {
  /** Offsets into the text; `start` is behind an escape or `0x`. */
  start: number;
  end: number;
  /** In lower case. */
  value: string;
  /** Whether it was written with letters in lower and in upper case. */
  hasLower: boolean;
  hasUpper: boolean;
  line: number;
  column: number;
  /** Nothing except indentation and quoting comes before it on its line. */
  beginsLine: boolean;
  /** No letter or digit follows on its line. */
  endsLine: boolean;
  /** The break before it is marked: by a soft hyphen, a zero-width space, a hyphen, or quoted-printable's `=`. */
  isMarked: boolean;
  /** `0x` comes directly before it. */
  isPrefixed: boolean;
  /** A mark that ends its line is directly behind it, whatever follows. */
  endsInMark: boolean;
  /** How many hexadecimal digits the run has that begins its line; 0: none, or it begins the line itself. */
  lineHead: number;
  /** What the words before it call it. */
  label: Label | null;
  /** Directly before it there is what separates cells of a table, or another hash comes before it on its line. */
  isInRow: boolean;
  /** Directly behind it there is what separates cells of a table. */
  endsCell: boolean;
}

/** What a chain of pieces came to: `hash` with all of its pieces, or pieces that are not a file hash. */
export type Joined =
  | { pieces: readonly Piece[]; value: string; reason: null }
  | { pieces: readonly Piece[]; value: null; reason: RejectReason };

/** Pieces that marks bind together: one, if its breaks are unmarked. */
interface Bound {
  pieces: readonly [Piece, ...Piece[]];
  length: number;
  last: Piece;
}

/** A narrow column breaks a SHA-256 into four at most; more would be a list of short values. */
const mostInGroup = 4;
/** Half an MD5 is as long as a number of 64 bits, of which there are lists. */
const numberDigits = 16;
/** Half of that: a checksum of 32 bits. */
const checksumDigits = 8;
/** Shorter runs of digits alone, or of letters alone, may be a date, a number or a word. */
const surelyNoWord = 12;
/** More consecutive lines that can be joined in several ways are a list of something else. */
const mostUnsure = 8;
const mostWaiting = 4096;

/**
 * Pieces of which each ends its line and the next begins the next one, or is parted from it by a mark. Marked breaks
 * are joined at any length. The others are joined where the whole chain can be read in one way only: then nothing is
 * made of halves of two hashes.
 */
export class Chain {
  #pieces: Piece[] = [];

  get last(): Piece | undefined {
    return this.#pieces.at(-1);
  }

  /** Takes the next piece. Gives what is settled already: nothing, unless the chain is long. */
  add(piece: Piece): Joined[] {
    this.#pieces.push(piece);
    if (this.#pieces.length < mostWaiting) return [];
    const kept = piece.isMarked ? [] : this.#pieces.splice(-mostInGroup);
    const joined = this.end();
    this.#pieces = kept;
    return joined;
  }

  /** What the pieces come to, in their order. The chain is empty afterwards. */
  end(): Joined[] {
    const [first] = this.#pieces;
    if (!first) return [];
    const pieces = this.#pieces;
    this.#pieces = [];
    if (pieces.length === 1) return alone([first]);
    return partsOf(boundByMarks(pieces)).flatMap(settled);
  }
}

const lengthOf = ({ value }: Piece): number => value.length;
const isWhole = ({ length }: Bound): boolean => kindOfLength(length) !== null;

function boundOf(pieces: readonly [Piece, ...Piece[]]): Bound {
  return { pieces, length: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0), last: pieces.at(-1) ?? pieces[0] };
}

function boundByMarks(pieces: readonly Piece[]): Bound[] {
  const runs: [Piece, ...Piece[]][] = [];
  for (const piece of pieces) {
    const run = runs.at(-1);
    if (piece.isMarked && run) run.push(piece);
    else runs.push([piece]);
  }
  return runs.flatMap((run, at) => bindings(run, runs.length === 1 || at === runs.length - 1));
}

/** A mark may also be a hyphen that ends a line for another reason. */
function bindings(run: readonly [Piece, ...Piece[]], isLast: boolean): Bound[] {
  const bound = boundOf(run);
  if (isListOfKeys(run)) return run.map((piece) => boundOf([piece]));
  if (run.length === 1 || isWhole(bound) || otherHashOfLength(bound.length)) return [bound];
  const [last, before] = [run.at(-1), run.slice(0, -1)];
  const [first, ...others] = before;
  if (isLast && last && first && isLoose(last)) return [...bindings([first, ...others], false), boundOf([last])];
  const separate = run.map((piece) => boundOf([piece]));
  return separate.every(isWhole) ? separate : [bound];
}

/** Of hashes a line each, with what may be a mark behind every one of them: `<md5>=` in a file of settings. */
function isListOfKeys(run: readonly [Piece, ...Piece[]]): boolean {
  const isEach = run.every(({ value, beginsLine }) => kindOfLength(value.length) !== null && beginsLine);
  return isEach && (run.length > 2 || run.at(-1)?.endsInMark === true);
}

/** What neither has a line of its own nor looks like digits of a hash is a word or a number, and parts the chain. */
function partsOf(bound: readonly Bound[]): Bound[][] {
  const parts: Bound[][] = [];
  let isOpen = false;
  for (const one of bound) {
    const isAlone = one.pieces.length === 1 && isLoose(one.last);
    if (isOpen && !isAlone) parts.at(-1)?.push(one);
    else parts.push([one]);
    isOpen = !isAlone;
  }
  return parts;
}

const isLoose = (piece: Piece): boolean => !(piece.beginsLine && piece.endsLine) && !isFragment(piece);

/** Digits and letters together are no word and no number. */
const isFragment = ({ value }: Piece): boolean =>
  value.length >= surelyNoWord || (/\d/.test(value) && /[a-f]/.test(value));

type Sureness = 'sure' | 'labelled' | 'unsure';

/** A part of a chain, divided where nothing can be joined. */
function settled(bound: readonly Bound[]): Joined[] {
  if (isShort(bound)) return [];
  const ways = bound.map((_one, from) => waysFrom(bound, from));
  const all: { pieces: readonly Bound[]; joined: Joined[] }[] = [];
  let from = 0;
  while (from < bound.length) {
    let end = from + 1;
    for (let at = from; at < end; at += 1) for (const { count } of ways[at] ?? []) end = Math.max(end, at + count);
    const segment = bound.slice(from, end);
    const isRest = segment.length > 1 && isLikeBefore(bound[from - 1], segment);
    const joined = isRest
      ? segment.flatMap(({ pieces }) => alone(pieces))
      : readSegment(segment, ways.slice(from, end));
    all.push({ pieces: segment, joined });
    from = end;
  }
  const broken = all.filter(({ pieces, joined }) => joined.length < pieces.length);
  const widths = new Set(broken.map(({ pieces: [first] }) => first?.length ?? 0));
  return all.flatMap(({ pieces: [one, ...others], joined }, at) => {
    const rest = all[at + 1]?.pieces[0];
    // Where others were broken at just this length, what a shorter run follows is the beginning of another one.
    const isWholeAlone = one && others.length === 0 && isWhole(one) && widths.has(one.length);
    return isWholeAlone && rest && !isWhole(rest) && rest.length < one.length ? [unsure(one.pieces)] : joined;
  });
}

/** The lines of a dump have one width, and the last ones come to the length of a hash by chance. */
function isLikeBefore(before: Bound | undefined, [first]: readonly Bound[]): boolean {
  return before !== undefined && first !== undefined && !isWhole(before) && before.length === first.length;
}

/** Whether no consecutive pieces of these have the digits of a hash, as in a list of short numbers. */
function isShort(bound: readonly Bound[]): boolean {
  let sum = 0;
  for (const [at, { length }] of bound.entries()) {
    sum += length - (bound[at - mostInGroup]?.length ?? 0);
    if (sum >= shortestNearMiss) return false;
  }
  return true;
}

interface Way {
  count: number;
  sureness: Sureness;
  /** Broken at one width, as a column breaks it. */
  isEven: boolean;
}

/** The groups of several that may begin at a place. */
function waysFrom(bound: readonly Bound[], from: number): Way[] {
  const ways: Way[] = [];
  const [first, second] = [bound[from], bound[from + 1]];
  // Of a list of hashes, a line each, nothing is joined.
  if (first && second && isWhole(first) && isWhole(second) && first.pieces[0].beginsLine) return ways;
  let sum = first?.length ?? 0;
  for (let count = 2; count <= mostInGroup && from + count <= bound.length; count += 1) {
    sum += bound[from + count - 1]?.length ?? 0;
    if (sum > longestDigest) break;
    if (!kindOfLength(sum) && !otherHashOfLength(sum)) continue;
    const group = bound.slice(from, from + count);
    const sureness = surenessOf(group, sum);
    if (sureness) ways.push({ count, sureness, isEven: isEvenlyBroken(group) });
  }
  return ways;
}

function surenessOf(group: readonly Bound[], sum: number): Sureness | null {
  const [first] = group;
  if (!first) return null;
  // The rest of a SHA-512 may be as long as a hash is.
  if (first.length > hashLengths.sha256) return otherHashOfLength(sum) ? 'sure' : null;
  const kind = kindOfLength(sum);
  if (!kind || !isOneCase(group)) return null;
  if (group.every(({ length }) => length === checksumDigits) || !hasLetter(group) || areRows(group)) return null;
  const { label } = first.pieces[0];
  if (!group.some(isWhole)) return areCells(group) ? 'unsure' : 'sure';
  if (areCells(group) || (isInProse(group) && group.some(({ length }) => length <= checksumDigits))) return null;
  if (label?.kind === 'file') return label.hash === kind && isOneWidth(group) ? 'labelled' : null;
  if (!isOneWidth(group) || !group.slice(1).every(({ pieces: [piece] }) => isFragment(piece))) return null;
  return surenessOfWhole(group, first);
}

/** Of pieces that a hash's length alone would take for hashes. */
function surenessOfWhole(group: readonly Bound[], { length, pieces: [piece] }: Bound): Sureness | null {
  const rest = group.at(-1)?.length ?? 0;
  const isEven = group.slice(0, -1).every((one) => one.length === length);
  if (length === hashLengths.sha1 && isEven && rest < length) return isInProse(group) ? 'unsure' : 'sure';
  if (group.every(isWhole)) return piece.beginsLine || piece.isInRow ? null : 'unsure';
  return 'unsure';
}

/** A column has one width: what follows a break ends no further right than what was broken. */
function isOneWidth(group: readonly Bound[]): boolean {
  const [first] = group;
  const endOf = ({ last }: Bound): number => last.column + lengthOf(last);
  return first !== undefined && group.every((one) => endOf(one) <= endOf(first));
}

/** The pieces end at one column, and the last one no further right. */
function isEvenlyBroken(group: readonly Bound[]): boolean {
  const ends = group.slice(0, -1).map(({ last }) => last.column + lengthOf(last));
  return ends.every((end) => end === ends[0]) && isOneWidth(group);
}

function isOneCase(group: readonly Bound[]): boolean {
  const pieces = group.flatMap((one) => one.pieces);
  return !(pieces.some(({ hasLower }) => hasLower) && pieces.some(({ hasUpper }) => hasUpper));
}

/** The last cell of a table's row and the first of the next. */
function areCells(group: readonly Bound[]): boolean {
  return group[0]?.pieces[0].isInRow === true && group.at(-1)?.last.endsCell === true;
}

/** Other words come before the first and behind the last. */
const isInProse = (group: readonly Bound[]): boolean =>
  group[0]?.pieces[0].beginsLine === false && group.at(-1)?.last.endsLine === false;

/** A line begins with as many digits as the next one does: both are rows of a table, or lines of a log or dump. */
function areRows(group: readonly Bound[]): boolean {
  return group.some(({ last: { lineHead } }, at) => lineHead > 0 && lineHead === group[at + 1]?.pieces[0].value.length);
}

/** Digits alone are a number. */
const hasLetter = (group: readonly Bound[]): boolean =>
  group.some(({ pieces }) => pieces.some(({ hasLower, hasUpper }) => hasLower || hasUpper));

/** A segment is read as hashes from end to end, if that can be done in one way. */
function readSegment(segment: readonly Bound[], ways: readonly (readonly Way[])[]): Joined[] {
  const [first] = segment;
  if (first && segment.length === 1) return alone(first.pieces);
  const even = readingsOf(
    segment,
    ways.map((from) => from.filter(({ isEven }) => isEven)),
  );
  const readings = even.length > 0 ? even : readingsOf(segment, ways);
  const [only, another] = readings.some(({ isLabelled }) => isLabelled)
    ? readings.filter(({ isLabelled }) => isLabelled)
    : readings;
  if (only && !another) return joinedBy(only);
  const isList =
    segment.length > mostUnsure ||
    (segment.length > mostInGroup && segment.every(({ length }) => length === numberDigits));
  return isList ? segment.flatMap(({ pieces }) => alone(pieces)) : [unsure(segment.flatMap(({ pieces }) => pieces))];
}

/** The first group of a segment, and those behind it. */
interface Reading {
  bound: readonly Bound[];
  sureness: Sureness;
  isLabelled: boolean;
  rest: Reading | null;
}

/** At most two: more say no more. */
function readingsOf(segment: readonly Bound[], ways: readonly (readonly Way[])[]): Reading[] {
  const from: (Reading | null)[][] = segment.map(() => []);
  from.push([null]);
  for (let at = segment.length - 1; at >= 0; at -= 1) {
    const one = segment[at];
    const choices: Way[] = [
      ...(ways[at] ?? []),
      ...(one && isWhole(one) ? [{ count: 1, sureness: 'sure' as const, isEven: true }] : []),
    ];
    from[at] = choices
      .flatMap(({ count, sureness }) =>
        (from[at + count] ?? []).map((rest) => ({
          bound: segment.slice(at, at + count),
          sureness,
          isLabelled: sureness === 'labelled' || rest?.isLabelled === true,
          rest,
        })),
      )
      .slice(0, 2);
  }
  return (from[0] ?? []).filter((reading) => reading !== null);
}

function joinedBy(reading: Reading): Joined[] {
  const joined: Joined[] = [];
  for (let group: Reading | null = reading; group; group = group.rest) {
    const pieces = group.bound.flatMap((one) => one.pieces);
    joined.push(...(group.sureness === 'unsure' ? [unsure(pieces)] : alone(pieces)));
  }
  return joined;
}

function unsure(pieces: readonly Piece[]): Joined {
  return { pieces, value: null, reason: { kind: 'unsure-wrap', lengths: pieces.slice(0, mostUnsure).map(lengthOf) } };
}

/** Pieces that are one run together, judged by its length and its label. */
function alone(pieces: readonly Piece[]): Joined[] {
  const value = pieces.map((piece) => piece.value).join('');
  const isWallet = value.length === hashLengths.sha1 && pieces[0]?.isPrefixed === true;
  const reason = isWallet ? wallet : reasonAgainst(value, pieces[0]?.label ?? null);
  if (kindOfLength(value.length)) return reason ? [{ pieces, value: null, reason }] : [{ pieces, value, reason: null }];
  if (!reason) return [];
  // Whether they belong together is not known where they make no hash.
  if (pieces.length === 1 || otherHashOfLength(value.length)) return [{ pieces, value: null, reason }];
  return pieces.some((piece) => reasonOfLength(lengthOf(piece))) ? [unsure(pieces)] : [];
}

const wallet: RejectReason = { kind: 'no-file-hash', name: 'wallet' };

function reasonAgainst(value: string, label: Label | null): RejectReason | null {
  if (label?.kind === 'reason' && reasonOfLength(value.length)) return label.reason;
  if (!kindOfLength(value.length)) return reasonOfLength(value.length);
  const period = periodOf(value);
  return period === null ? null : { kind: 'placeholder', period };
}
