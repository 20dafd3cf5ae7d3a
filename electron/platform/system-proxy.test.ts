import { expect, test } from 'vitest';
import { proxyOfResolution } from './proxies.ts';

test.each([
  ['DIRECT', null],
  ['PROXY proxy.example:3128', 'http://proxy.example:3128'],
  ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128'],
  ['proxy [2001:db8::1]:3128;DIRECT', 'http://[2001:db8::1]:3128'],
  ['DIRECT; PROXY proxy.example:3128', null],
  ['SOCKS5 socks.example:1080; PROXY proxy.example:3128', 'http://proxy.example:3128'],
  ['HTTPS secure.example:443', null],
  ['PROXY', null],
  ['PROXY a b; PROXY c:1', 'http://a'],
  ['PROXY not a/host:port:1', 'http://not'],
  ['PROXY ex ample', 'http://ex'],
  ['PROXY [::', null],
  ['', null],
])('%s', (resolution, proxy) => {
  expect(proxyOfResolution(resolution)).toBe(proxy);
});
