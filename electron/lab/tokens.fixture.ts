import { tokenDigest } from './tokens.ts';
import type { MetadataStore, StoredToken } from './stores/metadata-store.ts';

/** Tokens as a store knows them, without a store. What is taken out of the list is revoked. */
export function storeOf(
  issued: readonly Pick<StoredToken, 'name' | 'sha256' | 'rights'>[],
): Pick<MetadataStore, 'tokenByDigest' | 'noteTokenUse'> & { uses: string[] } {
  const uses: string[] = [];
  return {
    uses,
    tokenByDigest: async (sha256) => {
      const id = issued.findIndex((token) => token.sha256 === sha256);
      const token = issued[id];
      return token === undefined
        ? null
        : { ...token, id, created: '2026-01-01T00:00:00Z', lastUsed: uses.at(-1) ?? null };
    },
    noteTokenUse: async (_id, day) => void uses.push(day),
  };
}

/** A token that may read, by its own name. */
export const readerToken = (token: string): Pick<StoredToken, 'name' | 'sha256' | 'rights'> => ({
  name: `of ${token}`,
  sha256: tokenDigest(token),
  rights: ['read'],
});
