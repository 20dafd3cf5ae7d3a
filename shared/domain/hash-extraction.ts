import { assertNever } from '../assert-never.ts';
import { type ExtractedHash, HashExtractor, type RejectedRun } from './hash-extractor.ts';
import type { RejectReason } from './hash-runs.ts';
import { type HashKind, hashLengths } from './hash.ts';
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
type OnMark = (start: number, end: number, isHash: boolean) => void;

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

const kinds: Record<HashKind, string> = { md5: 'an MD5', sha1: 'a SHA-1', sha256: 'a SHA-256' };
const others = {
  certificate: 'Serial number or fingerprint of a certificate',
  wallet: 'Address of a wallet',
  UUID: 'UUID',
} as const;
const shown = (count: number): string => count.toLocaleString('en');

/** Why a run was not taken as the hash of a file, without a full stop. */
export function reasonSentence(reason: RejectReason): string {
  switch (reason.kind) {
    case 'too-long':
      return `${shown(reason.length)} hex digits in a row, more than any hash has`;
    case 'wrong-length':
      return `${reason.length} hex digits, ${kinds[reason.nearest]} has ${hashLengths[reason.nearest]}`;
    case 'other-hash':
      return `${reason.name}: samples are looked up by MD5, SHA-1 or SHA-256`;
    case 'no-file-hash':
      return `${others[reason.name]}, not a file hash`;
    case 'placeholder':
      return reason.period === 1
        ? 'One digit repeated, a placeholder'
        : `The same ${reason.period} digits repeated, a placeholder`;
    case 'not-hex':
      return `As long as ${kinds[reason.nearest]}, but ${notHex(reason.characters)}`;
    case 'glued':
      return `${shown(reason.length)} hex digits directly next to other letters`;
    case 'colons':
      return `${reason.length / 2} pairs with colons, like the fingerprint of a certificate or key`;
    case 'unsure-wrap':
      return `${reason.lengths.join(' and ')} hex digits split by a line break: one hash or several, so skipped`;
    default:
      return assertNever(reason);
  }
}

function notHex(characters: string): string {
  const named = [...characters].map((character) => `“${character}”`).join(' and ');
  return `${named} ${characters.length === 1 ? 'is not a hex digit' : 'are not hex digits'}`;
}
