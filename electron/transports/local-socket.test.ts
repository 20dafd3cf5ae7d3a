import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostKeyName, hostSocketName } from '../../shared/host-files.ts';
import { type HostConnection, type FoundHost, findHost, type Presence, presenceAt } from './local-socket-client.ts';
import { bytesFrame, frameKinds, FrameReader, jsonFrame, pieceBytes, piecesAhead } from './local-socket-frames.ts';
import type { LocalSocketLimits } from './local-socket-session.ts';
import { type LocalSocketHost, placeForSocket, serveLocalSocket } from './local-socket.ts';
import { type Fakes, innerDetail, openFakes } from './testing/fakes.ts';
import { until } from './testing/until.ts';

const version = '1.2.3';
let directory: string;
let fakes: Fakes;
let named: string[];
let host: LocalSocketHost;
const opened: HostConnection[] = [];

const serve = (limits: Partial<LocalSocketLimits> = {}): Promise<LocalSocketHost> =>
  serveLocalSocket({
    ...fakes,
    dataDirectory: directory,
    version,
    limits,
    nameFolder: (path) => (named.push(path), 'f'.repeat(32)),
  });
const find = (options: { version?: string; withinMs?: number } = {}): Promise<FoundHost> =>
  findHost({ dataDirectory: directory, version, withinMs: 5_000, ...options });

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vitrine-socket-'));
  fakes = openFakes();
  named = [];
  host = await serve();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await host.close();
  await rm(directory, { recursive: true });
});

async function hostOf(): Promise<HostConnection> {
  const found = await find();
  if (found.kind !== 'open') throw new Error(`found ${found.kind}`);
  opened.push(found.host);
  return found.host;
}

const presence = (withinMs = 5_000): Promise<Presence> => presenceAt({ dataDirectory: directory, withinMs });
const keyFile = (): string[] => readFileSync(join(directory, hostKeyName), 'utf8').split('\n');

/** A client of the socket that does not behave like our command. */
async function stranger(): Promise<{ socket: Socket; closed: Promise<unknown>; hello(key?: string): void }> {
  const [key, , address] = keyFile();
  const socket = connect(address ?? '');
  // Being cut off in the middle of writing is an error of the socket's, and what these tests wait for.
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  await once(socket, 'connect');
  return { socket, closed, hello: (other) => void socket.write(jsonFrame('hello', { key: other ?? key, version })) };
}

test('the socket answers several calls at a time, each its own', async () => {
  const asked = await hostOf();
  const answers = await Promise.all([
    asked.call('library.count', {}),
    asked.call('downloads.cancel', { id: 'd-1' }),
    asked.call('library.count', {}),
  ]);
  expect(answers.map(({ ok }) => ok)).toEqual([true, false, true]);
  expect(answers[0]).toEqual({ ok: true, value: { samples: 3, inVault: 2, vaultBytes: 1024 } });
});

test('the socket reports only the id of a defect', async () => {
  const answer = await (await hostOf()).call('lab.sampleFiles', {});
  expect(answer).toMatchObject({ ok: false, failure: { kind: 'unexpected' } });
  expect(JSON.stringify(answer)).not.toContain(innerDetail);
});

test('the socket sends the subscribed events and no others', async () => {
  const asked = await hostOf();
  const heard: unknown[] = [];
  await asked.subscribe('job.forgotten', (payload) => heard.push(payload));
  fakes.events.emit({ name: 'views.changed', payload: {} });
  fakes.events.emit({ name: 'job.forgotten', payload: { id: 7 } });
  await asked.call('library.count', {});
  expect(heard).toEqual([{ id: 7 }]);
});

test('the socket names folders and stages files by their paths', async () => {
  const asked = await hostOf();
  const path = join(directory, 'some.bin');
  writeFileSync(path, 'bytes');
  expect(await asked.nameFolder(directory)).toBe('f'.repeat(32));
  expect(named).toEqual([directory]);
  expect(await asked.stageFile(path)).toMatchObject({ ok: true, value: { name: 'some.bin' } });
});

test('socket and key are private to their owner, and removed when the program ends', async () => {
  expect(statSync(join(directory, hostKeyName)).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, hostSocketName)).mode & 0o777).toBe(0o600);
  await host.close();
  expect([hostKeyName, hostSocketName].filter((name) => existsSync(join(directory, name)))).toEqual([]);
  expect(await find()).toEqual({ kind: 'none' });
});

test.runIf(process.getuid?.() === 0)(
  'a planted key or socket is refused by its path before anything is sent',
  async () => {
    const other = 65_534;
    const [key, proof, address = ''] = keyFile();
    const keyPath = join(directory, hostKeyName);
    const refused = (path: string): object => ({ failure: { kind: 'not-own', path, reason: 'owner', owner: other } });
    chownSync(keyPath, other, other);
    await expect(find()).rejects.toMatchObject(refused(keyPath));
    await expect(presence()).rejects.toMatchObject(refused(keyPath));

    const heard: string[] = [];
    const planted = createServer((socket) => socket.on('data', (bytes) => heard.push(String(bytes))));
    planted.listen(join(directory, 'planted.sock'));
    await once(planted, 'listening');
    chownSync(join(directory, 'planted.sock'), other, other);
    writeFileSync(keyPath, [key, proof, join(directory, 'planted.sock'), ''].join('\n'));
    chownSync(keyPath, 0, 0);
    await expect(find()).rejects.toMatchObject(refused(join(directory, 'planted.sock')));
    await expect(presence()).rejects.toMatchObject(refused(join(directory, 'planted.sock')));

    writeFileSync(keyPath, [key, proof, address, ''].join('\n'));
    chmodSync(directory, 0o777);
    await expect(find()).rejects.toMatchObject({ failure: { kind: 'not-own', path: directory, reason: 'writable' } });
    chmodSync(directory, 0o700);
    expect((await hostOf()).kind).toBe('running');
    planted.close();
    expect(heard).toEqual([]);
  },
);

test('an instance opened after a crash replaces the crashed one', async () => {
  const left = keyFile();
  const crashed = createServer().listen(join(directory, 'other.sock'));
  await host.close();
  writeFileSync(join(directory, hostSocketName), '');
  writeFileSync(join(directory, hostKeyName), left.join('\n'), { mode: 0o644 });
  expect(await find()).toEqual({ kind: 'none' });
  host = await serve();
  expect(statSync(join(directory, hostKeyName)).mode & 0o777).toBe(0o600);
  expect(keyFile()[0]).not.toBe(left[0]);
  expect(await (await hostOf()).call('library.count', {})).toMatchObject({ ok: true });
  crashed.close();
});

test('an instance of another version is named and not used', async () => {
  expect(await find({ version: '1.2.4' })).toEqual({ kind: 'other-version', version });
});

test('a client with another key is refused and does not learn the version', async () => {
  const { socket, closed, hello } = await stranger();
  const said: Buffer[] = [];
  socket.on('data', (chunk) => said.push(chunk));
  hello('A'.repeat(43));
  await closed;
  expect(Buffer.concat(said).toString()).toContain('{"reason":"key","version":""}');
  expect(fakes.carriedOut).toEqual([]);
});

test('a server without the proof is not accepted', async () => {
  const [key, proof] = keyFile();
  const address = join(directory, 'false.sock');
  const falseHost = createServer(
    (socket) => void socket.on('data', () => socket.write(jsonFrame('welcome', { proof: 'B'.repeat(43) }))),
  ).listen(address);
  await once(falseHost, 'listening');
  writeFileSync(join(directory, hostKeyName), `${key}\n${proof}\n${address}\n`);
  expect(await find()).toEqual({ kind: 'none' });
  falseHost.close();
});

test('an instance that does not answer in time counts as absent', async () => {
  const [key, proof] = keyFile();
  const address = join(directory, 'mute.sock');
  const mute = createServer((socket) => void socket.resume()).listen(address);
  await once(mute, 'listening');
  writeFileSync(join(directory, hostKeyName), `${key}\n${proof}\n${address}\n`);
  expect(await find({ withinMs: 20 })).toEqual({ kind: 'none' });
  mute.close();
});

const sendAfterHello: [string, (socket: Socket) => void][] = [
  ['no frame at all', (socket) => socket.write('GET / HTTP/1.1\r\nHost: desk\r\n\r\n')],
  ['a frame of four gigabytes', (socket) => socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 4]))],
  ['no JSON', (socket) => socket.write(Buffer.from([0, 0, 0, 1, frameKinds.ask, 0x7b]))],
  ['a question nobody knows', (socket) => socket.write(jsonFrame('ask', { id: 1, kind: 'obey' }))],
  ['a path that begins nowhere', (socket) => socket.write(jsonFrame('ask', { id: 1, kind: 'stage', path: 'passwd' }))],
  [
    'an event that is none',
    (socket) => socket.write(jsonFrame('ask', { id: 1, kind: 'subscribe', name: '__proto__' })),
  ],
  ['a frame that a desk sends', (socket) => socket.write(bytesFrame(1, Buffer.from('{}')))],
  ['a second hello', (socket) => socket.write(jsonFrame('hello', { key: '', version }))],
];
test.each(sendAfterHello)('the client is cut off and the server continues: %s', async (_what, print) => {
  const { socket, closed, hello } = await stranger();
  hello();
  print(socket.resume());
  await closed;
  expect(await (await hostOf()).call('library.count', {})).toMatchObject({ ok: true });
});

test('the client is cut off: a request before the hello, garbage, or a hello that is too long', async () => {
  for (const said of [
    jsonFrame('ask', { id: 1, kind: 'call', name: 'library.count', input: {} }),
    Buffer.from('{}{}{}'),
    jsonFrame('hello', { key: 'k'.repeat(2_000), version }),
  ]) {
    const { socket, closed } = await stranger();
    socket.resume().write(said);
    await closed;
  }
  expect(fakes.carriedOut).toEqual([]);
});

test('the client is cut off: silence', async () => {
  await host.close();
  host = await serve({ helloMs: 10 });
  const { closed } = await stranger();
  await closed;
  expect(await (await hostOf()).call('library.count', {})).toMatchObject({ ok: true });
});

test('the client is cut off: flooding', async () => {
  const { socket, closed, hello } = await stranger();
  hello();
  socket.resume();
  for (let id = 0; id < 1_000; id += 1)
    socket.write(jsonFrame('ask', { id, kind: 'call', name: 'library.count', input: {} }));
  await closed;
  expect(await (await hostOf()).call('library.count', {})).toMatchObject({ ok: true });
});

test('the client is cut off: not reading', async () => {
  await host.close();
  host = await serve({ waitingBytes: 64 * 1024 });
  const { socket, hello } = await stranger();
  const reader = new FrameReader(1_000_000);
  hello();
  socket.write(jsonFrame('ask', { id: 1, kind: 'subscribe', name: 'shell.command' }));
  const arriving: AsyncIterable<Buffer> = socket.iterator({ destroyOnReturn: false });
  for await (const chunk of arriving) {
    reader.push(chunk);
    if (reader.next() && reader.next()) break;
  }
  socket.pause();
  const before = fakes.events.listeners;
  await until(() => {
    fakes.events.emit({ name: 'lookup.prefill', payload: { md5: 'a'.repeat(32) } });
    for (let count = 0; count < 1_000; count += 1)
      fakes.events.emit({ name: 'shell.command', payload: { kind: 'open-view', view: 'library' } });
    return fakes.events.listeners < before;
  });
  socket.destroy();
  expect(await (await hostOf()).call('library.count', {})).toMatchObject({ ok: true });
});

test('the socket sends a prepared export once, and no faster than it is read', async () => {
  const pieces = piecesAhead * 4;
  let read = 0;
  async function* open(): AsyncIterable<Uint8Array> {
    for (; read < pieces; read += 1) yield new Uint8Array(pieceBytes).fill(read);
  }
  const id = fakes.exports.prepare({ fileName: 'a.zip', sizeBytes: null, open });
  const asked = await hostOf();
  const taken: number[] = [];
  for await (const piece of asked.take(id)) {
    if (taken.length === 0) await asked.call('library.count', {});
    expect(read).toBeLessThanOrEqual(taken.length + piecesAhead + 1);
    taken.push(piece[0] ?? -1);
  }
  expect(taken).toEqual(Array.from({ length: pieces }, (_one, index) => index));
  await expect(asked.take(id)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    failure: { kind: 'export-gone' },
  });
});

test('the socket stops the source of an export when no one reads it any longer', async () => {
  let hasEnded = false;
  async function* endless(): AsyncIterable<Uint8Array> {
    try {
      for (;;) yield new Uint8Array(pieceBytes);
    } finally {
      hasEnded = true;
    }
  }
  const id = fakes.exports.prepare({ fileName: 'a.zip', sizeBytes: null, open: endless });
  const asked = await hostOf();
  for await (const piece of asked.take(id)) if (piece.byteLength > 0) break;
  await until(() => hasEnded);
  expect(await asked.call('library.count', {})).toMatchObject({ ok: true });
});

test('open calls fail when the server ends', async () => {
  const asked = await hostOf();
  await host.close();
  expect(await asked.call('library.count', {})).toEqual({ ok: false, failure: { kind: 'host-gone' } });
});

test.each([
  ['too long for a socket', 'd'.repeat(120)],
  ['with a line end', 'first\nsecond'],
])('a path %s is replaced by one in a folder private to the user', async (_, name) => {
  await host.close();
  const runtime = await mkdtemp(join(tmpdir(), 'vitrine-run-'));
  const deep = join(directory, name);
  await mkdir(deep);
  host = await serveLocalSocket({
    ...fakes,
    dataDirectory: deep,
    version,
    nameFolder: () => '',
    place: { system: process.platform, environment: { XDG_RUNTIME_DIR: runtime } },
  });
  const found = await findHost({ dataDirectory: deep, version, withinMs: 5_000 });
  expect(found.kind).toBe('open');
  if (found.kind === 'open') opened.push(found.host);
  expect(existsSync(join(deep, hostSocketName))).toBe(false);
  expect(statSync(join(runtime, `vitrine-${process.getuid?.()}`)).mode & 0o777).toBe(0o700);
  await host.close();
  await rm(runtime, { recursive: true });
});

test.each([
  ['is not there', '/nowhere/run'],
  ['is not absolute', 'run'],
  ['is not named', ''],
])('the replacement path is in the temporary folder when the session folder %s', async (_what, runtime) => {
  const deep = join(directory, 'd'.repeat(120));
  expect(await placeForSocket(deep, { system: 'linux', environment: { XDG_RUNTIME_DIR: runtime } })).toMatch(
    join(tmpdir(), 'vitrine-'),
  );
});

test('the key is in no log', async () => {
  const [key = '', proof = ''] = keyFile();
  const { closed, hello, socket } = await stranger();
  hello('wrong');
  socket.resume();
  await closed;
  for (const secret of [key, proof]) expect(JSON.stringify(fakes.defects)).not.toContain(secret);
  expect(fakes.defects).toEqual([]);
});

test('an open program answers a presence check without granting access', async () => {
  expect(await presence()).toEqual({ kind: 'answers' });
  writeFileSync(join(directory, hostKeyName), ['another key', ...keyFile().slice(1)].join('\n'));
  expect(await presence()).toEqual({ kind: 'answers' });
});

test('a program that closed, or was killed and left its files, is absent', async () => {
  const left = keyFile().join('\n');
  await host.close();
  expect(await presence()).toEqual({ kind: 'absent' });
  writeFileSync(join(directory, hostKeyName), left);
  expect(await presence()).toEqual({ kind: 'absent' });
  host = await serve();
});

test('a program that accepts a connection and does not answer in time is silent, named by its process', async () => {
  const [key, proof, address = ''] = keyFile();
  await host.close();
  const held: Socket[] = [];
  const hung = createServer((socket) => void held.push(socket)).listen(address);
  await once(hung, 'listening');
  writeFileSync(join(directory, hostKeyName), `${key}\n${proof}\n${address}\n4711\n`);
  expect(await presence(50)).toEqual({ kind: 'silent', processId: 4711 });
  // As an earlier version wrote it.
  writeFileSync(join(directory, hostKeyName), `${key}\n${proof}\n${address}\n`);
  expect(await presence(50)).toEqual({ kind: 'silent', processId: null });
  for (const socket of held) socket.destroy();
  await new Promise((resolve) => hung.close(resolve));
  host = await serve();
});
