import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deskKeyName, deskSocketName } from '../../shared/desk-files.ts';
import { type HostConnection, type DeskFound, findDesk, type Presence, presenceAt } from './local-socket-client.ts';
import { bytesFrame, frameKinds, FrameReader, jsonFrame, pieceBytes, piecesAhead } from './local-socket-frames.ts';
import type { LocalSocketLimits } from './local-socket-session.ts';
import { type LocalSocketHost, placeForSocket, serveLocalSocket } from './local-socket.ts';
import { type FakeRooms, innerDetail, openFakeRooms } from './testing/fake-rooms.ts';
import { until } from './testing/until.ts';

const version = '1.2.3';
let directory: string;
let rooms: FakeRooms;
let named: string[];
let host: LocalSocketHost;
const opened: HostConnection[] = [];

const serve = (limits: Partial<LocalSocketLimits> = {}): Promise<LocalSocketHost> =>
  serveLocalSocket({
    ...rooms,
    dataDirectory: directory,
    version,
    limits,
    nameFolder: (path) => (named.push(path), 'f'.repeat(32)),
  });
const find = (options: { version?: string; withinMs?: number } = {}): Promise<DeskFound> =>
  findDesk({ dataDirectory: directory, version, withinMs: 5_000, ...options });

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vitrine-socket-'));
  rooms = openFakeRooms();
  named = [];
  host = await serve();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await host.close();
  await rm(directory, { recursive: true });
});

async function desk(): Promise<HostConnection> {
  const found = await find();
  if (found.kind !== 'open') throw new Error(`found ${found.kind}`);
  opened.push(found.desk);
  return found.desk;
}

const presence = (withinMs = 5_000): Promise<Presence> => presenceAt({ dataDirectory: directory, withinMs });
const keyFile = (): string[] => readFileSync(join(directory, deskKeyName), 'utf8').split('\n');

/** Somebody who speaks to the socket, and not as a command of ours does. */
async function stranger(): Promise<{ socket: Socket; closed: Promise<unknown>; hello(key?: string): void }> {
  const [key, , address] = keyFile();
  const socket = connect(address ?? '');
  // Being cut off in the middle of writing is an error of the socket's, and what these tests wait for.
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  await once(socket, 'connect');
  return { socket, closed, hello: (other) => void socket.write(jsonFrame('hello', { key: other ?? key, version })) };
}

test('answers several calls at a time, each its own', async () => {
  const asked = await desk();
  const answers = await Promise.all([
    asked.call('library.count', {}),
    asked.call('downloads.cancel', { id: 'd-1' }),
    asked.call('library.count', {}),
  ]);
  expect(answers.map(({ ok }) => ok)).toEqual([true, false, true]);
  expect(answers[0]).toEqual({ ok: true, value: { samples: 3, inVault: 2, vaultBytes: 1024 } });
});

test('tells of a defect its id alone', async () => {
  const answer = await (await desk()).call('lab.specimens', {});
  expect(answer).toMatchObject({ ok: false, failure: { kind: 'unexpected' } });
  expect(JSON.stringify(answer)).not.toContain(innerDetail);
});

test('tells the events that were asked for, and no others', async () => {
  const asked = await desk();
  const heard: unknown[] = [];
  await asked.subscribe('job.forgotten', (payload) => heard.push(payload));
  rooms.events.emit({ name: 'views.changed', payload: {} });
  rooms.events.emit({ name: 'job.forgotten', payload: { id: 7 } });
  await asked.call('library.count', {});
  expect(heard).toEqual([{ id: 7 }]);
});

test('names folders and stages files by their paths', async () => {
  const asked = await desk();
  const path = join(directory, 'some.bin');
  writeFileSync(path, 'bytes');
  expect(await asked.nameFolder(directory)).toBe('f'.repeat(32));
  expect(named).toEqual([directory]);
  expect(await asked.stageFile(path)).toMatchObject({ ok: true, value: { name: 'some.bin' } });
});

test('socket and key are private to their owner, and removed when the program ends', async () => {
  expect(statSync(join(directory, deskKeyName)).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, deskSocketName)).mode & 0o777).toBe(0o600);
  await host.close();
  expect([deskKeyName, deskSocketName].filter((name) => existsSync(join(directory, name)))).toEqual([]);
  expect(await find()).toEqual({ kind: 'none' });
});

test('a desk that is opened after one that crashed takes its place', async () => {
  const left = keyFile();
  const crashed = createServer().listen(join(directory, 'other.sock'));
  await host.close();
  writeFileSync(join(directory, deskSocketName), '');
  writeFileSync(join(directory, deskKeyName), left.join('\n'), { mode: 0o644 });
  expect(await find()).toEqual({ kind: 'none' });
  host = await serve();
  expect(statSync(join(directory, deskKeyName)).mode & 0o777).toBe(0o600);
  expect(keyFile()[0]).not.toBe(left[0]);
  expect(await (await desk()).call('library.count', {})).toMatchObject({ ok: true });
  crashed.close();
});

test('a desk of another version is not asked, and is named', async () => {
  expect(await find({ version: '1.2.4' })).toEqual({ kind: 'other-version', version });
});

test('a client with another key is refused and does not learn the version', async () => {
  const { socket, closed, hello } = await stranger();
  const said: Buffer[] = [];
  socket.on('data', (chunk) => said.push(chunk));
  hello('A'.repeat(43));
  await closed;
  expect(Buffer.concat(said).toString()).toContain('{"reason":"key","version":""}');
  expect(rooms.carriedOut).toEqual([]);
});

test('a server without the proof is not accepted', async () => {
  const [key, proof] = keyFile();
  const address = join(directory, 'false.sock');
  const falseDesk = createServer(
    (socket) => void socket.on('data', () => socket.write(jsonFrame('welcome', { proof: 'B'.repeat(43) }))),
  ).listen(address);
  await once(falseDesk, 'listening');
  writeFileSync(join(directory, deskKeyName), `${key}\n${proof}\n${address}\n`);
  expect(await find()).toEqual({ kind: 'none' });
  falseDesk.close();
});

test('a desk that does not answer in time is none', async () => {
  const [key, proof] = keyFile();
  const address = join(directory, 'mute.sock');
  const mute = createServer((socket) => void socket.resume()).listen(address);
  await once(mute, 'listening');
  writeFileSync(join(directory, deskKeyName), `${key}\n${proof}\n${address}\n`);
  expect(await find({ withinMs: 20 })).toEqual({ kind: 'none' });
  mute.close();
});

const sayAfterHello: [string, (socket: Socket) => void][] = [
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
test.each(sayAfterHello)('is cut off, and the desk lives: %s', async (_what, say) => {
  const { socket, closed, hello } = await stranger();
  hello();
  say(socket.resume());
  await closed;
  expect(await (await desk()).call('library.count', {})).toMatchObject({ ok: true });
});

test('is cut off: who asks before the hello, with garbage or a long one', async () => {
  for (const said of [
    jsonFrame('ask', { id: 1, kind: 'call', name: 'library.count', input: {} }),
    Buffer.from('{}{}{}'),
    jsonFrame('hello', { key: 'k'.repeat(2_000), version }),
  ]) {
    const { socket, closed } = await stranger();
    socket.resume().write(said);
    await closed;
  }
  expect(rooms.carriedOut).toEqual([]);
});

test('is cut off: who says nothing', async () => {
  await host.close();
  host = await serve({ helloMs: 10 });
  const { closed } = await stranger();
  await closed;
  expect(await (await desk()).call('library.count', {})).toMatchObject({ ok: true });
});

test('is cut off: who floods', async () => {
  const { socket, closed, hello } = await stranger();
  hello();
  socket.resume();
  for (let id = 0; id < 1_000; id += 1)
    socket.write(jsonFrame('ask', { id, kind: 'call', name: 'library.count', input: {} }));
  await closed;
  expect(await (await desk()).call('library.count', {})).toMatchObject({ ok: true });
});

test('is cut off: who does not read', async () => {
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
  const before = rooms.events.listeners;
  await until(() => {
    rooms.events.emit({ name: 'lookup.prefill', payload: { md5: 'a'.repeat(32) } });
    for (let count = 0; count < 1_000; count += 1)
      rooms.events.emit({ name: 'shell.command', payload: { kind: 'open-room', room: 'library' } });
    return rooms.events.listeners < before;
  });
  socket.destroy();
  expect(await (await desk()).call('library.count', {})).toMatchObject({ ok: true });
});

test('gives a prepared export out once, and no faster than it is taken', async () => {
  const pieces = piecesAhead * 4;
  let read = 0;
  async function* open(): AsyncIterable<Uint8Array> {
    for (; read < pieces; read += 1) yield new Uint8Array(pieceBytes).fill(read);
  }
  const id = rooms.exports.prepare({ fileName: 'a.zip', sizeBytes: null, open });
  const asked = await desk();
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

test('stops what gives an export out when nobody takes it any more', async () => {
  let hasEnded = false;
  async function* endless(): AsyncIterable<Uint8Array> {
    try {
      for (;;) yield new Uint8Array(pieceBytes);
    } finally {
      hasEnded = true;
    }
  }
  const id = rooms.exports.prepare({ fileName: 'a.zip', sizeBytes: null, open: endless });
  const asked = await desk();
  for await (const piece of asked.take(id)) if (piece.byteLength > 0) break;
  await until(() => hasEnded);
  expect(await asked.call('library.count', {})).toMatchObject({ ok: true });
});

test('what was asked fails when the desk ends', async () => {
  const asked = await desk();
  await host.close();
  expect(await asked.call('library.count', {})).toEqual({ ok: false, failure: { kind: 'host-gone' } });
});

test('a path that is too long for a socket has it elsewhere, in a folder of the user alone', async () => {
  await host.close();
  const runtime = await mkdtemp(join(tmpdir(), 'vitrine-run-'));
  const deep = join(directory, 'd'.repeat(120));
  await mkdir(deep);
  host = await serveLocalSocket({
    ...rooms,
    dataDirectory: deep,
    version,
    nameFolder: () => '',
    place: { system: process.platform, environment: { XDG_RUNTIME_DIR: runtime } },
  });
  const found = await findDesk({ dataDirectory: deep, version, withinMs: 5_000 });
  expect(found.kind).toBe('open');
  if (found.kind === 'open') opened.push(found.desk);
  expect(existsSync(join(deep, deskSocketName))).toBe(false);
  expect(statSync(join(runtime, `vitrine-${process.getuid?.()}`)).mode & 0o777).toBe(0o700);
  await host.close();
  await rm(runtime, { recursive: true });
});

test.each([
  ['is not there', '/nowhere/run'],
  ['is not absolute', 'run'],
  ['is not named', ''],
])('such a path is below the folder for temporary files where that of the session %s', async (_what, runtime) => {
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
  for (const secret of [key, proof]) expect(JSON.stringify(rooms.defects)).not.toContain(secret);
  expect(rooms.defects).toEqual([]);
});

test('a program that is open answers whoever asks whether it does, and lets nobody in by that', async () => {
  expect(await presence()).toEqual({ kind: 'answers' });
  writeFileSync(join(directory, deskKeyName), ['another key', ...keyFile().slice(1)].join('\n'));
  expect(await presence()).toEqual({ kind: 'answers' });
});

test('a program that is closed, or was killed and left its files, is absent', async () => {
  const left = keyFile().join('\n');
  await host.close();
  expect(await presence()).toEqual({ kind: 'absent' });
  writeFileSync(join(directory, deskKeyName), left);
  expect(await presence()).toEqual({ kind: 'absent' });
  host = await serve();
});

test('a program that takes a connection and does not answer in time is silent, and named by its process', async () => {
  const [key, proof, address = ''] = keyFile();
  await host.close();
  const held: Socket[] = [];
  const hung = createServer((socket) => void held.push(socket)).listen(address);
  await once(hung, 'listening');
  writeFileSync(join(directory, deskKeyName), `${key}\n${proof}\n${address}\n4711\n`);
  expect(await presence(50)).toEqual({ kind: 'silent', processId: 4711 });
  // As an earlier version wrote it.
  writeFileSync(join(directory, deskKeyName), `${key}\n${proof}\n${address}\n`);
  expect(await presence(50)).toEqual({ kind: 'silent', processId: null });
  for (const socket of held) socket.destroy();
  await new Promise((resolve) => hung.close(resolve));
  host = await serve();
});
