import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer, getCACertificates, type Server, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type Certificates, type KeyPair, makeCertificates } from '../base/certificates.fixture.ts';
import { StoreUnavailable } from '../lab/stores/blob-store.ts';
import { readDatabaseAddress } from './postgres/pg-address.ts';
import { PgDatabase } from './postgres/pg-database.ts';
import { usePostgres } from './testing/postgres.fixture.ts';
import { readS3Address } from './s3/s3-address.ts';
import { S3Client } from './s3/s3-client.ts';
import { type S3Store, startS3Store, testKeys } from './testing/s3.fixture.ts';
import { runTeam } from './testing/team.fixture.ts';

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;
beforeEach(({ skip }) => skip(!hasOpenssl, 'openssl is missing, which makes the certificates'));
const certificates = hasOpenssl ? makeCertificates() : null;

/** Files of authorities. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-trust-'));
  return () => rmSync(folder, { recursive: true });
});
function authorityFile(name: keyof Certificates): string {
  const path = join(folder, `${name}.pem`);
  writeFileSync(path, certificates?.[name].cert ?? '');
  return path;
}

describe('a database with TLS', () => {
  const secure = usePostgres({ port: true, ...(certificates && { certificate: certificates.good }) });

  /** Whether the connection has TLS; or why there is none. */
  async function connected(host: string, mode: string, authority?: keyof Certificates): Promise<boolean | string> {
    const ca = authority === undefined ? '' : `&sslrootcert=${encodeURIComponent(authorityFile(authority))}`;
    const address = secure.overPort(await secure.emptyDatabase()).replace('127.0.0.1', host);
    return secureIn(`${address}?sslmode=${mode}${ca}`, secure.password);
  }

  test.for([
    ['127.0.0.1', 'verify-full', 'authority'],
    ['127.0.0.1', 'verify-ca', 'authority'],
    // It is for another name, which this mode allows.
    ['localhost', 'verify-ca', 'authority'],
    ['localhost', 'require', undefined],
  ] as const)('is connected to as %s with sslmode=%s and %s', async ([host, mode, authority]) => {
    expect(await connected(host, mode, authority)).toBe(true);
  });

  test.for([
    [
      '127.0.0.1',
      'verify-full',
      'selfSigned',
      /authority that is not trusted here \([A-Z_]+\): name it in sslrootcert/,
    ],
    ['127.0.0.1', 'verify-full', undefined, /authority that is not trusted here/],
    ['127.0.0.1', 'verify-ca', 'selfSigned', /authority that is not trusted here/],
    ['127.0.0.1', 'require', 'selfSigned', /authority that is not trusted here/],
    ['localhost', 'verify-full', 'authority', /has a certificate for other host names/],
  ] as const)('is refused as %s with sslmode=%s and %s', async ([host, mode, authority, words]) => {
    const found = await connected(host, mode, authority);
    expect(found).toMatch(words);
    expect(found).toMatch(/^The database lab_\d+ on [\w.]+ has [^\n]+\.$/);
    expect(found).not.toContain(secure.password);
  });
});

/** Null where it has no connection to count. */
async function secureIn(address: string, password: string): Promise<boolean | string> {
  const database = new PgDatabase(readDatabaseAddress(address, { PGPASSWORD: password }));
  onTestFinished(() => database.close());
  try {
    const [found] = await database.query({
      text: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      row: z.object({ ssl: z.boolean() }),
    });
    return found?.ssl ?? 'not known';
  } catch (error) {
    if (error instanceof StoreUnavailable) return error.message;
    throw error;
  }
}

describe('a database without TLS', () => {
  const plain = usePostgres({ port: true });

  test('is refused where TLS is required, and connected to without it', async () => {
    const address = plain.overPort(await plain.emptyDatabase());
    for (const mode of ['require', 'verify-full'])
      expect(await secureIn(`${address}?sslmode=${mode}`, plain.password)).toMatch(/does not support SSL connections/);
    expect(await secureIn(`${address}?sslmode=disable`, plain.password)).toBe(false);
  });
});

describe('a store with TLS', () => {
  let store: S3Store;
  let ports: Record<'good' | 'wrongName' | 'expired', number>;
  const proxies: Server[] = [];
  beforeAll(async () => {
    store = await startS3Store();
    const behind = (pair: KeyPair | undefined): Promise<number> => tlsInFront(store.port, pair, proxies);
    ports = {
      good: await behind(certificates?.good),
      wrongName: await behind(certificates?.wrongName),
      expired: await behind(certificates?.expired),
    };
  });
  afterAll(async () => {
    for (const proxy of proxies) proxy.close();
    await store.stop();
  });

  const clientOf = (port: number): S3Client => {
    const client = new S3Client(readS3Address(`s3://127.0.0.1:${port}/samples`), testKeys);
    onTestFinished(() => client.close());
    return client;
  };

  /** As NODE_EXTRA_CA_CERTS does for a process that starts. */
  function trust(authority: keyof Certificates): void {
    const before = getCACertificates();
    setDefaultCACertificates([...before, certificates?.[authority].cert ?? '']);
    onTestFinished(() => setDefaultCACertificates(before));
  }

  test('is used by a lab whose NODE_EXTRA_CA_CERTS names its authority', async () => {
    const place = { database: 'postgres://lab@127.0.0.1:1/lab', blobs: `s3://127.0.0.1:${ports.good}/samples` };
    const { results } = await runTeam(place, ['check'], { NODE_EXTRA_CA_CERTS: authorityFile('authority') });
    const ofBucket = results.split('\n').filter((line) => line.includes('s3://'));
    expect(ofBucket).toHaveLength(8);
    expect(ofBucket.filter((line) => line.startsWith('fails'))).toEqual([]);
  });

  test.for([
    ['of another authority', 'good', 'selfSigned', /not trusted here \([A-Z_]+\): name it in NODE_EXTRA_CA_CERTS\.$/],
    ['for another name', 'wrongName', 'authority', /has a certificate for other host names/],
    ['that has expired', 'expired', 'authority', /has a certificate that has expired/],
  ] as const)('is refused with a certificate %s', async ([, server, authority, words]) => {
    trust(authority);
    const failed: unknown = await clientOf(ports[server])
      .list('', null)
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StoreUnavailable);
    expect(String(failed)).toMatch(words);
    expect(String(failed)).toMatch(/The bucket s3:\/\/127\.0\.0\.1:\d+\/samples has [^\n]+\.$/);
  });

  test('is used by a client that trusts its authority', async () => {
    trust('authority');
    expect(await clientOf(ports.good).list('', null)).toMatchObject({ next: null });
  });

  test('is refused without TLS', async () => {
    trust('authority');
    await expect(clientOf(store.port).list('', null)).rejects.toThrow(/does not answer by TLS \(EPROTO\)\.$/);
  });
});

/** Takes TLS off in front of a port. @returns its own port */
async function tlsInFront(port: number, pair: KeyPair | undefined, proxies: Server[]): Promise<number> {
  const proxy = createServer({ ...pair }, (socket) => {
    const onward: Socket = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      pipeline(from, to, () => {});
  });
  proxy.on('tlsClientError', () => {});
  proxies.push(proxy);
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
