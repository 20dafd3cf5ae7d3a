import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { findNode24 } from './node-runtime.mjs';
import { root } from './paths.ts';

let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'vitrine-run-'));
  mkdirSync(join(tree, 'build'));
  for (const name of [
    'build/run.mjs',
    'build/install-state.mjs',
    'build/node-runtime.mjs',
    'package-lock.json',
    'package.json',
  ]) {
    copyFileSync(join(root, name), join(tree, name));
  }
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

function installed(): void {
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction');
}
function verb(text: string): void {
  writeFileSync(join(tree, 'build', 'verb.ts'), text);
}
/** `agent`: the package manager and its Node, as npm passes them to a script; undefined: started without one. */
const environment = (agent?: string): NodeJS.ProcessEnv => ({ ...process.env, npm_config_user_agent: agent });
function run(...args: string[]) {
  return spawnSync(process.execPath, [join(tree, 'build', 'run.mjs'), ...args], {
    encoding: 'utf8',
    env: environment(),
  });
}

test('a verb receives its arguments, runs on Node 24 and returns its exit code', () => {
  installed();
  verb(
    'const all: string[] = [process.versions.node.split(".")[0] ?? "", ...process.argv.slice(2)];\n' +
      'process.stdout.write(all.join(" "));\nprocess.exit(7);',
  );
  expect(run('verb', '--port', '0')).toMatchObject({ stdout: '24 --port 0', status: 7 });
});

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

test.each(Object.entries(scripts))('"npm run %s" is a verb', (_name, script) => {
  installed();
  const [, name = ''] = /^node build\/run\.mjs (\S+)$/.exec(script) ?? [];
  const path = name === 'vitrine' ? ['electron', 'cli.ts'] : ['build', `${name}.ts`];
  mkdirSync(join(tree, 'electron'));
  writeFileSync(join(tree, ...path), 'process.stdout.write("here");');
  expect(run(name)).toMatchObject({ stdout: 'here', stderr: '', status: 0 });
});

const hasPinnedNode = findNode24({ root, execPath: '', version: '20.20.2' }) !== null;
test.skipIf(!hasPinnedNode).each([
  ['start', /^Node 20\.20\.2 is older than 22\. Using Node 24\.\d+\.\d+ from node_modules\/node-[a-z0-9-]+\.\n$/],
  ['lab', /^$/],
])('"npm run %s" on Node 20 runs on Node 24', (name, line) => {
  installed();
  writeFileSync(join(tree, 'build', `${name}.ts`), 'process.stdout.write(process.versions.node);');
  const older = `import module from 'node:module';
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
    module.syncBuiltinESMExports();`;
  const ran = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, join(tree, 'build', 'run.mjs'), name],
    { encoding: 'utf8', env: environment() },
  );
  const expected = { stdout: expect.stringMatching(/^24\./), stderr: expect.stringMatching(line), status: 0 };
  expect(ran).toMatchObject(expected);
  const byNpm = spawnSync(process.execPath, [join(tree, 'build', 'run.mjs'), name], {
    encoding: 'utf8',
    env: environment('npm/11.19.1 node/v20.20.2 linux x64 workspaces/false'),
  });
  expect(byNpm).toMatchObject(expected);
});

test('a command runs in the current folder and process, with its arguments and standard input', () => {
  installed();
  mkdirSync(join(tree, 'electron'));
  writeFileSync(
    join(tree, 'electron', 'cli.ts'),
    'for await (const piece of process.stdin) process.stdout.write([process.cwd(), process.ppid, ' +
      '...process.argv.slice(2), String(piece)].join(" "));\nprocess.exit(3);',
  );
  const ran = spawnSync(process.execPath, [join(tree, 'build', 'run.mjs'), 'vitrine', 'lookup', '-'], {
    encoding: 'utf8',
    input: 'a hash',
    env: { ...process.env, INIT_CWD: tmpdir() },
  });
  expect(ran).toMatchObject({ stdout: `${tmpdir()} ${process.pid} lookup - a hash`, stderr: '', status: 3 });
});

test('a verb receives a signal, and its reaction decides the exit code', async () => {
  installed();
  verb(
    'setInterval(() => undefined, 1000);\nprocess.on("SIGTERM", () => process.exit(9));\n' +
      'process.stdout.write("ready");',
  );
  const child = spawn(process.execPath, [join(tree, 'build', 'run.mjs'), 'verb'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([9, null]);
});

test.skipIf(process.platform === 'win32')(
  'a verb ends with the shell that started it when that shell forwards no signal',
  async () => {
    installed();
    const done = join(tree, 'done');
    verb(
      `import { writeFileSync } from 'node:fs';\nsetInterval(() => undefined, 1000);\n` +
        `process.on("SIGTERM", () => { writeFileSync(${JSON.stringify(done)}, 'ended'); process.exit(0); });\n` +
        'process.stdout.write("ready");',
    );
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${join(tree, 'build', 'run.mjs')}" verb; true`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(shell.stdout, 'data');
    shell.kill('SIGKILL');
    await vi.waitFor(() => expect(readFileSync(done, 'utf8')).toBe('ended'), { timeout: 30_000 });
  },
);

test('a verb without installed packages names the command to run', () => {
  verb('process.stdout.write("never");');
  expect(run('verb')).toMatchObject({
    stdout: '',
    stderr: 'The packages are not installed. Run "npm ci" first.\n',
    status: 1,
  });
});

test.each(['nothing', '../verb', 'Verb', '', 'run.mjs'])('"%s" is refused as a verb', (name) => {
  installed();
  verb('process.stdout.write("never");');
  expect(run(name)).toMatchObject({ stdout: '', stderr: expect.stringContaining('There is no verb'), status: 1 });
});
