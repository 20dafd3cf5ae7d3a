import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FailureError } from '../../shared/failure.ts';
import { type Certificates, makeCertificates } from '../base/certificates.fixture.ts';
import { readClientCertificate, storedClientCertificate } from './client-certificate.ts';

const made: Certificates = makeCertificates();
const { good, wrongName } = made;
const folder = mkdtempSync(join(tmpdir(), 'vitrine-client-certificate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const passphrase = 'pässword of the key';
const openssl = (...words: string[]): Buffer =>
  execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
writeFileSync(join(folder, 'good.pem'), good.cert);
writeFileSync(join(folder, 'good.key'), good.key);
const encrypted = openssl('pkcs8', '-topk8', '-in', 'good.key', '-passout', `pass:${passphrase}`).toString();
const pkcs12 = (...options: string[]): string => {
  openssl('pkcs12', '-export', '-in', 'good.pem', '-passout', `pass:${passphrase}`, '-out', 'made.p12', ...options);
  return readFileSync(join(folder, 'made.p12')).toString('base64');
};
const withKey = pkcs12('-inkey', 'good.key');

const facts = {
  subject: 'CN=good',
  fingerprint: good.fingerprint,
  validFrom: new X509Certificate(good.cert).validFromDate.toISOString(),
  validTo: new X509Certificate(good.cert).validToDate.toISOString(),
};
const pem = (certificate: string, key: string, word: string | null = null) =>
  readClientCertificate({ kind: 'pem', certificate, key, passphrase: word });

function reasonOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === 'client-certificate-unreadable')
      return error.failure.reason;
    throw error;
  }
  return 'none';
}

describe('as PEM text', () => {
  test('a certificate shows its subject, its dates and its fingerprint, and its key is in the secret alone', () => {
    const read = pem(`issued to us\n${good.cert}${made.authority.cert}`, good.key);
    expect(read.facts).toEqual({ kind: 'pem', ...facts });
    expect(storedClientCertificate(read.secret)).toEqual({
      kind: 'pem',
      certificate: `${good.cert.trim()}\n${made.authority.cert.trim()}\n`,
      key: good.key,
      passphrase: null,
    });
  });

  test('the key is read from the text of the certificate when it is given nowhere else', () => {
    expect(storedClientCertificate(pem(`${good.key}${good.cert}`, ' ').secret)).toMatchObject({
      certificate: `${good.cert.trim()}\n`,
      key: good.key,
    });
  });

  test('a chain in another order begins with the certificate of the key', () => {
    const read = pem(`${made.authority.cert}${good.cert}`, good.key);
    expect(read.facts.fingerprint).toBe(good.fingerprint);
    expect(storedClientCertificate(read.secret)).toMatchObject({
      certificate: `${good.cert.trim()}\n${made.authority.cert.trim()}\n`,
    });
  });

  test('an encrypted key needs its passphrase', () => {
    expect(pem(good.cert, encrypted, passphrase).facts.fingerprint).toBe(good.fingerprint);
    expect(reasonOf(() => pem(good.cert, encrypted))).toBe('passphrase');
    expect(reasonOf(() => pem(good.cert, encrypted, 'another'))).toBe('passphrase');
  });

  test.each([
    ['no certificate', 'text', good.key, 'format'],
    ['a broken certificate', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', good.key, 'format'],
    ['no key', good.cert, '', 'format'],
    ['a broken key', good.cert, '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----', 'format'],
    ['the key of another certificate', good.cert, wrongName.key, 'key'],
  ])('%s is refused', (_what, certificate, key, reason) => {
    expect(reasonOf(() => pem(certificate, key))).toBe(reason);
  });
});

describe('as a PKCS#12 file', () => {
  const read = (base64: string, word: string | null = passphrase) =>
    readClientCertificate({ kind: 'pkcs12', base64, passphrase: word });

  test('a file shows the facts of its certificate and is stored with its passphrase', () => {
    const { facts: shown, secret } = read(withKey);
    expect(shown).toEqual({ kind: 'pkcs12', ...facts });
    expect(storedClientCertificate(secret)).toEqual({ kind: 'pkcs12', base64: withKey, passphrase });
  });

  test.each([
    ['a wrong passphrase', () => read(withKey, 'another'), 'passphrase'],
    ['a missing passphrase', () => read(withKey, null), 'passphrase'],
    ['any other file', () => read(Buffer.from('MZ, no PKCS#12').toString('base64')), 'format'],
    ['a file without a key', () => read(pkcs12('-nokeys')), 'format'],
    ['an outdated encryption', () => read(pkcs12('-inkey', 'good.key', '-legacy')), 'encryption'],
  ])('%s is refused', (_what, act, reason) => {
    expect(reasonOf(act)).toBe(reason);
  });
});
