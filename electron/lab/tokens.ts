import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { currentInstant } from '../../shared/domain/clock.ts';
import type { LabRight } from '../../shared/domain/lab.ts';
import type { MetadataStore } from './stores/metadata-store.ts';

export type Rights = ReadonlySet<LabRight>;

/** Who asks: the name its token was issued for, and what it may do. */
export interface Caller {
  /** The number of the token; null for the one that Vitrine passed at start. */
  token: number | null;
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

/** Strangers' guesses are not remembered, so this many are tokens that were issued. */
const rememberedAtMost = 1_000;

/**
 * Whose token it is, by the digests in the store, and the one that Vitrine passed at start, which is only in memory. A
 * digest is looked up and not compared in constant time: the time shows something of the digest, from which a
 * token of 256 random bits cannot be found. A token that was found is not asked for again for `rememberedMs`: that long
 * a revoked one may still be accepted.
 */
export function createCallerOf(
  store: Pick<MetadataStore, 'tokenByDigest' | 'noteTokenUse'>,
  session: { token: string; rights: readonly LabRight[] } | null,
  rememberedMs = 0,
): CallerOf {
  const own = session && { digest: Buffer.from(tokenDigest(session.token)), rights: new Set(session.rights) };
  const remembered = new Map<string, { caller: Caller; untilMs: number }>();
  return async (token) => {
    const digest = tokenDigest(token);
    if (own !== null && timingSafeEqual(own.digest, Buffer.from(digest)))
      return { token: null, name: sessionName, rights: own.rights };
    const known = remembered.get(digest);
    if (known !== undefined && known.untilMs > performance.now()) return known.caller;
    remembered.delete(digest);
    const askedAt = performance.now();
    const issued = await store.tokenByDigest(digest);
    if (issued === null) return null;
    const day = currentInstant().slice(0, 'YYYY-MM-DD'.length);
    if (issued.lastUsed !== day) await store.noteTokenUse(issued.id, day);
    const caller = { token: issued.id, name: issued.name, rights: new Set(issued.rights) };
    if (remembered.size >= rememberedAtMost) remembered.clear();
    remembered.set(digest, { caller, untilMs: askedAt + rememberedMs });
    return caller;
  };
}
