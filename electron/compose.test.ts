import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type OperationInput, type OperationName, type OperationOutput, operations } from '../shared/contract.ts';
import { actionsOf, optionalActions } from '../shared/domain/server-action.ts';
import type { WorkspaceDraft } from '../shared/domain/workspace.ts';
import type { Failure, Result, ServiceName } from '../shared/failure.ts';
import { draft, everyFileUnder, labProcess, md5Of, sha256Of } from './compose.fixture.ts';
import { compose, type Host } from './compose.ts';
import type { HostEvent } from './event-hub.ts';
import { startLabProcess } from './lab/running-lab.fixture.ts';
import { createNodePlatform, startProgram } from './platform/node-platform.ts';

/** The directory of a lab that has its sample files and rules; each test host works with a copy. */
let stockedLab: string;
let folder: string;
let host: Host;
const reported: HostEvent[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  stockedLab = await mkdtemp(join(tmpdir(), 'vitrine-compose-lab-'));
  await (await startLabProcess(stockedLab)).stop();
});
afterAll(() => rm(stockedLab, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-compose-'));
  await mkdir(join(folder, 'exports'));
  await cp(stockedLab, join(folder, 'data', 'lab'), { recursive: true });
  host = await openTestHost();
});

afterEach(async () => {
  await host.close();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  reported.length = 0;
  await rm(folder, { recursive: true, force: true });
});

async function openTestHost(): Promise<Host> {
  const exportFolder = join(folder, 'exports');
  const platform = createNodePlatform({ dataDirectory: join(folder, 'data'), exportFolder });
  const opened = await compose({ platform, exportFolder });
  opened.events.subscribe((event) => reported.push(event));
  return opened;
}

async function ask<N extends OperationName>(name: N, input: OperationInput<N>): Promise<Result<OperationOutput<N>>> {
  const result = await host.dispatch(name, input);
  if (!result.ok) return result;
  return { ok: true, value: operations[name].output.parse(result.value) as OperationOutput<N> };
}

async function get<N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>> {
  const result = await ask(name, input);
  return result.ok ? result.value : expect.fail(`${name}: ${JSON.stringify(result.failure)}`);
}

async function failureOf<N extends OperationName>(name: N, input: OperationInput<N>): Promise<Failure> {
  const result = await ask(name, input);
  return result.ok ? expect.fail(`${name} succeeded`) : result.failure;
}

async function downloaded(workspaceId: string, md5: string) {
  const { id } = await get('downloads.start', { workspaceId, md5 });
  return vi.waitFor(
    async () => {
      const { downloads } = await get('downloads.list', {});
      const download = downloads.find((one) => one.id === id) ?? expect.fail('the download is gone');
      expect(download.state).not.toMatch(/waiting|receiving/);
      return download;
    },
    { timeout: 20_000 },
  );
}

async function aSampleFile(): Promise<{ md5: string; name: string }> {
  return vi.waitFor(
    async () => {
      const { sampleFiles } = await get('lab.sampleFiles', {});
      return sampleFiles.find(({ name }) => /eicar/i.test(name)) ?? expect.fail('no specimens yet');
    },
    { timeout: 20_000 },
  );
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : expect.fail('no address');
}

/** A repository with one sample, whose record and bytes the test decides. */
const repositoryWith = (file: Record<string, unknown> | null, bytes: Uint8Array): Promise<string> =>
  serve((request, response) => {
    const action = new URL(request.url ?? '', 'http://x').searchParams.get('action');
    response.setHeader('content-type', 'text/html');
    response.end(action === 'getfile' ? JSON.stringify({ file }) : bytes);
  });

test('look-up, download and export are verified, journalled and stored encrypted on every disk', async () => {
  const { md5 } = await aSampleFile();
  const found = await get('samples.lookup', { workspaceId: 'lab', hash: md5 });
  expect(found.record).toMatchObject({ md5 });
  expect(found.local.inVault).toBe(false);

  const download = await downloaded('lab', md5);
  expect(download).toMatchObject({ state: 'done', failure: null });
  const sha256 = download.sha256 ?? expect.fail('no SHA-256');
  expect((await get('samples.lookup', { workspaceId: 'lab', hash: sha256 })).local).toMatchObject({
    inVault: true,
    md5,
    sha256,
  });
  expect((await downloaded('lab', md5)).state).toBe('already-here');

  const exported = await get('samples.exportZip', {
    sha256,
    encryption: 'aes-256',
    password: 'infected',
    to: 'folder',
  });
  expect(exported).toMatchObject({ kind: 'folder', fileName: `${sha256}.zip` });

  const { rows } = await get('samples.history', { hash: md5 });
  expect(rows.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
    'export done',
    'download already-here',
    'look-up found',
    'download done',
    'look-up found',
  ]);
  expect(await get('journal.verify', {})).toMatchObject({ broken: null });
  const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));
  for (const bytes of await everyFileUnder(folder)) expect(bytes.includes(eicar)).toBe(false);
});

test('an export for the browser can be fetched once', async () => {
  const { md5 } = await aSampleFile();
  const { sha256 } = await downloaded('lab', md5);
  const prepared = await get('samples.exportZip', {
    sha256: sha256 ?? '',
    encryption: 'zipcrypto',
    password: 'p',
    to: 'browser',
  });
  const id = prepared.kind === 'browser' ? prepared.id : expect.fail('not for the browser');
  expect(host.exports.take(id)?.fileName).toBe(`${sha256}.zip`);
  expect(host.exports.take(id)).toBeNull();
});

test('a hash unknown here is reported by its kind of failure', async () => {
  expect(await failureOf('samples.lookup', { workspaceId: 'lab', hash: '0'.repeat(64) })).toMatchObject({
    kind: 'needs-md5',
  });
  expect(await failureOf('samples.lookup', { workspaceId: 'lab', hash: '0'.repeat(32) })).toMatchObject({
    kind: 'unknown-hash',
  });
  expect(
    await failureOf('samples.exportZip', {
      sha256: '0'.repeat(64),
      encryption: 'aes-256',
      password: 'x',
      to: 'folder',
    }),
  ).toMatchObject({ kind: 'not-in-vault' });
});

test('wrong bytes are not kept, and the failure names both MD5s', async () => {
  const bytes = Buffer.from('other bytes than asked for');
  const md5 = md5Of(Buffer.from('the sample'));
  const { id } = await get('workspaces.add', draft(await repositoryWith({ md5 }, bytes)));
  expect(await downloaded(id, md5)).toMatchObject({
    state: 'failed',
    failure: { kind: 'wrong-bytes', md5, actualMd5: md5Of(bytes) },
  });
  expect(await get('library.count', {})).toMatchObject({ inVault: 0 });
  expect(await readdir(join(folder, 'data', 'vault'), { recursive: true })).not.toContainEqual(
    expect.stringMatching(/[0-9a-f]{64}$/),
  );
});

test('a record whose SHA-256 contradicts the bytes is a named failure', async () => {
  const bytes = Buffer.from('the sample');
  const md5 = md5Of(bytes);
  const { id } = await get('workspaces.add', draft(await repositoryWith({ md5, sha256: '1'.repeat(64) }, bytes)));
  expect(await downloaded(id, md5)).toMatchObject({
    failure: { kind: 'sha256-contradicts', recordedSha256: '1'.repeat(64), actualSha256: sha256Of(bytes) },
  });
});

test('two stray bytes after the sample are dropped and noted in the journal', async () => {
  const bytes = Buffer.from('the sample');
  const md5 = md5Of(bytes);
  const { id } = await get(
    'workspaces.add',
    draft(await repositoryWith({ md5 }, Buffer.concat([bytes, Buffer.from('{}')]))),
  );
  expect(await downloaded(id, md5)).toMatchObject({ state: 'done', sha256: sha256Of(bytes) });
  expect((await get('samples.history', { hash: md5 })).rows[0]?.detail).toMatchObject({ strayBytesDropped: true });
});

test('a download can be cancelled in the middle, and nothing is kept', async () => {
  const md5 = '0'.repeat(31) + '1';
  const base = await serve((request, response) => {
    if (request.url?.includes('getfile')) response.end(JSON.stringify({ file: { md5 } }));
    else response.writeHead(200, { 'content-length': 1_000_000 }).write(Buffer.alloc(600_000));
  });
  const { id } = await get('workspaces.add', draft(base));
  const { id: download } = await get('downloads.start', { workspaceId: id, md5 });
  await expect
    .poll(() => reported)
    .toContainEqual(
      expect.objectContaining({ name: 'download.progress', payload: expect.objectContaining({ state: 'receiving' }) }),
    );
  expect(host.runningJobs()).toBe(1);
  await get('downloads.cancel', { id: download });
  await expect.poll(() => host.runningJobs()).toBe(0);
  expect((await get('downloads.list', {})).downloads).toMatchObject([{ state: 'cancelled' }]);
  await expect.poll(() => readdir(join(folder, 'data', 'vault', 'incoming'))).toEqual([]);
});

test('closing the window reports what it would end: an active watched folder and automatic checks', async () => {
  const none = { jobs: 0, watchedFolder: null, checksRules: false };
  expect([host.backgroundWork(), host.whenClosed()]).toEqual([none, 'ask']);
  const watched = join(folder, 'watched');
  await mkdir(watched);
  await get('watch.chooseFolder', { folder: host.nameFolder(watched) });
  expect(host.backgroundWork()).toEqual(none);
  await get('watch.turn', { isOn: true, workspaceId: 'lab' });
  const { options } = await get('publications.state', { workspaceId: 'lab' });
  await get('publications.setOptions', {
    workspaceId: 'lab',
    options: { ...options, checkHours: 6 },
    password: { kind: 'keep' },
  });
  await get('settings.change', { whenClosed: 'tray' });
  expect([host.backgroundWork(), host.whenClosed()]).toEqual([
    { jobs: 0, watchedFolder: watched, checksRules: true },
    'tray',
  ]);
  await get('watch.turn', { isOn: false, workspaceId: 'lab' });
  expect(host.backgroundWork()).toEqual({ ...none, checksRules: true });
});

test('a killed lab is restarted and reported, and answers with its previous data', async () => {
  const { md5 } = await aSampleFile();
  const pid = await labProcess();
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(
    () =>
      expect(reported).toContainEqual({
        name: 'lab.changed',
        payload: { state: 'running', restarts: 1, failure: null },
      }),
    { timeout: 20_000 },
  );
  expect((await get('samples.lookup', { workspaceId: 'lab', hash: md5 })).record.md5).toBe(md5);
});

test('a lab that cannot start is abandoned with its last output in state and log, until started again', async () => {
  await host.close();
  const broken = join(folder, 'broken-lab.mjs');
  await writeFile(broken, "throw new Error('the lab is broken');");
  const platform = createNodePlatform({ dataDirectory: join(folder, 'data'), exportFolder: null });
  let starts = 0;
  host = await compose({
    platform: { ...platform, startProcess: () => ((starts += 1), startProgram(broken)) },
    exportFolder: null,
  });
  await expect.poll(async () => (await get('host.describe', {})).lab.state, { timeout: 30_000 }).toBe('stopped');
  const log = join(folder, 'data', 'logs', 'vitrine.log');
  const failure = { kind: 'lab-failed', attempts: 6, end: 'exit code 1', text: 'Error: the lab is broken', log };
  expect((await get('host.describe', {})).lab).toMatchObject({ restarts: 5, failure });
  expect(
    await failureOf('samples.lookup', { workspaceId: 'lab', hash: '44d88612fea8a8f36de82e1278abb02f' }),
  ).toMatchObject(failure);
  expect(starts).toBe(6);
  const entries = (await readFile(log, 'utf8'))
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(entries.filter((entry) => JSON.stringify(entry).includes('"lab.exit"'))).toHaveLength(6);
  expect(entries).toContainEqual(
    expect.objectContaining({
      level: 'defect',
      operation: 'lab',
      error: expect.objectContaining({ failure: expect.objectContaining(failure) }),
    }),
  );
  await writeFile(broken, `await import(${JSON.stringify(new URL('lab.ts', import.meta.url).href)});`);
  await get('lab.start', {});
  expect((await get('host.describe', {})).lab).toMatchObject({ state: 'running', failure: null });
});

test('a second host on the same data is refused, and the first continues', async () => {
  await expect(openTestHost()).rejects.toMatchObject({ failure: { kind: 'data-in-use' } });
  expect((await get('settings.read', {})).damaged).toEqual([]);
});

test('a host that lost its lock reports it and stops, because another may be writing', async () => {
  const base = await serve((request, response) => {
    if (request.url?.includes('getfile')) response.end(JSON.stringify({ file: { md5: '1'.repeat(32) } }));
    else response.writeHead(200, { 'content-length': 1_000_000 }).write(Buffer.alloc(600_000));
  });
  const { id } = await get('workspaces.add', draft(base));
  await get('downloads.start', { workspaceId: id, md5: '1'.repeat(32) });
  await expect
    .poll(() => reported)
    .toContainEqual(
      expect.objectContaining({ name: 'download.progress', payload: expect.objectContaining({ state: 'receiving' }) }),
    );
  const lock = join(folder, 'data', 'lock.db');
  await rm(lock);
  expect(await failureOf('settings.change', { theme: 'dark' })).toEqual({ kind: 'data-not-held', path: lock });
  await expect.poll(() => host.runningJobs()).toBe(0);
  expect((await get('downloads.list', {})).downloads).toMatchObject([{ state: 'cancelled' }]);
  const second = await openTestHost();
  expect(await failureOf('host.describe', {})).toMatchObject({ kind: 'data-not-held' });
  await second.close();
});

test('a stored token is never exposed by an operation or on disk', async () => {
  const token = 'a-recognisable-token-0123456789';
  const base = await serve((_request, response) => void response.writeHead(500).end(`failed with ${token}`));
  const view = await get('workspaces.add', draft(base, token));
  expect(view.repository).toEqual({ baseUrl: base, hasToken: true });
  const failure = await failureOf('samples.lookup', { workspaceId: view.id, hash: '0'.repeat(32) });
  const answers = [
    view,
    failure,
    await get('workspaces.list', {}),
    await get('workspaces.test', { id: view.id, draft: null }),
    reported,
  ];
  expect(JSON.stringify(answers)).not.toContain(token);
  // The lab has its sample files by then: what it still writes would be gone when it is read here.
  await get('lab.sampleFiles', {});
  for (const bytes of await everyFileUnder(folder)) expect(bytes.includes(token)).toBe(false);
});

test('a kept token does not follow an edited address to another host', async () => {
  const basedOn = await get('workspaces.add', draft('https://one.example'));
  const { id } = basedOn;
  const elsewhere: WorkspaceDraft = {
    ...draft('https://two.example'),
    repository: { baseUrl: 'https://two.example', token: { kind: 'keep' } },
  };
  expect(await failureOf('workspaces.edit', { id, draft: elsewhere, basedOn })).toMatchObject({
    kind: 'token-for-other-host',
  });
  expect(await failureOf('workspaces.test', { id, draft: elsewhere })).toMatchObject({ kind: 'token-for-other-host' });
  const samePlace: WorkspaceDraft = {
    ...elsewhere,
    repository: { baseUrl: 'https://one.example/deeper', token: { kind: 'keep' } },
  };
  expect((await get('workspaces.edit', { id, draft: samePlace, basedOn })).repository?.hasToken).toBe(true);
});

test('plain http to another computer is refused unless allowed', async () => {
  expect(await failureOf('workspaces.add', draft('http://files.example'))).toMatchObject({ kind: 'http-not-allowed' });
  expect((await get('workspaces.add', { ...draft('http://files.example'), allowHttp: true })).allowHttp).toBe(true);
});

test('a removed workspace loses its tokens at once, and the lab becomes active', async () => {
  const { id } = await get('workspaces.add', draft('https://one.example'));
  await get('workspaces.switch', { id });
  await get('workspaces.remove', { id, forgetLibrary: false });
  expect(await get('workspaces.list', {})).toMatchObject({ current: 'lab', workspaces: [{ id: 'lab' }] });
  expect(await failureOf('samples.lookup', { workspaceId: id, hash: '0'.repeat(32) })).toMatchObject({
    kind: 'workspace-missing',
  });
});

test('a removed workspace announces its changes to the library', async () => {
  const bytes = Buffer.from('known there alone');
  const { id } = await get('workspaces.add', draft(await repositoryWith({ md5: md5Of(bytes) }, bytes)));
  await get('samples.lookup', { workspaceId: id, hash: md5Of(bytes) });
  await expect.poll(() => reported.map(({ name }) => name)).toContain('library.changed');
  reported.length = 0;
  await get('workspaces.remove', { id, forgetLibrary: true });
  await expect.poll(() => reported.map(({ name }) => name)).toContain('library.changed');
  expect(await get('library.count', {})).toMatchObject({ samples: 0 });
});

test('the lab passes its own connection test', async () => {
  const { tests } = await get('workspaces.test', { id: 'lab', draft: null });
  const good = { reachable: true, trusted: null, tokenAccepted: true, failure: null };
  const allOf = (service: ServiceName): object[] =>
    actionsOf[service].filter((action) => !optionalActions.has(action)).map((action) => ({ action, answers: true }));
  expect(tests).toEqual([
    { service: 'repository', ...good, actions: allOf('repository') },
    { service: 'rule-editor', ...good, actions: allOf('rule-editor') },
  ]);
});

test('the built-in workspace cannot be changed or removed', async () => {
  const basedOn = (await get('workspaces.list', {})).workspaces.find(({ id }) => id === 'lab') ?? expect.fail('no lab');
  expect(await failureOf('workspaces.edit', { id: 'lab', draft: draft('https://one.example'), basedOn })).toMatchObject(
    { kind: 'workspace-built-in' },
  );
  expect(await failureOf('workspaces.remove', { id: 'lab', forgetLibrary: true })).toMatchObject({
    kind: 'workspace-built-in',
  });
});

test('a single-command host runs the operation, and starts the lab only when needed', async () => {
  await host.close();
  const platform = createNodePlatform({ dataDirectory: join(folder, 'data'), exportFolder: null });
  const started: string[] = [];
  const startProcess: typeof platform.startProcess = (entry) => (started.push(entry), platform.startProcess(entry));
  host = await compose({ platform: { ...platform, startProcess }, exportFolder: null, background: false });
  expect(await get('library.count', {})).toMatchObject({ samples: 0 });
  expect(started).toEqual([]);
  expect((await get('lab.publications', {})).publications).not.toEqual([]);
  expect(started).toEqual(['lab']);
});

const killedFile = fileURLToPath(new URL('./services/exports/killed-file.fixture.ts', import.meta.url));

test('the next start removes only the leftover files that belong to no job of a killed program', async () => {
  await host.close();
  const exportFolder = join(folder, 'exports');
  const [, signal] = await once(spawn(execPath, [killedFile, folder], { stdio: 'inherit' }), 'exit');
  expect([signal, await readdir(exportFolder)]).toEqual([
    'SIGKILL',
    [expect.stringMatching(/^\.vitrine-[0-9a-f]{32}\.part$/)],
  ]);
  const theirs = [`.vitrine-${'1'.repeat(32)}.part`, 'journal.csv'];
  for (const name of theirs) await writeFile(join(exportFolder, name), 'theirs');
  host = await openTestHost();
  await expect.poll(() => readdir(exportFolder)).toEqual(theirs);
});
