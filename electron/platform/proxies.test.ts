import { expect, test } from 'vitest';
import { environmentProxy, proxyOfResolution } from './proxies.ts';

const proxy = 'http://proxy.example:3128';

test.each([
  ['https address, https_proxy', 'https://a.example/x', { https_proxy: proxy }, proxy],
  ['https address, only http_proxy', 'https://a.example/x', { http_proxy: proxy }, null],
  ['http address, upper case', 'http://a.example/x', { HTTP_PROXY: proxy }, proxy],
  ['lower case wins', 'http://a.example/x', { HTTP_PROXY: 'http://other:1', http_proxy: proxy }, proxy],
  ['all_proxy as the last resort', 'https://a.example/', { all_proxy: proxy }, proxy],
  ['a bare host and port', 'http://a.example/', { http_proxy: 'proxy.example:3128' }, proxy],
  [
    'credentials kept',
    'http://a.example/',
    { http_proxy: 'http://u:p@proxy.example:3128' },
    'http://u:p@proxy.example:3128',
  ],
  ['a socks proxy is not used', 'http://a.example/', { http_proxy: 'socks5://proxy.example:1080' }, null],
  ['rubbish is not used', 'http://a.example/', { http_proxy: 'http://[' }, null],
  ['exempt by name', 'http://a.example/', { http_proxy: proxy, no_proxy: 'b.example, a.example' }, null],
  ['exempt by ending', 'http://deep.a.example/', { http_proxy: proxy, no_proxy: '.a.example' }, null],
  ['not exempt by a shared tail', 'http://nota.example/', { http_proxy: proxy, no_proxy: 'a.example' }, proxy],
  ['everything exempt', 'http://a.example/', { http_proxy: proxy, no_proxy: '*' }, null],
  ['nothing set', 'http://a.example/', {}, null],
])('the environment proxy is read: %s', (_title, address, environment, expected) => {
  expect(environmentProxy(address, environment)).toBe(expected);
});

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
])('the system proxy is read from a resolution: %s', (resolution, expected) => {
  expect(proxyOfResolution(resolution)).toBe(expected);
});
