import type { Json } from '../../../shared/domain/sample.ts';
import type { RuleHit } from '../../../shared/domain/scan.ts';
import { boundedHits } from './bounded-hits.ts';
import { boundedText, type Rewrite } from './bounded-text.ts';
import { ScanReplyReader } from './scan-reply-reader.ts';

/** A rule that a service says it found. Names and texts are untrusted. */
export type ServiceHit = Omit<RuleHit, 'place' | 'family'>;

/**
 * What a reply to `scanfile` says. `matches`: the hits by name, none when the file is clean; `isCut` when some of what
 * there was is left out, by the service or here. `failed`: the service could not scan; its own words, or "".
 * `not-understood`: it may say anything.
 */
export type ScanReading =
  | { kind: 'matches'; hits: ServiceHit[]; version: string | null; rules: number | null; isCut: boolean }
  | { kind: 'failed'; text: string }
  | { kind: 'not-understood' };

const longestVersion = 200;
const longestWords = 1000;
/** No form there is needs more; and reading goes as deep as the reply does. */
const deepest = 16;
const mostMembers = 20_000;

/**
 * Reads the reply in any of the forms there are (docs/services.md, "scanfile"). Pure and total. A single part that is
 * not understood makes the whole not understood: what was taken for clean may be what nobody could read. `rewrite`
 * hides secrets in every text that is given.
 */
export function readScanReply(reply: Json, rewrite: Rewrite = (text) => text): ScanReading {
  if (isBeyond(reply, deepest)) return { kind: 'not-understood' };
  const read = new ScanReplyReader();
  read.read(reply, 'whole');
  if (read.failure !== null) return { kind: 'failed', text: boundedText(read.failure, longestWords, rewrite) };
  // That the rules which were looked with found nothing is not that there is nothing; nor is it when there were none.
  if (!read.isUnderstood || ((read.leavesOut || read.hasNoRules) && read.found.length === 0))
    return { kind: 'not-understood' };
  const version = read.version === null ? null : boundedText(read.version, longestVersion, rewrite);
  const { hits, isCut } = boundedHits(read.found, rewrite);
  return { kind: 'matches', hits, isCut: isCut || read.leavesOut, version, rules: read.rules };
}

function isBeyond(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const parts = Object.values(value);
  return (
    depth === 0 ||
    (!Array.isArray(value) && parts.length > mostMembers) ||
    parts.some((part) => isBeyond(part, depth - 1))
  );
}
