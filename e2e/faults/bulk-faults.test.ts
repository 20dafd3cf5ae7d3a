import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTeam, type Team } from '../team.ts';
import type { BulkFault } from './bulk-fault.ts';
import { itemsOf } from './zip-items.ts';

let folder: string;
let team: Team;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-team-'));
  team = await startTeam(folder, { samples: 12, restricted: 1, dialect: true });
});
afterEach(() => {
  if (team.faults.waiting.length > 0)
    throw new Error(`these faults were asked for and not done: ${JSON.stringify(team.faults.waiting)}`);
});
afterAll(async () => {
  await team.stop();
  await rm(folder, { recursive: true, force: true });
});

const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const address = (md5s: readonly string[]): string =>
  `${team.baseUrl}/api.php?action=bulkdownload&${md5s.map((md5) => `files[]=${md5}`).join('&')}&token=${team.token}`;

interface Got {
  status: number;
  body: Buffer;
  /** Null when the reply was whole. */
  error: string | null;
  headers: IncomingMessage['headers'];
}

/** Every byte that comes, also of a reply that breaks off. */
async function bulk(md5s: readonly string[]): Promise<Got> {
  const [response]: IncomingMessage[] = await once(get(address(md5s), { agent: false }), 'response');
  if (response === undefined) throw new Error('there is no reply');
  const pieces: Buffer[] = [];
  let error: string | null = null;
  response.on('data', (piece: Buffer) => pieces.push(piece));
  response.on('error', (reason: NodeJS.ErrnoException) => (error = reason.code ?? reason.message));
  await new Promise((resolve) => response.once('close', resolve));
  return { status: response.statusCode ?? 0, body: Buffer.concat(pieces), error, headers: response.headers };
}

const withoutStray = (body: Buffer): Buffer => body.subarray(0, -2);

async function itemsAfter(...faults: BulkFault[]): Promise<{ name: string; bytes: Uint8Array }[]> {
  team.faults.fail(...faults);
  return itemsOf(withoutStray((await bulk(team.samples)).body));
}

const entriesIn = (body: Buffer): number => body.toString('latin1').split('PK\x03\x04').length - 1;
const nth = (index: number): string => team.samples[index] ?? '';

describe('the proxy without a fault', () => {
  test('forwards the service’s reply byte for byte, stray bytes and length included', async () => {
    const asked = team.faults.requests.length;
    const { body, headers } = await bulk(team.samples);
    expect([headers['content-length'], headers['content-type'], body.subarray(-2).toString()]).toEqual([
      String(body.length),
      'application/json',
      '{}',
    ]);
    expect((await itemsOf(withoutStray(body))).map(({ name, bytes }) => [name, md5Of(bytes)])).toEqual(
      team.samples.map((md5) => [md5, md5]),
    );
    expect(team.faults.requests.slice(asked)).toEqual([
      { action: 'bulkdownload', hashes: team.samples, sent: team.samples },
    ]);
  });

  test('forwards and counts refusals and other actions', async () => {
    const asked = team.faults.requests.length;
    expect(await bulk([nth(0), ...team.restricted])).toMatchObject({
      status: 403,
      body: Buffer.from('Not enough rights'),
    });
    const record = await fetch(`${team.baseUrl}/api.php?action=getfile&hash=${team.restricted[0]}&token=${team.token}`);
    expect(await record.json()).toMatchObject({ file: { md5: team.restricted[0], locked: '1' } });
    expect(team.faults.requests.slice(asked)).toEqual([
      { action: 'bulkdownload', hashes: [nth(0), ...team.restricted], sent: [] },
      { action: 'getfile', hashes: team.restricted, sent: [] },
    ]);
    expect(JSON.stringify(team.faults.requests)).not.toContain(team.token);
  });
});

describe('a fault instead of an archive', () => {
  test.each([
    [{ kind: 'text', text: 'Too many files' }, 200, /^Too many files$/],
    [{ kind: 'login-page' }, 200, /<form .*password/],
    [{ kind: 'busy', retryAfterSeconds: 2 }, 429, /^$/],
    [{ kind: 'unavailable' }, 503, /^$/],
  ] as const)('%j', async (fault, status, text) => {
    team.faults.fail(fault);
    const { body, ...got } = await bulk(team.samples);
    expect([got.status, body.toString(), got.headers['retry-after'] ?? null]).toEqual([
      status,
      expect.stringMatching(text),
      fault.kind === 'busy' ? '2' : null,
    ]);
  });

  test('unavailable twice, then a correct archive', async () => {
    team.faults.fail({ kind: 'unavailable' }, { kind: 'unavailable' });
    expect([
      (await bulk(team.samples)).status,
      (await bulk(team.samples)).status,
      (await bulk(team.samples)).status,
    ]).toEqual([503, 503, 200]);
  });
});

describe('a fault in an archive', () => {
  const other = Buffer.from('other bytes');

  test('replaces the bytes of an entry and sets the matching CRC', async () => {
    const items = await itemsAfter({ kind: 'replaced', md5: nth(3), bytes: other });
    expect(
      items.filter(({ name, bytes }) => name !== md5Of(bytes)).map(({ name, bytes }) => [name, Buffer.from(bytes)]),
    ).toEqual([[nth(3), other]]);
  });

  test('renames an entry', async () => {
    team.faults.fail({ kind: 'renamed', md5: nth(3), name: '../../escape' });
    const names = await python(
      withoutStray((await bulk(team.samples)).body),
      `print(*zipfile.ZipFile(f).namelist(),end='')`,
    );
    expect(names.split(' ')).toEqual(team.samples.map((md5, index) => (index === 3 ? '../../escape' : md5)));
  });

  test('leaves out, repeats or adds an entry', async () => {
    expect((await itemsAfter({ kind: 'left-out', md5: nth(3) })).map(({ name }) => name)).toEqual(
      team.samples.toSpliced(3, 1),
    );
    expect((await itemsAfter({ kind: 'twice', md5: nth(3) })).map(({ name }) => name)).toEqual(
      team.samples.toSpliced(3, 0, nth(3)),
    );
    expect((await itemsAfter({ kind: 'unasked', name: md5Of(other), bytes: other })).map(({ name }) => name)).toEqual([
      md5Of(other),
      ...team.samples,
    ]);
  });

  test('flips a byte, which only the CRC or the bytes reveal', async () => {
    const asSent = withoutStray((await bulk(team.samples)).body);
    team.faults.fail({ kind: 'damaged', md5: nth(5) });
    const damaged = withoutStray((await bulk(team.samples)).body);
    expect([damaged.length, damaged.filter((byte, index) => byte !== asSent[index]).length]).toEqual([
      asSent.length,
      1,
    ]);
    await expect(python(damaged, 'assert zipfile.ZipFile(f).testzip() is None')).rejects.toThrow(
      /AssertionError|zlib.error/,
    );
  });

  test.each([
    ['zip64', { kind: 'zip64' }],
    ['deflated entries with their sizes behind them', { kind: 'descriptors', stored: false }],
    ['stored entries with their sizes behind them', { kind: 'descriptors', stored: true }],
  ] as const)('%s, readable by python', async (title, fault) => {
    team.faults.fail(fault);
    const zip = withoutStray((await bulk(team.samples)).body);
    expect(Number(await python(zip, 'z=zipfile.ZipFile(f);assert z.testzip() is None;print(len(z.namelist()))'))).toBe(
      team.samples.length,
    );
    const [version, flags, method] = [zip.readUInt16LE(4), zip.readUInt16LE(6), zip.readUInt16LE(8)];
    expect([version >= 45, (flags & 8) !== 0, method === 0]).toEqual([
      title === 'zip64',
      fault.kind === 'descriptors',
      fault.kind === 'descriptors' && fault.stored,
    ]);
  });

  test.each(['aes-256', 'zipcrypto'] as const)(
    'encrypts the whole archive with %s, and 7z opens it',
    async (encryption) => {
      team.faults.fail({ kind: 'encrypted', encryption, password: 'infected' });
      const path = join(await mkdtemp(join(tmpdir(), 'vitrine-encrypted-')), 'reply.zip');
      onTestFinished(() => rm(join(path, '..'), { recursive: true }));
      await writeFile(path, withoutStray((await bulk(team.samples)).body));
      expect(md5Of(await outputOf('7z', ['e', '-so', '-pinfected', path, nth(7)]))).toBe(nth(7));
      await expect(outputOf('7z', ['e', '-so', '-pwrong', path, nth(7)])).rejects.toThrow();
    },
  );

  test('waits for an archive that it applies to', async () => {
    team.faults.fail({ kind: 'left-out', md5: nth(11) });
    expect(await itemsOf(withoutStray((await bulk(team.samples.slice(0, 6))).body))).toHaveLength(6);
    expect((await bulk([nth(11), ...team.restricted])).status).toBe(403);
    expect(await itemsOf(withoutStray((await bulk(team.samples.slice(6))).body))).toHaveLength(5);
  });
});

describe('a fault in the transfer', () => {
  test('breaks the connection inside an entry once, counted across archives', async () => {
    team.faults.gate.cut(9);
    const first = await bulk(team.samples.slice(0, 6));
    const second = await bulk(team.samples.slice(6));
    expect([first.error, second.error, entriesIn(second.body), (await bulk(team.samples)).error]).toEqual([
      null,
      'ECONNRESET',
      4,
      null,
    ]);
    expect(team.faults.requests.at(-2)?.sent).toEqual(team.samples.slice(6, 9));
  });

  test('ends an archive in the middle of an entry as if it were complete', async () => {
    team.faults.fail({ kind: 'truncated', afterEntries: 5 });
    const { body, error } = await bulk(team.samples);
    expect([error, entriesIn(body), body.includes(Buffer.from('PK\x01\x02', 'latin1'))]).toEqual([null, 6, false]);
    expect(team.faults.requests.at(-1)?.sent).toEqual(team.samples.slice(0, 5));
  });

  test('holds entries until they are released', async () => {
    team.faults.gate.hold(4);
    const waiting = bulk(team.samples);
    await team.faults.gate.holding();
    expect(team.faults.requests.at(-1)?.sent).toEqual(team.samples.slice(0, 4));
    team.faults.gate.release();
    expect(await itemsOf(withoutStray((await waiting).body))).toHaveLength(team.samples.length);
  });

  test('leaves the next client unaffected when a client is killed while entries are held', async () => {
    team.faults.gate.hold(4);
    const curl = spawn('curl', ['-sg', '--noproxy', '*', '-o', '/dev/null', address(team.samples)]);
    await team.faults.gate.holding();
    const gone = once(curl, 'exit');
    curl.kill('SIGKILL');
    await gone;
    team.faults.gate.release();
    expect(await bulk(team.samples)).toMatchObject({ status: 200, error: null });
    expect(team.faults.requests.at(-1)?.sent).toEqual(team.samples);
  });

  test('sends a slow drip in small pieces', async () => {
    team.faults.fail({ kind: 'slow-drip', bytes: 100, everyMs: 1 });
    const [response]: IncomingMessage[] = await once(get(address([nth(1)]), { agent: false }), 'response');
    let pieces = 0;
    for await (const piece of response ?? []) pieces += Buffer.isBuffer(piece) ? 1 : 0;
    expect(pieces).toBeGreaterThan(2);
  });
});

async function python(zip: Buffer, statements: string): Promise<string> {
  return (
    await outputOf('python3', ['-c', `import sys,io,zipfile;f=io.BytesIO(sys.stdin.buffer.read());${statements}`], zip)
  ).toString();
}

async function outputOf(command: string, args: string[], input: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  // A program that ends without reading is judged by how it ended.
  const fed = Promise.allSettled([pipeline([input], child.stdin)]);
  const [output, errors] = await Promise.all([buffer(child.stdout), buffer(child.stderr), fed]);
  await exited;
  if (child.exitCode !== 0) throw new Error(errors.toString());
  return output;
}
