import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { labMessage } from '../../shared/domain/lab.ts';
import { serveStores } from './lab.ts';
import {
  ended,
  labCommand,
  labCommandHere,
  startLabCommand,
  startLabProcess,
  withDirectory,
} from './running-lab.fixture.ts';
import { eicar } from './sample-file-bytes.ts';
import { sampleFileList } from './stock.ts';
import { openFolderStores } from './stores/folder/folder-stores.ts';

const eicarMd5 = '44d88612fea8a8f36de82e1278abb02f';

/** A stocked lab; tests that are not about its first start work on a copy. */
let template: string;
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'vitrine-lab-template-'));
  await (await startLabProcess(template)).stop();
});
afterAll(() => rm(template, { recursive: true, force: true }));

async function withStockedCopy(work: (directory: string) => Promise<void>): Promise<void> {
  await withDirectory(async (directory) => {
    await cp(template, directory, { recursive: true });
    await work(directory);
  });
}

async function filesUnder(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function filesHolding(directory: string, bytes: Buffer): Promise<string[]> {
  const files = await filesUnder(directory);
  const holding = await Promise.all(files.map(async (file) => (await readFile(file)).includes(bytes)));
  return files.filter((_file, index) => holding[index]);
}

test('the lab reports its port and sample files to Vitrine, and a second start finds them again', async () => {
  await withDirectory(async (directory) => {
    for (let start = 0; start < 2; start += 1) {
      const lab = await startLabProcess(directory);
      expect(lab.answer).toEqual({ kind: 'listening', port: expect.any(Number), sampleFiles: sampleFileList() });
      expect((await lab.ask('getfile', { hash: eicarMd5 })).status).toBe(200);
      await lab.stop();
      expect(lab.process.exitCode).toBe(0);
    }
  });
});

test('the lab refuses the token of an earlier start', async () => {
  await withStockedCopy(async (directory) => {
    const first = await startLabProcess(directory, ['read'], 'a'.repeat(64));
    await first.stop();
    const second = await startLabProcess(directory, ['read'], 'b'.repeat(64));
    expect((await second.ask('getfile', { hash: eicarMd5, token: 'a'.repeat(64) })).status).toBe(401);
    await second.stop();
  });
});

test('the lab’s directory holds neither the antivirus test string nor a token in plain form', async () => {
  await withDirectory(async (directory) => {
    const lab = await startLabProcess(directory, ['read', 'download'], 'c'.repeat(64));
    const made = (await labCommandHere('token', 'add', '--rights', 'read', '--data', directory)).trim();
    expect((await lab.ask('downloadfile', { file: eicarMd5 })).status).toBe(200);
    expect((await lab.ask('getfile', { hash: eicarMd5, token: made })).status).toBe(200);
    // The scan must be able to find something: a tag that lies there in plain text.
    expect(await filesHolding(directory, Buffer.from('family:glasswing'))).not.toEqual([]);
    for (const secret of [eicar(), Buffer.from(made), Buffer.from(made, 'hex'), Buffer.from('c'.repeat(64))])
      expect(await filesHolding(directory, secret)).toEqual([]);
    await lab.stop();
    for (const secret of [eicar(), Buffer.from(made), Buffer.from(made, 'hex')])
      expect(await filesHolding(directory, secret)).toEqual([]);
  });
});

test('a killed lab leaves its directory free for the next', async () => {
  await withStockedCopy(async (directory) => {
    const first = await startLabProcess(directory);
    await ended(first.process, () => first.process.kill('SIGKILL'));
    const second = await startLabProcess(directory);
    expect(second.answer.kind).toBe('listening');
    await second.stop();
  });
});

test('the lab names a directory that is a file in its failure', async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'file');
    await writeFile(path, '');
    const lab = await startLabProcess(path);
    expect(lab.answer).toMatchObject({ kind: 'failed', failure: { path } });
    await ended(lab.process, () => {});
  });
});

test('the lab reports a busy port as a distinct failure', async () => {
  await withStockedCopy(async (directory) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await labCommand('--port', String(port), '--data', directory)).toMatchObject({
      code: 1,
      remarks: expect.stringContaining(`Port ${port} is in use`),
    });
    other.close();
  });
});

test('the lab ends when Vitrine dies without a message', async () => {
  await withStockedCopy(async (directory) => {
    const host = startLabHost(directory);
    await once(host.stdout ?? host, 'data');
    // The lab holds the other end of this pipe too: it closes when both are gone.
    const bothEnded = once(host.stdout ?? host, 'close');
    host.kill('SIGKILL');
    await bothEnded;
    const next = await startLabProcess(directory);
    expect(next.answer.kind).toBe('listening');
    await next.stop();
  });
});

/** A program that only starts a lab and forwards its own output to it. */
function startLabHost(directory: string): ChildProcess {
  const entry = fileURLToPath(new URL('../lab.ts', import.meta.url));
  const start = { kind: 'start', dataDirectory: directory, port: 0, token: 'd'.repeat(64), rights: [] };
  const program = `
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    const lab = require('node:child_process').fork(${JSON.stringify(entry)}, [], { execArgv: [], stdio });
    lab.on('message', () => process.stdout.write('started'));
    lab.send(${JSON.stringify(start)});`;
  return fork('-e', [program], { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
}

test('the running lab prints its address but no token, and exits normally at Ctrl-C', async () => {
  await withStockedCopy(async (directory) => {
    const lab = startLabCommand('--port', '0', '--data', directory);
    let printed = '';
    lab.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [line]: Buffer[] = await once(lab.stdout ?? lab, 'data');
    const address = /http:\/\/127\.0\.0\.1:\d+\/repository\/api\.php/.exec(String(line))?.[0] ?? '';
    const { results } = await labCommand('token', 'add', '--rights', 'read', '--name', 'ana', '--data', directory);
    expect(results).toMatch(/^[0-9a-f]{64}\n$/);
    expect((await fetch(`${address}?action=getfile&token=${results.trim()}&hash=${eicarMd5}`)).status).toBe(200);
    await ended(lab, () => lab.kill('SIGINT'));
    expect(lab.exitCode).toBe(0);
    expect(printed).toContain('token add');
    expect(printed).not.toContain(results.trim());
  });
});

/** Each waits some seconds for the other lab to end. */
describe.concurrent('when a lab is serving', () => {
  test('a second lab on the same directory is refused, and the first continues', async () => {
    await withStockedCopy(async (directory) => {
      const first = await startLabProcess(directory);
      const second = await startLabProcess(directory);
      expect(second.answer).toEqual({ kind: 'failed', failure: { kind: 'data-in-use', path: directory } });
      await ended(second.process, () => {});
      expect((await first.ask('getfile', { hash: eicarMd5 })).status).toBe(200);
      await first.stop();
    });
  });

  test('a file added from this computer is served with its name, tags and bytes', async () => {
    await withStockedCopy(async (directory) => {
      const bytes = randomBytes(700_001);
      const path = join(directory, 'sample.bin');
      await writeFile(path, bytes);
      const added = await labCommand(
        'add',
        path,
        '--name',
        'naïve name.bin',
        '--tags',
        'family:glasswing,tlp:green',
        '--data',
        directory,
      );
      const md5 = createHash('md5').update(bytes).digest('hex');
      expect(added).toMatchObject({ code: 0, results: `${md5}  naïve name.bin\n` });
      const lab = await startLabProcess(directory);
      expect(await (await lab.ask('getfile', { hash: md5 })).json()).toMatchObject({
        file: { filename: 'naïve name.bin', size: bytes.length, tags: 'family:glasswing,tlp:green' },
      });
      expect(bytes.equals(new Uint8Array(await (await lab.ask('downloadfile', { file: md5 })).arrayBuffer()))).toBe(
        true,
      );
      expect(await labCommand('add', path, '--data', directory)).toEqual({
        code: 1,
        results: '',
        remarks: expect.stringMatching(
          new RegExp(
            /^The lab with the data in [^\n]+ is running, by itself or with Vitrine\. /.source +
              /Stop it first, or upload the files to it with a token that has the right upload\.\n$/.source,
          ),
        ),
      });
      await lab.stop();
    });
  });
});

test.each([
  ['an unknown option', ['--bogus'], 2],
  ['an unknown token', ['token', 'remove', '99', '--data', 'DATA'], 2],
  ['a folder instead of a file', ['add', 'DATA', '--data', 'DATA'], 1],
])('the lab command reports %s in one clear line', async (_title, args, code) => {
  await withDirectory(async (directory) => {
    await mkdir(join(directory, 'data'));
    const result = await labCommand(...args.map((arg) => arg.replace('DATA', join(directory, 'data'))));
    expect(result).toMatchObject({ code, results: '', remarks: expect.stringMatching(/^[^\n]{10,}\n$/) });
  });
});

test('the lab command escapes hidden characters of a name in messages and lists', async () => {
  await withDirectory(async (directory) => {
    const { remarks } = await labCommand(
      'token',
      'add',
      '--rights',
      'read',
      '--name',
      'ana \u001b[31m\u009b2J\u202e"',
      '--data',
      directory,
    );
    expect(remarks).toMatch(/^Token for ana \\u001b\[31m\\u009b2J\\u202e", rights/);
    const { results } = await labCommand('token', 'list', '--data', directory);
    expect(results.split('\t')[1]).toBe(String.raw`ana \u001b[31m\u009b2J\u202e"`);
    const refused = await labCommand('token', 'list', '\u001b[31m', '--data', directory);
    expect(refused).toEqual({ code: 2, results: '', remarks: '"\\u001b[31m" is an extra argument.\n' });
  });
});

test('--help lists the commands and options', async () => {
  expect(await labCommand('--help')).toMatchObject({
    code: 0,
    remarks: '',
    results: expect.stringContaining('token add --rights'),
  });
});

test('the lab ends with an error and opens no port when its first message is invalid', async () => {
  const child = fork(fileURLToPath(new URL('../lab.ts', import.meta.url)), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.send({ kind: 'start', port: 'many' });
  const [code]: unknown[] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(labMessage.safeParse({ kind: 'start' }).success).toBe(false);
});

test('a lab sweeps after a minute and then hourly, one at a time, and a sweep ends with the lab', async () => {
  await withStockedCopy(async (directory) => {
    const stores = await openFolderStores(directory);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const sweeps: AbortSignal[] = [];
    const untilAborted = (signal: AbortSignal): Promise<void> => {
      sweeps.push(signal);
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => resolve());
      return promise;
    };
    const lab = await serveStores(stores, {
      port: 0,
      callerOf: async () => null,
      report: (error) => expect.unreachable(String(error)),
      sweep: untilAborted,
    });
    vi.advanceTimersByTime(59_000);
    expect(sweeps).toHaveLength(0);
    vi.advanceTimersByTime(3 * 3_600_000);
    expect(sweeps.map(({ aborted }) => aborted)).toEqual([false]);
    await lab.close(0);
    expect(sweeps.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
