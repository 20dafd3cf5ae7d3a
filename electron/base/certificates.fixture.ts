import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface KeyPair {
  key: string;
  cert: string;
  /** SHA-256 of the certificate, lower-case hex. */
  fingerprint: string;
}
export interface Certificates {
  authority: KeyPair;
  /** Made out to 127.0.0.1 and repo.example by the authority. */
  good: KeyPair;
  wrongName: KeyPair;
  expired: KeyPair;
  selfSigned: KeyPair;
  /** Of a server, with nothing that would let it issue others. */
  selfSignedLeaf: KeyPair;
  /** Of a client, by the authority. */
  client: KeyPair;
}

/** An authority and its certificates, made by the openssl command; nothing of them is kept. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-certificates-'));
  const openssl = (...words: string[]): void => void execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const pair = (name: string): KeyPair => {
    const cert = readFileSync(join(folder, `${name}.pem`), 'utf8');
    return {
      key: readFileSync(join(folder, `${name}.key`), 'utf8'),
      cert,
      fingerprint: new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase(),
    };
  };
  const selfSign = (name: string, ...extensions: string[]): KeyPair => {
    openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-days',
      '2',
      ...extensions.flatMap((extension) => ['-addext', extension]),
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
    );
    return pair(name);
  };
  const sign = (name: string, names: string, dates: string[]): KeyPair => {
    openssl(
      'req',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
    );
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${names}\n`);
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'authority.pem',
      '-CAkey',
      'authority.key',
      '-CAcreateserial',
      '-extfile',
      `${name}.ext`,
      ...dates,
      '-out',
      `${name}.pem`,
    );
    return pair(name);
  };
  try {
    return {
      authority: selfSign('authority', 'keyUsage=critical,keyCertSign'),
      good: sign('good', 'IP:127.0.0.1,DNS:repo.example', ['-days', '1']),
      wrongName: sign('wrong-name', 'DNS:other.example', ['-days', '1']),
      // Signed for minus one day: it ended before it began.
      expired: sign('expired', 'IP:127.0.0.1', ['-days', '-1']),
      selfSigned: selfSign('self-signed', 'subjectAltName=IP:127.0.0.1'),
      selfSignedLeaf: selfSign('self-signed-leaf', 'basicConstraints=critical,CA:FALSE', 'subjectAltName=IP:127.0.0.1'),
      client: sign('client', 'DNS:client.example', ['-days', '1']),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
