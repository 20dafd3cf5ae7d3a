import { type ExtractedHashes, extractHashes } from '../../../shared/domain/hash-extraction.ts';
import type { RejectedRun } from '../../../shared/domain/hash-extractor.ts';
import type { FoundHash } from '../../../shared/domain/hash.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';

/** What a text is for the look-up. `rejected` are the runs that look like hashes and were not taken. */
export type HashTextOutcome =
  | { kind: 'empty' }
  | { kind: 'none'; failure: Failure; rejected: RejectedRun[] }
  | { kind: 'one'; hash: FoundHash; rejected: RejectedRun[] }
  | { kind: 'several'; found: FoundHash[]; rejected: RejectedRun[] };

export function readHashText(text: string): HashTextOutcome {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty' };
  const { found, rejected } = extractHashes(trimmed);
  const isDigits = rejected.length === 0 && /^[0-9a-f]+$/i.test(trimmed);
  return outcomeOfText(found, rejected, isDigits ? trimmed.length : null);
}

/** The same of a text that was read elsewhere. `digits`: it is nothing but so many hex digits, however few. */
export function outcomeOfText(
  extracted: readonly FoundHash[],
  rejected: RejectedRun[],
  digits: number | null = null,
): HashTextOutcome {
  const found = extracted.map(({ kind, value }) => ({ kind, value }));
  const [first] = found;
  if (first === undefined) return { kind: 'none', failure: whyNone(rejected, digits), rejected };
  return found.length === 1 ? { kind: 'one', hash: first, rejected } : { kind: 'several', found, rejected };
}

/** Text that is nothing but hex digits was meant as a hash, however short or long it is. */
function whyNone([first]: readonly RejectedRun[], digits: number | null): Failure {
  if (first?.reason.kind === 'wrong-length' || first?.reason.kind === 'too-long')
    return { kind: 'hash-wrong-length', length: first.reason.length };
  return first === undefined && digits !== null ? { kind: 'hash-wrong-length', length: digits } : { kind: 'no-hash' };
}

/**
 * A field of one line drops line breaks on paste, which would glue hashes together: they become spaces. A hash that was
 * broken over lines is put in whole. Where it matters for what is read that there were lines, U+2028 parts them: a
 * field keeps that.
 */
export function onOneLine(pasted: string): string {
  const flat = pasted.replace(/\s+/g, ' ').trim();
  if (!/[\r\n]/.test(pasted)) return flat;
  const [lines, line] = [extractHashes(pasted), extractHashes(flat)];
  const valuesOf = ({ found }: ExtractedHashes): string => found.map(({ value }) => value).join(' ');
  if (valuesOf(lines) === valuesOf(line) && lines.rejectedCount === line.rejectedCount) return flat;
  return lines.rejectedCount === 0 ? valuesOf(lines) : pasted.trim().replace(/[ \t]*(?:\r\n|\r|\n)/g, ' \u2028');
}

/** The one hash of a text in which it is broken, by marks or lines; null if it is whole, or not alone. */
export function brokenHash(pasted: string): string | null {
  const { found, rejected } = extractHashes(pasted);
  const [only, ...others] = found;
  return only && others.length + rejected.length === 0 && !pasted.toLowerCase().includes(only.value)
    ? only.value
    : null;
}
