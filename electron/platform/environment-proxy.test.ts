import { expect, test } from 'vitest';
import { environmentProxy } from './proxies.ts';

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
])('%s', (_title, address, environment, expected) => {
  expect(environmentProxy(address, environment)).toBe(expected);
});
