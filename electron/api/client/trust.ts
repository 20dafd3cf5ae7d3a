import { Buffer } from 'node:buffer';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import {
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type SecureContextOptions,
  type TLSSocket,
} from 'node:tls';
import type { Trust } from '../../../shared/domain/workspace.ts';
import { fail, type FailureOf } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import type { ClientCertificate } from '../connections.ts';
import { awaitConnected } from './attempt.ts';
import { errorCode, isHandshakeRefusal } from './failures.ts';

type Reason = FailureOf<'not-trusted'>['reason'];
const contexts = new Map<string, SecureContext>();
const contextsKept = 8;

/** Puts TLS on connected sockets, as one workspace trusts. */
export interface TlsClient {
  /**
   * Proves who answers before a single byte of a request is written. `host` is the name or address the certificate must
   * be made out to. Throws `not-trusted` with the fingerprint of the certificate that was shown, and
   * `client-certificate` where the server ends the handshake for want of ours.
   */
  secure(socket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket>;
}

/**
 * Throws `trust-file-unreadable` for an authority that is none, and `client-certificate-unreadable`, before there is
 * any connection.
 */
export function createTlsClient(trust: Trust, certificate: ClientCertificate | null, facts: CallFacts): TlsClient {
  const secureContext = contextFor(trust, certificate);
  return {
    secure: async (socket, host, signal) => {
      const tls = startTls(socket, host, secureContext);
      try {
        await awaitConnected(tls, 'secureConnect', signal);
      } catch (error) {
        // The same alert means many things. Once the server's certificate was received, only ours was left to refuse.
        const hasSeenServer = (tls.getPeerX509Certificate() ?? null) !== null;
        if (!hasSeenServer || !isHandshakeRefusal(error)) throw error;
        const { service, address } = facts;
        fail({ kind: 'client-certificate', service, address, sent: certificate !== null, code: errorCode(error) });
      }
      prove(tls, trust, facts);
      return tls;
    },
  };
}

/**
 * Puts TLS on a connection to an https proxy. The authorities included in Vitrine, the system's, and those of
 * `NODE_EXTRA_CA_CERTS` vouch for it; what a workspace trusts besides is for its services. Calls `refuse` with the code
 * of OpenSSL when none of them does.
 */
export async function secureProxy(
  socket: Socket,
  host: string,
  signal: AbortSignal,
  refuse: (code: string) => never,
): Promise<TLSSocket> {
  const tls = startTls(socket, host, contextFor({ kind: 'system' }, null));
  await awaitConnected(tls, 'secureConnect', signal);
  if (tls.authorized) return tls;
  tls.destroy();
  return refuse(String(tls.authorizationError ?? 'UNAUTHORIZED'));
}

function startTls(socket: Socket, host: string, secureContext: SecureContext): TLSSocket {
  return connect({
    socket,
    host,
    servername: isIP(host) ? '' : host,
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // OpenSSL must not end the handshake: the caller decides, so that the failure can name the fingerprint.
    rejectUnauthorized: false,
  });
}

function prove(tls: TLSSocket, trust: Trust, { service, address }: CallFacts): void {
  const fingerprint = tls.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase() ?? null;
  const refuse = (reason: Reason, code: string): never => {
    tls.destroy();
    return fail({ kind: 'not-trusted', service, address, reason, fingerprint, code });
  };
  // A pin names one certificate: its authority, name and dates say nothing more.
  if (trust.kind === 'pin') return fingerprint === trust.fingerprint ? undefined : refuse('pin', 'FINGERPRINT_DIFFERS');
  if (!tls.authorized) {
    const code = String(tls.authorizationError ?? 'UNAUTHORIZED');
    const reason = reasonOf(code);
    const isOwnWrong = reason === 'authority' && trust.kind === 'authority' && holdsNoAuthority(trust.pem);
    refuse(isOwnWrong ? 'not-authority' : reason, code);
  }
}

/** By the codes OpenSSL and Node give a chain that does not hold. */
function reasonOf(code: string): Reason {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') return 'name';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return 'expired';
  return /ISSUER|SELF_SIGNED|UNABLE_TO_VERIFY|UNTRUSTED|INVALID_CA/.test(code) ? 'authority' : 'other';
}

/** Whether every certificate is a server's that another one issued. One that issued itself vouches for itself. */
function holdsNoAuthority(pem: string): boolean {
  return readAuthority(pem)
    .map((block) => new X509Certificate(block))
    .every((certificate) => !certificate.ca && !certificate.checkIssued(certificate));
}

/** Reading some seven hundred authorities takes about 0.1 s: once for each set, not once a call. */
function contextFor(trust: Trust, certificate: ClientCertificate | null): SecureContext {
  const own = trust.kind === 'authority' ? trust.pem : '';
  const extra = extraAuthorities();
  const key = keyOf([own, extra.join(), ...partsOf(certificate)]);
  const known = contexts.get(key);
  if (known) return known;
  if (certificate !== null) checkClientCertificate(certificate);
  const made = createSecureContext({
    ca: [
      ...getCACertificates('bundled'),
      ...systemAuthorities(() => getCACertificates('system')),
      ...extra,
      ...readAuthority(own),
    ],
    ...optionsOf(certificate),
  });
  const oldest = contexts.keys().next().value;
  if (contexts.size >= contextsKept && oldest !== undefined) contexts.delete(oldest);
  contexts.set(key, made);
  return made;
}

/** A digest: the parts hold a private key, which is nothing to keep as a key of a map. */
function keyOf(parts: readonly (string | Uint8Array)[]): string {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(`${part.length}:`).update(part);
  return digest.digest('base64');
}

function partsOf(certificate: ClientCertificate | null): (string | Uint8Array)[] {
  if (certificate === null) return [];
  const passphrase = certificate.passphrase ?? '';
  return certificate.kind === 'pem'
    ? ['pem', certificate.certificate, certificate.key, passphrase]
    : ['pkcs12', certificate.bytes, passphrase];
}

function optionsOf(certificate: ClientCertificate | null): SecureContextOptions {
  if (certificate === null) return {};
  const passphrase = certificate.passphrase ?? undefined;
  return certificate.kind === 'pem'
    ? { cert: certificate.certificate, key: certificate.key, passphrase }
    : { pfx: Buffer.from(certificate.bytes), passphrase };
}

/** Throws `client-certificate-unreadable` for one that cannot be sent, or not with this passphrase. */
export function checkClientCertificate(certificate: ClientCertificate): void {
  // Without a key, OpenSSL takes the certificate all the same and then sends none.
  if (certificate.kind === 'pem' && !certificate.key.includes('PRIVATE KEY-----'))
    fail({ kind: 'client-certificate-unreadable', reason: 'format', code: 'NO_KEY' });
  try {
    createSecureContext(optionsOf(certificate));
  } catch (error) {
    const code = errorCode(error) || (error instanceof Error ? error.message.toUpperCase().replaceAll(' ', '_') : '');
    fail({ kind: 'client-certificate-unreadable', reason: unreadableReason(code), code: code || 'UNREADABLE' });
  }
}

/** By the codes of OpenSSL, or its message where Node gives no code. */
function unreadableReason(code: string): FailureOf<'client-certificate-unreadable'>['reason'] {
  if (/BAD_DECRYPT|MAC_VERIFY_FAILURE|PASSPHRASE|BAD_PASSWORD/.test(code)) return 'passphrase';
  if (/KEY_VALUES_MISMATCH|KEY_TYPE_MISMATCH/.test(code)) return 'key';
  return code === 'ERR_CRYPTO_UNSUPPORTED_OPERATION' ? 'encryption' : 'format';
}

/**
 * Those the system trusts. Node reads none of them where the system has one that it cannot write as PEM, as some
 * Windows machines have (nodejs/node#61636). Then a server that only the system vouches for is refused, and that
 * refusal explains how to name its authority; the others are reached.
 */
export function systemAuthorities(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

const extraByPath = new Map<string, string[]>();

/**
 * Those of the file that `NODE_EXTRA_CA_CERTS` names, read once, as Node does. Not by Node's own list of them: the
 * packaged desktop program has that switched off along with `NODE_OPTIONS`. None of a file that cannot be read, as Node
 * has it: then a server that only they vouch for is refused.
 */
function extraAuthorities(): string[] {
  const path = process.env.NODE_EXTRA_CA_CERTS ?? '';
  if (path === '') return [];
  const known = extraByPath.get(path);
  if (known) return known;
  const read = systemAuthorities(() => readAuthority(readFileSync(path, 'utf8')));
  extraByPath.set(path, read);
  return read;
}

/**
 * The certificates in a PEM text; none in an empty one. Throws `trust-file-unreadable` when there is text but no
 * certificate, or a broken one.
 */
export function readAuthority(pem: string): string[] {
  if (pem === '') return [];
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0)
    fail({
      kind: 'trust-file-unreadable',
      path: '',
      code: /-----BEGIN (?:PKCS7|CMS)-----/.test(pem) ? 'PKCS7' : 'NO_CERTIFICATE',
    });
  for (const block of blocks) checkCertificate(block);
  return blocks;
}

function checkCertificate(block: string | Uint8Array): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (error) {
    return fail({ kind: 'trust-file-unreadable', path: '', code: errorCode(error) || 'BROKEN_CERTIFICATE' }, error);
  }
}

/** The object identifier of PKCS#7 signed data, 1.2.840.113549.1.7.2, which such a file begins with. */
const signedData = Buffer.from('06092a864886f70d010702', 'hex');
const mostBytesBefore = 16;

/**
 * The certificates of a file as PEM. It may hold several as PEM, with any text around them, or one as DER. Throws
 * `trust-file-unreadable`; for a PKCS#7 bundle with the code `PKCS7`.
 */
export function authorityPem(bytes: Uint8Array): string {
  // DER begins with a sequence whose length takes more than one byte.
  if (bytes[0] !== 0x30 || (bytes[1] ?? 0) < 0x80) {
    const blocks = readAuthority(Buffer.from(bytes).toString());
    return blocks.length === 0
      ? fail({ kind: 'trust-file-unreadable', path: '', code: 'NO_CERTIFICATE' })
      : blocks.join('\n');
  }
  const start = Buffer.from(bytes.subarray(0, mostBytesBefore + signedData.length));
  if (start.includes(signedData)) fail({ kind: 'trust-file-unreadable', path: '', code: 'PKCS7' });
  return checkCertificate(bytes).toString();
}
