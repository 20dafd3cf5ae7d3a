import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LabRight } from '../../shared/domain/lab.ts';
import type { StoredToken } from './metadata-store.ts';

export type Rights = ReadonlySet<LabRight>;

/** Who asks: the name its token was issued for, and what it may do. */
export interface Caller {
  name: string;
  rights: Rights;
}

/** Returns the owner of a token; null for a token that was never issued. */
export type CallerOf = (token: string) => Promise<Caller | null>;

/** The uploader and author of what the Vitrine that started the lab sends. */
const sessionName = 'vitrine';

/** 256 random bits, as 64 hex characters. */
export const mintToken = (): string => randomBytes(32).toString('hex');

/** The only form in which the lab stores or compares a token. Enough for 256 random bits, which cannot be guessed. */
export const tokenDigest = (token: string): string => createHash('sha256').update(token).digest('hex');

export interface TokenSource {
  tokens(): Promise<Pick<StoredToken, 'name' | 'sha256' | 'rights'>[]>;
}

/**
 * Tokens from the store, read at each call so that a removed one is refused at once, and the one that Vitrine
 * passed at start, which is only in memory. Every digest is compared, each in constant time.
 */
export function createCallerOf(
  store: TokenSource,
  session: { token: string; rights: readonly LabRight[] } | null,
): CallerOf {
  const own =
    session === null ? [] : [{ name: sessionName, sha256: tokenDigest(session.token), rights: session.rights }];
  return async (token) => {
    const asked = Buffer.from(tokenDigest(token));
    let caller: Caller | null = null;
    for (const issued of [...own, ...(await store.tokens())]) {
      const digest = Buffer.from(issued.sha256);
      if (digest.length === asked.length && timingSafeEqual(digest, asked))
        caller = { name: issued.name, rights: new Set(issued.rights) };
    }
    return caller;
  };
}
