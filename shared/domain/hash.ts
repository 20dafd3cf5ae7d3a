import { z } from 'zod';

/** Hash kinds by the length of their hex form, in characters. */
export const hashLengths = { md5: 32, sha1: 40, sha256: 64 } as const;
export type HashKind = keyof typeof hashLengths;

export interface FoundHash {
  kind: HashKind;
  /** Lower case. */
  value: string;
}

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
