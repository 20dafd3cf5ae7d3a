import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { createServer, request, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { longAfter } from '../shared/testing/long-after.ts';
import { type CommandLineLab, jsonOf, type LabStock, makeLabStock, openCommandLineLab } from './cli-process.fixture.ts';
import { holdDataDirectory } from './storage/directory/data-lock.ts';

const eicar = '44d88612fea8a8f36de82e1278abb02f';
const unknown = 'd41d8cd98f00b204e9800998ecf8427e';
const token = 'a-recognisable-token-0123456789';

let stock: LabStock;
beforeAll(async () => {
  stock = await makeLabStock();
});
afterAll(() => stock.remove());

async function newLab(): Promise<CommandLineLab> {
  const lab = await openCommandLineLab(stock);
  onTestFinished(() => lab.close());
  return lab;
}

/** A repository that knows one sample's record, and takes one token. */
async function team(): Promise<{ url: string }> {
  const url = await serve((asked, reply) => {
    if (asked.url?.includes(token)) reply.end(JSON.stringify({ file: { md5: eicar, name: 'eicar.com' } }));
    else reply.writeHead(401).end();
  });
  return { url };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  const address = server.address();
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '';
}

const labProgram = (args: readonly string[]): ChildProcess =>
  spawn(execPath, [fileURLToPath(new URL('./lab.ts', import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const printed = async ({ stdout }: ChildProcess, pattern: RegExp): Promise<string> => {
  let said = '';
  for await (const piece of stdout ?? []) {
    said += String(piece);
    const [, found] = pattern.exec(said) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`nothing of ${pattern} in: ${said}`);
};

/** A lab of a team, whose downloads are held back until they are let go. */
async function heldLab(folder: string): Promise<{ url: string; labToken: string; letGo(): void; held(): number }> {
  const data = join(folder, 'team');
  const lab = labProgram(['--port', '0', '--data', data]);
  onTestFinished(() => void lab.kill());
  const labUrl = await printed(lab, /(http:\/\/127\.0\.0\.1:\d+\/repository)\/api\.php/);
  const labToken = await printed(
    labProgram(['token', 'add', '--rights', 'read,download', '--data', data]),
    /^([0-9A-Za-z_-]{32,})$/m,
  );
  const waiting: (() => void)[] = [];
  let isHeld = true;
  const url = await serve((asked, reply) => {
    const pass = (): void =>
      void asked.pipe(
        request(
          `${labUrl}${asked.url}`,
          { method: asked.method ?? 'GET', headers: { ...asked.headers, host: new URL(labUrl).host } },
          (answer) => answer.pipe(reply.writeHead(answer.statusCode ?? 500, answer.headers)),
        ).on('error', () => reply.destroy()),
      );
    if (isHeld && !asked.url?.includes('action=getfile&')) waiting.push(pass);
    else pass();
  });
  const letGo = (): void => {
    isHeld = false;
    for (const pass of waiting.splice(0)) pass();
  };
  return { url, labToken, letGo, held: () => waiting.length };
}
const eicarBytes = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('-');

const spawned = (
  lab: CommandLineLab,
  args: readonly string[],
  environment: Record<string, string> = {},
): ChildProcess =>
  spawn(execPath, [fileURLToPath(new URL('./cli.ts', import.meta.url)), ...args, '--data', lab.data], {
    env: { ...process.env, ...environment },
    stdio: 'pipe',
  });

const recordIn = (reported: unknown): unknown =>
  JSON.parse(JSON.stringify(reported), (name, value: unknown) =>
    name === 'local' || name === 'elapsedMs' ? undefined : value,
  );

test(
  'a look-up returns the same result with and without a running Vitrine',
  { tags: ['long'], timeout: 60_000 },
  async () => {
    const lab = await newLab();
    const alone = await jsonOf(lab.here, ['lookup', eicar]);
    await lab.openRunning();
    const [atHost] = await jsonOf(lab.run, ['lookup', eicar]);
    expect(alone).toMatchObject([{ hash: eicar, result: { asked: eicar, record: { md5: eicar } } }]);
    expect([recordIn(atHost)]).toEqual(alone.map(recordIn));
    expect(await lab.run(['lookup', unknown])).toMatchObject({ code: 3, output: '' });
  },
);

test('a killed Vitrine counts as not running, and its data is opened', async () => {
  const lab = await newLab();
  const host = spawn(
    execPath,
    [fileURLToPath(new URL('./web.ts', import.meta.url)), '--port', '0', '--data', lab.data, '--no-open'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(host.stdout, 'data');
  expect(existsSync(join(lab.data, 'desk.key'))).toBe(true);
  host.kill('SIGKILL');
  await once(host, 'exit');
  expect(await lab.here(['library', '--count'])).toMatchObject({ code: 0, output: '0\n' });
}, 60_000);

test(
  'two concurrent commands run one after the other, and one that may not wait ends with 6',
  { tags: ['long'], timeout: 60_000 },
  async () => {
    const lab = await newLab();
    const both = await Promise.all([lab.run(['lookup', eicar]), lab.run(['lookup', eicar, '--wait', '60'])]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const lock = holdDataDirectory(lab.data, { fileName: 'lock.db', waitMs: 0 });
    onTestFinished(() => lock.release());
    expect(await lab.here(['library', '--count', '--wait', '0'])).toMatchObject({ code: 6, output: '' });
  },
);

test('a look-up refuses an unknown workspace, an unknown option and a secret as an argument', async () => {
  const lab = await newLab();
  expect(await lab.here(['lookup', eicar, '--workspace', 'nowhere'])).toMatchObject({
    code: 3,
    errors: expect.stringContaining('"nowhere"'),
  });
  expect(await lab.here(['lookup', eicar, '--loud'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--loud'),
  });
  const secret = await lab.run(['lookup', eicar, `--token=${token}`]);
  expect(secret).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Use --repository-token-file FILE or VITRINE_REPOSITORY_TOKEN'),
  });
  expect(secret.errors).not.toContain(token);
  expect(await lab.here(['lookup'])).toMatchObject({ code: 2 });
  expect(await lab.here(['frobnicate'])).toMatchObject({ code: 2 });
}, 60_000);

test('a look-up fails without a token or with a wrong one, and leaves no trace of the right one', async () => {
  const lab = await newLab();
  const { url } = await team();
  expect(await lab.here(['workspace', 'add', 'Team', '--repository', url])).toMatchObject({ code: 0 });
  expect(await lab.here(['workspace', 'use', 'team'])).toMatchObject({ code: 0 });
  expect(await lab.here(['lookup', eicar])).toMatchObject({ code: 4 });
  expect(
    await lab.here(['lookup', eicar], { environment: { VITRINE_REPOSITORY_TOKEN: 'another-token-0123456789' } }),
  ).toMatchObject({ code: 4 });
  const file = join(lab.folder, 'token.txt');
  await writeFile(file, `${token}\n`);
  const ran = [
    await lab.run(['lookup', eicar], { environment: { VITRINE_REPOSITORY_TOKEN: token } }),
    await lab.here(['lookup', eicar, '--repository-token-file', file]),
  ];
  expect(ran).toMatchObject([{ code: 0 }, { code: 0 }]);
  const kept = await Promise.all(
    (await readdir(lab.data, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
  );
  for (const reported of [...ran.flatMap(({ output, errors }) => [output, errors]), ...kept])
    expect(reported).not.toContain(token);
  await lab.openRunning();
  const refused = await lab.run(['lookup', eicar], { environment: { VITRINE_REPOSITORY_TOKEN: token } });
  expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining('uses its own tokens') });
}, 90_000);

test('a token is stored in a sealed file and used when it is unlocked', { timeout: 90_000 }, async () => {
  const lab = await newLab();
  const { url } = await team();
  await lab.here(['workspace', 'add', 'Team', '--repository', url]);
  expect(await lab.here(['workspace', 'token', 'Team', 'repository'], { input: token })).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--new-passphrase-file'),
  });
  const file = join(lab.folder, 'passphrase.txt');
  await writeFile(file, 'correct horse\n');
  expect(
    await lab.here(['workspace', 'token', 'Team', 'repository', '--new-passphrase-file', file], { input: token }),
  ).toMatchObject({ code: 0 });
  expect(await lab.here(['lookup', eicar, '-w', 'Team'])).toMatchObject({ code: 4 });
  expect(
    await lab.here(['lookup', eicar, '-w', 'Team'], { environment: { VITRINE_PASSPHRASE: 'wrong horse' } }),
  ).toMatchObject({ code: 4 });
  expect(await lab.here(['lookup', eicar, '-w', 'Team', '--passphrase-file', file])).toMatchObject({ code: 0 });
});

test('lookup reads hashes from a pipe, removes duplicates and reports malformed ones on stderr', async () => {
  const lab = await newLab();
  const input = [
    ...Array.from({ length: 10_000 }, (_one, index) => [eicar, unknown][index % 2]),
    'd41d8cd98f00b204e9800998ecf842',
  ].join('\n');
  const { code, output, errors } = await lab.run(['lookup', '-'], { input });
  expect([code, output.split('\n').map((line) => line.slice(0, 32))]).toEqual([3, [eicar, unknown, '']]);
  expect(errors).toContain('line 10001: "d41d8cd98f00b204e9800998ecf842"');
}, 60_000);

test('a command ends quietly when its output is no longer read', { timeout: 60_000 }, async () => {
  const lab = await newLab();
  const child = spawned(lab, ['lookup', '-']);
  child.stdin?.end(Array.from({ length: 400 }, (_one, index) => index.toString(16).padStart(32, 'a')).join('\n'));
  const errors = child.stderr ? text(child.stderr) : '';
  if (child.stdout) await once(child.stdout, 'data');
  child.stdout?.destroy();
  expect(await once(child, 'exit')).toEqual([141, null]);
  expect(await errors).not.toMatch(/defect|EPIPE/);
});

test.runIf(existsSync('/dev/full'))(
  'a command ends with 6 and a message when the disk of its output is full',
  async () => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const command = spawn(execPath, [fileURLToPath(new URL('./cli.ts', import.meta.url)), '--help'], {
      stdio: ['ignore', full, 'pipe'],
    });
    const ended = once(command, 'exit');
    let said = '';
    for await (const piece of command.stderr ?? []) said += String(piece);
    await ended;
    expect([command.exitCode, said]).toEqual([6, 'Cannot write the output: the disk is full.\n']);
  },
);

test('one Ctrl-C ends a look-up that waits for the service', async () => {
  const lab = await newLab();
  const asked = Promise.withResolvers<void>();
  const url = await serve(() => asked.resolve());
  expect(await lab.here(['workspace', 'add', 'Team', '--repository', url, '--allow-http'])).toMatchObject({ code: 0 });
  const command = spawn(
    execPath,
    [fileURLToPath(new URL('./cli.ts', import.meta.url)), 'lookup', eicar, '-w', 'Team', '--data', lab.data],
    { stdio: 'ignore', env: { ...process.env, VITRINE_REPOSITORY_TOKEN: token } },
  );
  const ended = once(command, 'exit');
  await asked.promise;
  command.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
}, 20_000);

test('one Ctrl-C ends a command whose output is not read', { timeout: 60_000, tags: ['long'] }, async () => {
  const lab = await newLab();
  const url = await serve((_asked, reply) =>
    reply.end(
      JSON.stringify({ file: { md5: eicar, name: 'eicar.com', comments: [{ id: 1, content: 'x'.repeat(2 ** 21) }] } }),
    ),
  );
  expect(await lab.here(['workspace', 'add', 'Team', '--repository', url, '--allow-http'])).toMatchObject({ code: 0 });
  const command = spawned(lab, ['lookup', eicar, '--json', '-w', 'Team'], { VITRINE_REPOSITORY_TOKEN: token });
  const ended = once(command, 'exit');
  if (command.stdout) await once(command.stdout, 'readable');
  command.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
});

const pipeIn = (lab: CommandLineLab): string => {
  const path = join(lab.folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
};

for (const { tags, cases } of longAfter(1, [
  ['a list of hashes', ['lookup', '--file']],
  ['a comment', ['comment', eicar, '--file']],
  ['a passphrase', ['library', '--count', '--passphrase-file']],
]))
  test.skipIf(process.platform === 'win32').each(cases)(
    'one Ctrl-C ends the wait for %s from a pipe',
    { timeout: 60_000, tags },
    async (_what, args) => {
      const lab = await newLab();
      const pipe = pipeIn(lab);
      const command = spawned(lab, [...args, pipe]);
      const ended = once(command, 'exit');
      // It can be opened as soon as the command waits for what comes of it.
      const end = await vi.waitFor(() => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK), {
        timeout: 20_000,
      });
      onTestFinished(() => closeSync(end));
      command.kill('SIGINT');
      expect(await ended).toEqual([130, null]);
    },
  );

test.runIf(existsSync('/proc/self/fd'))(
  'one Ctrl-C ends the writing into a pipe that is not read',
  { timeout: 60_000, tags: ['long'] },
  async () => {
    const lab = await newLab();
    const pipe = pipeIn(lab);
    const full = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(full));
    expect(() => {
      for (;;) writeSync(full, Buffer.alloc(4096));
    }).toThrow('EAGAIN');
    const command = spawned(lab, ['journal', 'export', '--out', pipe, '--force']);
    const ended = once(command, 'exit');
    const openFiles = async (): Promise<string[]> =>
      Promise.all(
        (await readdir(`/proc/${command.pid}/fd`)).map((fd) =>
          readlink(`/proc/${command.pid}/fd/${fd}`).catch(() => ''),
        ),
      );
    await vi.waitFor(async () => expect(await openFiles()).toContain(pipe), { timeout: 20_000 });
    command.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a command reads and writes named pipes completely',
  { timeout: 60_000 },
  async () => {
    const lab = await newLab();
    const pipe = pipeIn(lab);
    const looked = lab.here(['lookup', '--file', pipe]);
    await writeFile(pipe, `${eicar}\n`);
    expect(await looked).toMatchObject({ code: 0 });
    const exported = spawned(lab, ['journal', 'export', '--out', pipe, '--force']);
    expect(await readFile(pipe, 'utf8')).toContain(eicar);
    expect(await once(exported, 'exit')).toEqual([0, null]);
  },
);

test('Ctrl-C pauses a download, which can be resumed', async () => {
  const lab = await newLab();
  const { url, labToken, letGo, held } = await heldLab(lab.folder);
  await lab.here(['workspace', 'add', 'Team', '--repository', url]);
  const environment = { VITRINE_REPOSITORY_TOKEN: labToken };
  const child = spawned(lab, ['download', eicar, '-w', 'Team'], environment);
  const errors = child.stderr ? text(child.stderr) : '';
  await vi.waitFor(() => expect(held()).toBeGreaterThan(0), { timeout: 20_000 });
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  const job = /vitrine download --resume (\d+)/.exec(await errors)?.[1] ?? '';
  letGo();
  expect(await lab.here(['download', '--resume', job, '-w', 'Team'], { environment })).toMatchObject({
    code: 0,
    output: expect.stringContaining(`${eicar}\tdone`),
  });
}, 90_000);

test('an unwritable folder is reported before anything is fetched, and a writable one gets a ZIP', async () => {
  const lab = await newLab();
  await mkdir(lab.folder, { recursive: true });
  await writeFile(join(lab.folder, 'a-file'), '');
  expect(await lab.here(['download', eicar, '--out', join(lab.folder, 'a-file')])).toMatchObject({ code: 6 });
  expect(await jsonOf(lab.here, ['journal'])).toEqual([]);
  expect(await lab.here(['download', eicar, '--out', lab.folder, '--form', 'raw'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--yes-live-bytes'),
  });
  const out = join(lab.folder, 'out');
  expect(await lab.here(['download', eicar, '--out', out])).toMatchObject({ code: 0 });
  expect((await readdir(out)).map((name) => name.slice(-4))).toEqual(['.zip']);
  for (const name of await readdir(out)) expect(await readFile(join(out, name), 'latin1')).not.toContain(eicarBytes);
}, 60_000);

test('the journal is listed and verified, and a modified entry is named', async () => {
  const lab = await newLab();
  await lab.here(['lookup', eicar]);
  expect(await jsonOf(lab.here, ['journal', '--operation', 'look-up'])).toMatchObject([
    { number: 1, row: { operation: 'look-up', hash: eicar } },
  ]);
  expect(await lab.here(['journal', 'verify'])).toMatchObject({ code: 0 });
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(join(lab.data, 'vitrine.db'));
  db.exec("UPDATE journal SET outcome = 'nothing' WHERE number = 1");
  db.close();
  expect(await lab.here(['journal', 'verify'])).toMatchObject({ code: 1, output: expect.stringContaining('entry 1') });
}, 60_000);
