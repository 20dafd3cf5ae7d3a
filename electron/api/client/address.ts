import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { fail } from '../../../shared/failure.ts';

/**
 * Reads the address of a service as a person types it and returns its one normal form: no trailing slash and no
 * `/api.php` (docs/services.md, "The address"). Throws `address-invalid`, or `http-not-allowed` for plain http to
 * anything but this computer.
 */
export function checkAddress(text: string, options: { allowHttp: boolean }): string {
  const url = parseAddress(text.trim());
  if (url.protocol === 'http:' && !options.allowHttp && !isLoopback(url.hostname))
    fail({ kind: 'http-not-allowed', host: url.host });
  return url.origin + withoutEntryFile(url.pathname);
}

const entryFile = 'api.php';

function parseAddress(typed: string): URL {
  if (!/^https?:\/\//i.test(typed))
    fail({ kind: 'address-invalid', reason: /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? 'scheme' : 'syntax' });
  // The URL parser drops tabs and line ends and turns backslashes round: what is read must be what was typed.
  const url = /[\s\\\p{Cc}]/u.test(typed) ? null : URL.parse(typed);
  if (url === null) return fail({ kind: 'address-invalid', reason: 'syntax' });
  const authority = typed.replace(/^https?:\/*/i, '').split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@')) fail({ kind: 'address-invalid', reason: 'user-info' });
  if (url.href.includes('#')) fail({ kind: 'address-invalid', reason: 'fragment' });
  if (url.href.includes('?')) fail({ kind: 'address-invalid', reason: 'query' });
  return url;
}

/** However often it occurs: what is read of an address must be read as the same again. */
function withoutEntryFile(path: string): string {
  let trimmed = trimSlashes(path);
  while (/(?:^|\/)api\.php$/i.test(trimmed)) trimmed = trimSlashes(trimmed.slice(0, -entryFile.length));
  return trimmed;
}

function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Whether a host, as `URL.hostname` writes it, is this computer: 127.0.0.0/8, ::1 or `localhost`. */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIPv4(hostname) && hostname.startsWith('127.');
}

/** IPv4 that leads to this computer, its network, its provider's, or nowhere (RFC 6890 and its registry). */
const privateIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** The same of IPv6, and the old tunnels (Teredo, 6to4), whose addresses lead to any IPv4 address. */
const privateIpv6 = [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;

/**
 * Prefixes of 96 bits before an IPv4 address that is reached through them: NAT64 (RFC 6052), and the deprecated
 * compatible form (RFC 4291). The mapped form is read by `BlockList` itself.
 */
const carriersOfIpv4 = ['64:ff9b::', '::'];

const privateAddresses = new BlockList();
for (const [network, bits] of privateIpv4) {
  privateAddresses.addSubnet(network, bits, 'ipv4');
  for (const carrier of carriersOfIpv4) privateAddresses.addSubnet(`${carrier}${network}`, 96 + bits, 'ipv6');
}
for (const [network, bits] of privateIpv6) privateAddresses.addSubnet(network, bits, 'ipv6');

/**
 * Whether an address leads into a network of our own: loopback, link-local, private, shared, multicast or unspecified.
 * What is no address counts as one.
 */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  const family = isIP(plain);
  return family === 0 || privateAddresses.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * The same for a host as `URL.hostname` writes it, where the name itself decides; for another name, its addresses
 * decide.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = bareHost(hostname);
  return isIP(host) === 0 ? /(?:^|\.)localhost\.?$/.test(host) : isPrivateAddress(host);
}

/** A host as sockets take it: an IPv6 address without its brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

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

/** Lets a connection go to the addresses that were checked, and to no others its name may have a moment later. */
export function settledLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (host, { all }, done) => {
    const [first] = addresses;
    if (first === undefined) done(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '');
    else if (all === true) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}
