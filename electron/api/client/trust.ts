import { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect, createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from 'node:tls';
import type { Trust } from '../../../shared/domain/workspace.ts';
import { fail, type FailureOf } from '../../../shared/failure.ts';
import type { CallFacts } from '../call.ts';
import { awaitConnected } from './attempt.ts';
import { errorCode } from './failures.ts';

type Reason = FailureOf<'not-trusted'>['reason'];
const contexts = new Map<string, SecureContext>();
const contextsKept = 8;

/** Puts TLS on connected sockets, as one workspace trusts. */
export interface TlsClient {
  /**
   * Proves who answers before a single byte of a request is written. `host` is the name or address the certificate must
   * be made out to. Throws `not-trusted` with the fingerprint of the certificate that was shown.
   */
  secure(socket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket>;
}

/** Throws `trust-file-unreadable` for an authority that is none, before there is any connection. */
export function createTlsClient(trust: Trust, facts: CallFacts): TlsClient {
  const secureContext = contextFor(trust);
  return {
    secure: async (socket, host, signal) => {
      // OpenSSL must not end the handshake: `prove` decides, so that the failure can name the fingerprint.
      const tls = connect({
        socket,
        host,
        servername: isIP(host) ? '' : host,
        secureContext,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: false,
      });
      await awaitConnected(tls, 'secureConnect', signal);
      prove(tls, trust, facts);
      return tls;
    },
  };
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
    refuse(reasonOf(code), code);
  }
}

/** By the codes OpenSSL and Node give a chain that does not hold. */
function reasonOf(code: string): Reason {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') return 'name';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return 'expired';
  return /ISSUER|SELF_SIGNED|UNABLE_TO_VERIFY|UNTRUSTED|INVALID_CA/.test(code) ? 'authority' : 'other';
}

/** Reading some seven hundred authorities takes about 0.1 s: once for each set, not once a call. */
function contextFor(trust: Trust): SecureContext {
  const own = trust.kind === 'authority' ? trust.pem : '';
  const known = contexts.get(own);
  if (known) return known;
  const made = createSecureContext({
    ca: [
      ...getCACertificates('bundled'),
      ...systemAuthorities(() => getCACertificates('system')),
      ...readAuthority(own),
    ],
  });
  const oldest = contexts.keys().next().value;
  if (contexts.size >= contextsKept && oldest !== undefined) contexts.delete(oldest);
  contexts.set(own, made);
  return made;
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

/**
 * The certificates in a PEM text; none in an empty one. Throws `trust-file-unreadable` when there is text but no
 * certificate, or a broken one.
 */
export function readAuthority(pem: string): string[] {
  if (pem === '') return [];
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) fail({ kind: 'trust-file-unreadable', path: '', code: 'NO_CERTIFICATE' });
  for (const block of blocks) checkCertificate(block);
  return blocks;
}

function checkCertificate(block: string): void {
  try {
    new X509Certificate(block);
  } catch (error) {
    fail({ kind: 'trust-file-unreadable', path: '', code: errorCode(error) || 'BROKEN_CERTIFICATE' }, error);
  }
}
