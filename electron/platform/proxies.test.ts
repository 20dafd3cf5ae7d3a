import { describe, expect, it, test } from 'vitest';
import { environmentProxy, proxyOfResolution } from './proxies.ts';

const proxy = 'http://proxy.example:3128';

test.each([
  ['https address, https_proxy', 'https://a.example/x', { https_proxy: proxy }, proxy],
  ['https address, only http_proxy', 'https://a.example/x', { http_proxy: proxy }, null],
  ['http address, upper case', 'http://a.example/x', { HTTP_PROXY: proxy }, proxy],
  ['lower case wins', 'http://a.example/x', { HTTP_PROXY: 'http://other:1', http_proxy: proxy }, proxy],
  ['all_proxy as the last resort', 'https://a.example/', { all_proxy: proxy }, proxy],
  ['a bare host and port', 'http://a.example/', { http_proxy: 'proxy.example:3128' }, proxy],
  ['white space around it', 'http://a.example/', { http_proxy: ` ${proxy} ` }, proxy],
  ['nothing but white space', 'http://a.example/', { http_proxy: ' ' }, null],
  [
    'credentials kept',
    'http://a.example/',
    { http_proxy: 'http://u:p@proxy.example:3128' },
    'http://u:p@proxy.example:3128',
  ],
  [
    'a SOCKS proxy',
    'https://a.example/',
    { all_proxy: 'socks5h://proxy.example:1080' },
    'socks5h://proxy.example:1080',
  ],
  ['an unsupported kind, which is not passed over', 'https://a.example/', { https_proxy: 'quic://p:1' }, 'quic://p:1'],
  ['an unreadable address, which is not passed over', 'http://a.example/', { http_proxy: 'http://[' }, 'http://['],
  ['nothing set', 'http://a.example/', {}, null],
])('the environment proxy is read: %s', (_title, address, environment, expected) => {
  expect(environmentProxy(address, environment)).toBe(expected);
});

describe('no_proxy', () => {
  it.each([
    ['a name', 'http://a.example/', 'b.example, a.example'],
    ['a name in other letter case', 'http://a.example/', 'A.EXAMPLE'],
    ['a name with a final dot', 'http://a.example./', 'a.example'],
    ['an ending', 'http://deep.a.example/', '.a.example'],
    ['an ending after an asterisk', 'http://deep.a.example/', '*.a.example'],
    ['an entry after a space', 'http://a.example/', 'b.example a.example'],
    ['everything', 'http://a.example/', '*'],
    ['a name with its port', 'http://a.example:8080/', 'a.example:8080'],
    ['a name with the port of https', 'https://a.example/', 'a.example:443'],
    ['an IPv4 address', 'http://10.1.2.3/', '10.1.2.3'],
    ['an IPv4 address with its port', 'http://10.1.2.3:8080/', '10.1.2.3:8080'],
    ['an IPv4 network', 'http://10.1.2.3:8080/', '10.0.0.0/8'],
    ['an IPv4 network by an address in it', 'http://10.1.2.3/', '10.1.2.99/24'],
    ['an IPv4 network for a mapped address', 'http://[::ffff:10.1.2.3]/', '10.0.0.0/8'],
    ['an IPv6 address', 'http://[fd00::1]/', 'fd00:0::1'],
    ['an IPv6 address in brackets', 'http://[fd00::1]/', '[fd00::1]'],
    ['an IPv6 address with its port', 'http://[fd00::1]:81/', '[fd00::1]:81'],
    ['an IPv6 network', 'http://[fd12:3456::1]/', 'fd00::/8'],
    ['an IPv6 network in brackets', 'http://[fd12:3456::1]/', '[fd00::]/8'],
  ])('exempts %s', (_title, address, list) => {
    expect(environmentProxy(address, { http_proxy: proxy, https_proxy: proxy, no_proxy: list })).toBeNull();
  });

  it.each([
    ['a shared tail', 'http://nota.example/', 'a.example'],
    ['another port', 'http://a.example:8081/', 'a.example:8080'],
    ['the tail of an address', 'http://10.1.2.3/', '2.3'],
    ['another network', 'http://11.1.2.3/', '10.0.0.0/8'],
    ['a network of the other family', 'http://10.1.2.3/', 'fd00::/8'],
    ['a name, by a network', 'http://a.example/', '0.0.0.0/0'],
    ['a prefix that is too long', 'http://10.1.2.3/', '10.1.2.3/33'],
    ['a prefix that is none', 'http://10.1.2.3/', '10.1.2.3/x,10.1.2.3/,10.1.2.3/-1'],
    ['an empty entry', 'http://a.example/', ',,.'],
  ])('does not exempt %s', (_title, address, list) => {
    expect(environmentProxy(address, { http_proxy: proxy, no_proxy: list })).toBe(proxy);
  });
});

test.each([
  ['DIRECT', null],
  ['PROXY proxy.example:3128', 'http://proxy.example:3128'],
  ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128'],
  ['proxy [2001:db8::1]:3128;DIRECT', 'http://[2001:db8::1]:3128'],
  ['HTTP proxy.example:3128', 'http://proxy.example:3128'],
  ['DIRECT; PROXY proxy.example:3128', null],
  ['SOCKS5 socks.example:1080; PROXY proxy.example:3128', 'socks5://socks.example:1080'],
  ['SOCKS socks.example:1080', 'socks5://socks.example:1080'],
  ['SOCKS4 socks.example:1080', 'socks4://socks.example:1080'],
  ['HTTPS secure.example:443', 'https://secure.example:443'],
  ['QUIC quic.example:443; PROXY proxy.example:3128', 'http://proxy.example:3128'],
  ['QUIC quic.example:443; DIRECT', null],
  ['QUIC quic.example:443', 'quic://quic.example:443'],
  ['QUIC quic.example:443; OTHER x:1', 'quic://quic.example:443'],
  ['PROXY', 'http://'],
  ['PROXY a b; PROXY c:1', 'http://a'],
  ['PROXY not a/host:port:1', 'http://not'],
  ['PROXY ex ample', 'http://ex'],
  ['PROXY [::', 'http://[::'],
  ['', ''],
])('the system proxy is read from a resolution, and never passed over: %s', (resolution, expected) => {
  expect(proxyOfResolution(resolution)).toBe(expected);
});
