import { Buffer } from 'node:buffer';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import { z } from 'zod';
import type { ClientCertificateChange, ClientCertificateFacts } from '../../shared/domain/workspace.ts';
import { fail, type FailureOf } from '../../shared/failure.ts';
import { errorCode } from './client/failures.ts';

type Reason = FailureOf<'client-certificate-unreadable'>['reason'];
type Typed = Extract<ClientCertificateChange, { kind: 'pem' | 'pkcs12' }>;

/** As the token store has it: the certificate lies with its key, so that no crash can part the two. */
const storedCertificate = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('pem'),
    certificate: z.string(),
    key: z.string(),
    passphrase: z.string().nullable(),
  }),
  z.object({ kind: z.literal('pkcs12'), base64: z.string(), passphrase: z.string().nullable() }),
]);

type StoredCertificate = z.infer<typeof storedCertificate>;

interface ReadCertificate {
  facts: ClientCertificateFacts;
  /** For the token store. */
  secret: string;
}

/**
 * Checks a client certificate with its key before it is stored. Throws `client-certificate-unreadable` where a server
 * could never be shown it.
 */
export function readClientCertificate(typed: Typed): ReadCertificate {
  const { certificate, stored } = typed.kind === 'pem' ? readPem(typed) : readPkcs12(typed);
  return { facts: factsOf(typed.kind, certificate), secret: JSON.stringify(stored) };
}

/** `secret` is as `readClientCertificate` made it. */
export const storedClientCertificate = (secret: string): StoredCertificate =>
  storedCertificate.parse(JSON.parse(secret));

interface Checked {
  certificate: X509Certificate;
  stored: StoredCertificate;
}

/** The key may be in the same text as the certificate, and the chain in any order: the key's certificate goes first. */
function readPem({ certificate: typed, key, passphrase }: Extract<Typed, { kind: 'pem' }>): Checked {
  const chain = (typed.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((block) => ({
    block,
    certificate: readBlock(block),
  }));
  if (chain.length === 0) refuse('format', 'NO_CERTIFICATE');
  const [keyText = refuse('format', 'NO_KEY')] = (key.trim() === '' ? typed : key).match(keyBlock) ?? [];
  const readKey = privateKey(keyText, passphrase);
  const own = chain.find(({ certificate }) => certificate.checkPrivateKey(readKey)) ?? refuse('key', 'KEY_MISMATCH');
  const blocks = [own, ...chain.filter((one) => one !== own)].map(({ block }) => block);
  const stored = { kind: 'pem', certificate: `${blocks.join('\n')}\n`, key: `${keyText}\n`, passphrase } as const;
  return { certificate: own.certificate, stored };
}

const keyBlock = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]+?-----END [A-Z ]*PRIVATE KEY-----/;

function readBlock(block: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (error) {
    return refuse('format', codeOf(error), error);
  }
}

function privateKey(key: string, passphrase: string | null): KeyObject {
  try {
    return createPrivateKey({ key, ...(passphrase !== null && { passphrase }) });
  } catch (error) {
    // By its head, as each release of OpenSSL and BoringSSL has other codes.
    return refuse(key.includes('ENCRYPTED') ? 'passphrase' : 'format', codeOf(error), error);
  }
}

function readPkcs12({ base64, passphrase }: Extract<Typed, { kind: 'pkcs12' }>): Checked {
  const stored = { kind: 'pkcs12', base64, passphrase } as const;
  return { certificate: ownCertificate(Buffer.from(base64, 'base64'), passphrase), stored };
}

/** Node opens PKCS#12 files for TLS alone: the certificate is read off a TLS client that never connects. */
function ownCertificate(pfx: Buffer, passphrase: string | null): X509Certificate {
  const secureContext = pkcs12Context(pfx, passphrase);
  const tls = new TLSSocket(new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() }), {
    secureContext,
  });
  try {
    return tls.getX509Certificate() ?? refuse('format', 'NO_CERTIFICATE');
  } finally {
    tls.destroy();
  }
}

function pkcs12Context(pfx: Buffer, passphrase: string | null): ReturnType<typeof createSecureContext> {
  try {
    return createSecureContext({ pfx, ...(passphrase !== null && { passphrase }) });
  } catch (error) {
    // Some of OpenSSL's errors have a sentence and no code.
    const text = error instanceof Error ? error.message : '';
    if (/mac verify failure|incorrect.password/i.test(text)) return refuse('passphrase', 'MAC_VERIFY_FAILURE', error);
    return refuse(/Unsupported PKCS12/.test(text) ? 'encryption' : 'format', codeOf(error), error);
  }
}

const factsOf = (kind: Typed['kind'], certificate: X509Certificate): ClientCertificateFacts => ({
  kind,
  subject: certificate.subject.split('\n').join(', '),
  validFrom: certificate.validFromDate.toISOString(),
  validTo: certificate.validToDate.toISOString(),
  fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
});

const codeOf = (error: unknown): string => errorCode(error) || 'UNREADABLE';

const refuse = (reason: Reason, code: string, cause?: unknown): never =>
  fail({ kind: 'client-certificate-unreadable', reason, code }, cause);
