import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPrivateAddress } from './private-addresses.ts';

/** All addresses of a name, in the order in which they are to be tried. Rejects with a network error of Node's. */
export type ResolveHost = (host: string) => Promise<LookupAddress[]>;

export const systemResolve: ResolveHost = (host) => lookup(host, { all: true });

/**
 * Resolves a name, and calls `refuse` when any of its addresses is private: which of them answers is not ours to
 * choose.
 */
export function publicOnly(resolve: ResolveHost, refuse: () => never): ResolveHost {
  return async (host) => {
    const addresses = await resolve(host);
    return addresses.some(({ address }) => isPrivateAddress(address)) ? refuse() : addresses;
  };
}

/** Lets a connection go to addresses that were looked at, and to no others that its name might have a moment later. */
export function settledLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (host, { all }, done) => {
    const [first] = addresses;
    if (first === undefined) done(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '');
    else if (all === true) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}
