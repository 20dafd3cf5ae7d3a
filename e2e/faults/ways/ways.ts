import type { ProxyOptions } from './proxies.ts';

/** What is in front of the service. */
export type Front = 'certificate-1.2' | 'certificate-1.3' | 'basic' | 'ntlm' | 'http2';

/** One way to a service, and what must be seen of it. */
export interface Way {
  /** As in the table. */
  words: string;
  service: 'http' | 'https';
  /** null: there is none. */
  proxy: {
    kind: ProxyOptions['kind'];
    /** The scheme in the environment variable, where it is not that of the kind. */
    scheme?: string;
    requires?: 'login';
    given?: 'login' | 'wrong-login';
    fault?: ProxyOptions['fault'] | 'not-listening' | 'not-trusted';
  } | null;
  front: Front | null;
  /** The failure of each call; null when they succeed. */
  failure: string | null;
  /** What the proxy was asked for, each once. */
  seen: string;
}

const asked = {
  tunnel: 'CONNECT repository.test:443',
  forward: 'GET http://repository.test/api.php, POST http://repository.test/api.php',
  forwardGet: 'GET http://repository.test/api.php',
  socks: 'connect repository.test:443',
  socksHttp: 'connect repository.test:80',
  nothing: 'nothing',
} as const;

const through = (
  words: string,
  proxy: NonNullable<Way['proxy']>,
  failure: string | null,
  seen: string,
  service: Way['service'] = 'https',
): Way => ({ words, service, proxy, front: null, failure, seen });
const behind = (words: string, front: Front, failure: string): Way => ({
  words,
  service: front === 'basic' || front === 'ntlm' ? 'http' : 'https',
  proxy: null,
  front,
  failure,
  seen: asked.nothing,
});

/** In the order of the table. The target of those through a proxy is a name that only the proxy knows. */
export const ways: readonly Way[] = [
  through('an http proxy', { kind: 'http' }, null, asked.tunnel),
  through('an http proxy, to a service without TLS', { kind: 'http' }, null, asked.forward, 'http'),
  through('an http proxy with a login', { kind: 'http', requires: 'login', given: 'login' }, null, asked.tunnel),
  through('an https proxy', { kind: 'https' }, null, asked.tunnel),
  through('an https proxy, to a service without TLS', { kind: 'https' }, null, asked.forward, 'http'),
  through('an https proxy with a login', { kind: 'https', requires: 'login', given: 'login' }, null, asked.tunnel),
  through('a SOCKS5 proxy', { kind: 'socks5' }, null, asked.socks),
  through('a SOCKS5 proxy, to a service without TLS', { kind: 'socks5' }, null, asked.socksHttp, 'http'),
  through('a SOCKS5 proxy as `socks5h`', { kind: 'socks5', scheme: 'socks5h' }, null, asked.socks),
  through('a SOCKS5 proxy with a login', { kind: 'socks5', requires: 'login', given: 'login' }, null, asked.socks),
  through(
    'an http proxy that requires a login, without one',
    { kind: 'http', requires: 'login' },
    'unreachable (proxy-login-missing)',
    asked.tunnel,
  ),
  through(
    'an http proxy that requires a login, without one, to a service without TLS',
    { kind: 'http', requires: 'login' },
    'unreachable (proxy-login-missing)',
    asked.forwardGet,
    'http',
  ),
  through(
    'an http proxy that rejects the login',
    { kind: 'http', requires: 'login', given: 'wrong-login' },
    'unreachable (proxy-login-refused)',
    asked.tunnel,
  ),
  through(
    'an http proxy that requires NTLM',
    { kind: 'http', fault: 'wants-ntlm' },
    'unreachable (proxy-login-unsupported)',
    asked.tunnel,
  ),
  through(
    'a SOCKS5 proxy that requires a login, without one',
    { kind: 'socks5', requires: 'login' },
    'unreachable (proxy-login-missing)',
    asked.nothing,
  ),
  through(
    'a SOCKS5 proxy that rejects the login',
    { kind: 'socks5', requires: 'login', given: 'wrong-login' },
    'unreachable (proxy-login-refused)',
    asked.nothing,
  ),
  through(
    'an http proxy that refuses the target',
    { kind: 'http', fault: 'refuses-target' },
    'unreachable (proxy-refused)',
    asked.tunnel,
  ),
  through(
    'a SOCKS5 proxy that refuses the target',
    { kind: 'socks5', fault: 'refuses-target' },
    'unreachable (proxy-refused)',
    asked.socks,
  ),
  through(
    'an https proxy with an unknown certificate',
    { kind: 'https', fault: 'not-trusted' },
    'unreachable (proxy-not-trusted)',
    asked.nothing,
  ),
  through('a proxy that resets', { kind: 'http', fault: 'resets' }, 'unreachable (proxy)', asked.nothing),
  through('a SOCKS5 proxy that resets', { kind: 'socks5', fault: 'resets' }, 'unreachable (proxy)', asked.nothing),
  through('a proxy that does not run', { kind: 'http', fault: 'not-listening' }, 'unreachable (proxy)', asked.nothing),
  through(
    'a mail server as an http proxy',
    { kind: 'http', fault: 'answers-nonsense' },
    'unreachable (proxy-answer)',
    asked.nothing,
  ),
  through(
    'a mail server as a SOCKS5 proxy',
    { kind: 'socks5', fault: 'answers-nonsense' },
    'unreachable (proxy-answer)',
    asked.nothing,
  ),
  through(
    'a mail server as an https proxy',
    { kind: 'https', fault: 'answers-nonsense' },
    'unreachable (proxy-answer)',
    asked.nothing,
  ),
  through(
    'a proxy of an unsupported kind (`quic`)',
    { kind: 'http', scheme: 'quic' },
    'unreachable (proxy-kind)',
    asked.nothing,
  ),
  behind('a client certificate is required (TLS 1.2)', 'certificate-1.2', 'client-certificate'),
  behind('a client certificate is required (TLS 1.3)', 'certificate-1.3', 'client-certificate'),
  behind('a Basic login is required', 'basic', 'front-login'),
  behind('an NTLM login is required', 'ntlm', 'front-login'),
  behind('only HTTP/2 is spoken', 'http2', 'unreachable (http2)'),
];
