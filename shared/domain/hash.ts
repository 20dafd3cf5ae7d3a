import { z } from 'zod';
import { type FoundHash, type HashKind, hashLengths } from './hash-kinds.ts';

export { type FoundHash, type HashKind, hashLengths };

export const md5 = z.string().regex(/^[0-9a-f]{32}$/, 'an MD5: 32 lower-case hexadecimal characters');
export const sha1 = z.string().regex(/^[0-9a-f]{40}$/, 'a SHA-1: 40 lower-case hexadecimal characters');
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256: 64 lower-case hexadecimal characters');
export const anyHash = z.union([md5, sha1, sha256], 'an MD5, SHA-1 or SHA-256 in lower case');

export interface Hashes {
  md5: string;
  sha1: string;
  sha256: string;
}
export const hashes = z.object({ md5, sha1, sha256 });

export function hashKindOf(value: string): HashKind | null {
  if (!/^[0-9a-f]+$/i.test(value)) return null;
  for (const kind of ['md5', 'sha1', 'sha256'] as const) if (value.length === hashLengths[kind]) return kind;
  return null;
}

export interface HashText {
  /** Each hash once, in the order of its first appearance. */
  found: FoundHash[];
  /** Lengths of the hex runs that look meant as a hash (24 characters and more) but are none. */
  wrongLengths: number[];
}

const shortestNearMiss = 24;
const longestRunTaken = 128;

/**
 * Finds the MD5, SHA-1 and SHA-256 in any text. A hash is a run of hex digits of exactly the right length with no
 * letter, digit or underscore on either side, so a piece of a longer run is never taken for a hash. Linear in the text.
 */
export function findHashes(text: string): HashText {
  const found = new Map<string, FoundHash>();
  const wrongLengths: number[] = [];
  for (const [run] of text.matchAll(/[0-9A-Za-z_]+/g)) {
    const value = run.replace(/^0[xX]/, '').toLowerCase();
    const kind = hashKindOf(value);
    if (kind) found.set(value, { kind, value });
    else if (isNearMiss(value)) wrongLengths.push(value.length);
  }
  return { found: [...found.values()], wrongLengths };
}

function isNearMiss(value: string): boolean {
  return value.length >= shortestNearMiss && value.length <= longestRunTaken && /^[0-9a-f]+$/.test(value);
}
