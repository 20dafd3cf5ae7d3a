import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { FailureError } from '../../../shared/failure.ts';
import { textOfWords } from '../../../shared/testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { choiceForm, pairForm, textForm } from '../../../shared/testing/input-forms.ts';
import { facts, mustBeWithoutSecret, secret } from '../replies/reply-inputs.fixture.ts';
import { isPrivateHost } from './address.ts';
import { followRedirects, type ServiceRequest } from './requests.ts';

const origins = ['https://repo.example', 'http://repo.example', 'http://127.0.0.1:8080'] as const;
const words = [
  'https://',
  'http://',
  '//',
  '///',
  '/',
  '\\',
  '@',
  ':',
  '?',
  '#',
  '..',
  'a.example',
  'repo.example',
  '127.0.0.1',
  '[::1]',
  '[::ffff:7f00:1]',
  '0x7f.1',
  '2130706433',
  'localhost',
  '169.254.169.254',
  'user:pass@',
  `?token=${secret}`,
  secret,
  'javascript:',
  'file:///etc/passwd',
  'data:,x',
  ':80',
  ':443',
  '%0d%0a',
  '\r\n',
  '\t',
  '\x80',
  'ÿ',
  ' ',
];

export const target = fuzzTarget({
  name: 'redirect',
  reads: 'the `Location` of a redirect to a publication',
  holds:
    'no private host for a public service, no user, no http after https, no token in messages; at most five redirects',
  form: pairForm(textForm(words), choiceForm(origins)),
  seeds: origins.flatMap(
    (origin) =>
      [
        ['https://a.example/x?sig=1', origin],
        ['/x/y', origin],
        ['//a.example', origin],
        ['http://127.0.0.1/x', origin],
      ] as const,
  ),
  made: fc.tuple(textOfWords(words, 8), fc.constantFrom(...origins)),
  attack([location, origin]) {
    const own: ServiceRequest = {
      origin: new URL(origin),
      path: `/api.php?action=x&token=${secret}`,
      facts,
      trust: { kind: 'system' },
      basic: { username: 'user', password: secret },
      clientCertificate: { kind: 'pem', certificate: 'c', key: 'k', passphrase: null },
      timeouts: { connectSeconds: 1, firstByteSeconds: 1, idleSeconds: 1 },
      proxyFor: async () => null,
      resolve: async () => [],
      redirects: 0,
      rangeHeaders: {},
    };
    const redirects = followRedirects(own);
    let sent = own;
    for (let followed = 0; ; followed += 1) {
      const next = step(() => redirects.next(sent, exchangeOf(location)));
      if (next === null) return;
      mustHold(followed < 5, 'it follows more than five');
      mustBeSound(next, origin);
      mustHold(!namesUser(location, sent), 'it leads to a place with a user');
      sent = next;
    }
  },
});

/** What is not ASCII is read byte by byte, and has no meaning here. */
function namesUser(location: string, { origin, path }: ServiceRequest): boolean {
  const url = /^[\x20-\x7e]*$/.test(location) ? URL.parse(location, origin.origin + path) : null;
  return url !== null && `${url.username}${url.password}` !== '';
}

function mustBeSound({ origin, path, facts: said, basic, clientCertificate }: ServiceRequest, own: string): void {
  mustHold(
    origin.protocol === 'https:' || (origin.protocol === 'http:' && own.startsWith('http:')),
    'it leads to another scheme',
  );
  mustHold(path.startsWith('/') && !/[\s\p{Cc}]/u.test(path), 'there is more in it than a place');
  mustHold(
    isPrivateHost(new URL(own).hostname) || !isPrivateHost(origin.hostname),
    'it leads into a network of our own',
  );
  mustHold(!said.hasToken, 'it takes the token along');
  const isOwn = origin.origin === new URL(own).origin;
  mustHold(isOwn || (basic === null && clientCertificate === null), 'it takes a login to another origin');
  mustBeWithoutSecret(said.address);
}

function exchangeOf(location: string): Parameters<ReturnType<typeof followRedirects>['next']>[1] {
  const response = { headers: { location } } as IncomingMessage;
  return { response, socket: new Socket(), peer: '93.184.216.34', forwardingProxy: null };
}

function step(next: () => ServiceRequest): ServiceRequest | null {
  try {
    return next();
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'redirect-refused') throw error;
    mustBeWithoutSecret(error.failure);
    return null;
  }
}
