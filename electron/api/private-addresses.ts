import { BlockList, isIP } from 'node:net';
import { bareHost } from './proxy.ts';

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
 * The same of a host as `URL.hostname` writes it, as far as it says so itself; what another name leads to, its
 * addresses say.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = bareHost(hostname);
  return isIP(host) === 0 ? /(?:^|\.)localhost\.?$/.test(host) : isPrivateAddress(host);
}
