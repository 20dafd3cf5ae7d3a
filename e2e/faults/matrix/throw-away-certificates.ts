import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface KeyPair {
  key: string;
  cert: string;
}
export interface Certificates {
  authority: KeyPair;
  /** Made out to 127.0.0.1 and repository.test. */
  good: KeyPair;
  expired: KeyPair;
  wrongName: KeyPair;
}

const run = promisify(execFile);

/** An authority and its certificates, made by the openssl command; nothing of them is kept. */
export async function makeCertificates(): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-faults-'));
  const openssl = async (...words: string[]): Promise<void> => void (await run('openssl', words, { cwd: folder }));
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const pair = async (name: string): Promise<KeyPair> => ({
    key: await readFile(join(folder, `${name}.key`), 'utf8'),
    cert: await readFile(join(folder, `${name}.pem`), 'utf8'),
  });
  const sign = async (name: string, names: string, days: string): Promise<KeyPair> => {
    await openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    await writeFile(join(folder, `${name}.ext`), `subjectAltName=${names}\n`);
    await openssl(
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
      '-days',
      days,
      '-out',
      `${name}.pem`,
    );
    return pair(name);
  };
  try {
    await openssl(
      'req',
      '-x509',
      ...newKey,
      '-subj',
      '/CN=authority',
      '-days',
      '2',
      '-addext',
      'keyUsage=critical,keyCertSign',
      '-keyout',
      'authority.key',
      '-out',
      'authority.pem',
    );
    return {
      authority: await pair('authority'),
      good: await sign('good', 'IP:127.0.0.1,DNS:repository.test', '1'),
      // It ended before it began.
      expired: await sign('expired', 'IP:127.0.0.1', '-1'),
      wrongName: await sign('wrong-name', 'DNS:other.example', '1'),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
