import { assertNever } from './assert-never.ts';
import { bytes, print, serviceWords, type SomeSentences } from './failure-sentence.ts';
import type { FailureOf } from './failure.ts';

const phaseWords = {
  connect: 'did not accept the connection',
  'first-byte': 'did not respond',
  idle: 'stopped responding',
  stalled: 'is too slow (under 1 KiB/s)',
} as const;

/** Sentences for services that cannot be reached, or whose web server lets no request through. */
export const connectionSentences = {
  unreachable: (failure) => print(`Cannot reach the ${serviceWords[failure.service]}`, reachAdvice(failure)),
  'timed-out': (failure) =>
    print(
      `The ${serviceWords[failure.service]} ${phaseWords[failure.phase]}`,
      `Waited ${failure.seconds} s for ${failure.address}. ${
        failure.phase === 'stalled'
          ? 'Try again later; a longer time limit does not help.'
          : 'Try again, or raise the time limit in the workspace.'
      }`,
    ),
  'not-trusted': (failure) =>
    print(
      `The ${serviceWords[failure.service]}’s certificate is not trusted`,
      `${trustAdvice(failure.reason)} Nothing was sent to ${failure.address}.`,
    ),
  'connection-lost': (failure) =>
    print(
      'The connection was lost during the transfer',
      `${received(failure.receivedBytes, failure.expectedBytes)} Partial data was discarded; try again.`,
    ),
  'trust-file-unreadable': (failure) =>
    print('Cannot read the certificate authority file', `${authorityFileAdvice(failure.code)} Nothing was sent.`),
  'client-certificate': (failure) =>
    failure.sent
      ? print(
          `The ${serviceWords[failure.service]} refused the client certificate`,
          `Choose another one in Settings > Workspaces, or ask the administrator (${failure.code}).`,
        )
      : print(
          `The ${serviceWords[failure.service]} requires a client certificate`,
          `Choose one in Settings > Workspaces; none was sent to ${failure.address} (${failure.code}).`,
        ),
  'client-certificate-unreadable': (failure) =>
    print('Cannot use the client certificate', `${clientCertificateAdvice[failure.reason]} (${failure.code}).`),
  'front-login': (failure) => print(frontLoginTitle(failure), frontLoginAdvice(failure)),
} satisfies SomeSentences;

const proxyPlaces = 'the workspace’s proxy settings or the proxy environment variable';

function reachAdvice({ reason, address, code }: FailureOf<'unreachable'>): string {
  switch (reason) {
    case 'refused':
      return `Connection refused by ${address} (${code}).`;
    case 'name':
      return `Host name not found: ${address} (${code}).`;
    case 'network':
      return `No network route to ${address} (${code}).`;
    case 'reset':
      return `Connection reset by ${address} (${code}).`;
    case 'protocol':
      return `Not a web server: ${address} (${code}).`;
    case 'http2':
      return `${address} speaks only HTTP/2 (${code}). Vitrine needs HTTP/1.1; ask the administrator to allow it.`;
    case 'proxy':
      return `The proxy cannot be reached, or closed the connection (${code}). Check its address and port.`;
    case 'proxy-address':
      return 'The address of the proxy is invalid. Write it as http://host:port, https://… or socks5://….';
    case 'proxy-kind':
      return `Proxies of the kind “${code}” are not supported. Use an http, https or SOCKS5 proxy.`;
    case 'proxy-login-missing':
      return `The proxy requires a user name and a password (${code}). Enter them in ${proxyPlaces}.`;
    case 'proxy-login-refused':
      return `The proxy rejected the user name or password (${code}). Correct them in ${proxyPlaces}.`;
    case 'proxy-login-unsupported':
      return `The proxy requires a login of an unsupported kind (${code}). Ask its administrator to allow Basic login.`;
    case 'proxy-refused':
      return `The proxy did not connect to ${address} (${code}). Ask its administrator to allow this host.`;
    case 'proxy-answer':
      return `The server at the proxy’s address is not such a proxy (${code}). Check the kind of proxy and the port.`;
    case 'proxy-not-trusted':
      return `The proxy’s certificate is not trusted (${code}). Add its authority to the system’s certificates.`;
    default:
      return assertNever(reason);
  }
}

/** By the codes of `readAuthority` and `authorityPem`; others are OpenSSL's. */
function authorityFileAdvice(code: string): string {
  return code === 'PKCS7'
    ? 'It is a PKCS#7 file (.p7b); export the certificate as PEM or DER instead.'
    : `Expected a certificate as PEM or DER (${code}).`;
}

const clientCertificateAdvice = {
  format: 'Expected a certificate with its key, as PEM or PKCS#12',
  passphrase: 'The passphrase is missing or wrong; enter it in Settings > Workspaces',
  key: 'The key does not belong to the certificate; choose both again',
  encryption: 'The file uses an outdated encryption; export it again with AES',
} as const;

const schemeWords = { basic: 'Basic', digest: 'Digest', negotiate: 'Negotiate (Kerberos)', ntlm: 'NTLM' } as const;

function frontLoginTitle({ scheme, sent, service }: FailureOf<'front-login'>): string {
  if (scheme !== 'basic') return `${schemeWords[scheme]} login is not supported`;
  return sent ? 'User name or password rejected' : `The ${serviceWords[service]}’s web server requires a login`;
}

function frontLoginAdvice({ scheme, sent, address }: FailureOf<'front-login'>): string {
  if (scheme !== 'basic')
    return `The web server at ${address} accepts no other. Ask its administrator to allow Basic login.`;
  return sent
    ? `The web server at ${address} does not accept them. Correct them in Settings > Workspaces.`
    : `Enter the user name and password for ${address} in Settings > Workspaces. The token was not checked.`;
}

function trustAdvice(reason: FailureOf<'not-trusted'>['reason']): string {
  switch (reason) {
    case 'authority':
      return 'Unknown certificate authority; add it to the workspace if it is yours.';
    case 'not-authority':
      return 'The workspace’s authority is a server certificate and vouches for no other; pin its fingerprint instead.';
    case 'name':
      return 'It was issued for another host name.';
    case 'expired':
      return 'It is outside its validity period.';
    case 'pin':
      return 'It does not match the pinned certificate; check with the administrator before changing the pin.';
    case 'other':
      return 'It could not be verified.';
    default:
      return assertNever(reason);
  }
}

const received = (receivedBytes: number, expectedBytes: number | null): string =>
  `Received ${bytes(receivedBytes)}${expectedBytes === null ? '' : ` of ${bytes(expectedBytes)}`}.`;
