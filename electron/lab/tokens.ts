import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LabRight } from '../../shared/domain/lab.ts';
import type { StoredToken } from './metadata-store.ts';

export type Rights = ReadonlySet<LabRight>;

/** Answers what a token may do; null for a token nobody issued. */
export type RightsOf = (token: string) => Promise<Rights | null>;

/** 256 random bits, as 64 hex characters. */
export const mintToken = (): string => randomBytes(32).toString('hex');

/** The only form in which the lab stores or compares a token. Enough for 256 random bits, which nobody can guess. */
export const tokenDigest = (token: string): string => createHash('sha256').update(token).digest('hex');

export interface TokenSource {
  tokens(): Promise<Pick<StoredToken, 'sha256' | 'rights'>[]>;
}

/**
 * Tokens from the store, read at each call so that one removed a moment ago is refused now, and the one the desk
 * handed over at start, which is only in memory. Every digest is compared, each in constant time.
 */
export function createRightsOf(store: TokenSource, session: { token: string; rights: readonly LabRight[] } | null): RightsOf {
  const own = session === null ? [] : [{ sha256: tokenDigest(session.token), rights: session.rights }];
  return async (token) => {
    const asked = Buffer.from(tokenDigest(token));
    let rights: Rights | null = null;
    for (const issued of [...own, ...(await store.tokens())]) {
      const digest = Buffer.from(issued.sha256);
      if (digest.length === asked.length && timingSafeEqual(digest, asked)) rights = new Set(issued.rights);
    }
    return rights;
  };
}
