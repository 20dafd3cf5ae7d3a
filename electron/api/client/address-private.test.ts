import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAny } from '../../base/property.fixture.ts';
import { isPrivateAddress, isPrivateHost } from './address.ts';

const privateIpv4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '239.1.1.1',
  '255.255.255.255',
];
const publicIpv4 = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.0.1',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.1.1',
  '192.169.0.0',
  '223.255.255.255',
];

describe('an address', () => {
  it.each([
    ...privateIpv4,
    '::',
    '::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001:0:1::1',
    '64:ff9b:1::1',
    'no address',
    '',
  ])('%s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([...publicIpv4, '2606:4700::1111', '2a00::1', 'fbff::1', 'fe00::1', '64:ff9b::101:101', '::ffff:1.1.1.1'])(
    '%s is public',
    (address) => expect(isPrivateAddress(address)).toBe(false),
  );

  it('is classified by the IPv4 address that it embeds', () => {
    const octets = fc.oneof(fc.ipV4(), fc.constantFrom(...privateIpv4, ...publicIpv4));
    forAny([octets, fc.constantFrom('::ffff:', '64:ff9b::')], (ipv4, carrier) => {
      expect(isPrivateAddress(carrier + ipv4)).toBe(isPrivateAddress(ipv4));
    });
  });
});

describe('a host name', () => {
  it.each([
    'http://127.1',
    'http://2130706433',
    'http://0x7f.0.0.1',
    'http://[::1]',
    'http://[::ffff:192.168.0.1]',
    'http://[fe80::1]',
    'http://localhost',
    'http://LOCALHOST.',
    'http://x.localhost',
    'http://0',
    'http://①②⑦.0.0.1',
  ])('%s is recognised as private', (address) => {
    expect(isPrivateHost(new URL(address).hostname)).toBe(true);
  });

  it.each([
    'http://repo.example',
    'http://localhost.example',
    'http://notlocalhost',
    'http://127.0.0.1.example',
    'http://1.1.1.1',
    'http://[2606:4700::1111]',
  ])('%s is not recognised as private', (address) => {
    expect(isPrivateHost(new URL(address).hostname)).toBe(false);
  });
});
