import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env, execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LabStock, makeLabStock } from './cli-process.fixture.ts';

const document = await readFile(new URL('../docs/command-line.md', import.meta.url), 'utf8');
const [introduction = ''] = document.split('\n## ');
/** The blocks before the first heading, in their order: each builds on those before. */
const pipelines = [...introduction.matchAll(/^ {3,4}```sh\n([^`]+)^ {3,4}```$/gm)].map(([, block = '']) =>
  block
    .split('\n')
    .map((line) => line.trim())
    .join('\n'),
);

/** What each prints, at least. */
const expected: readonly RegExp[] = [
  /^$/,
  /^44d88612fea8a8f36de82e1278abb02f\t\S+\t\S+/m,
  /^ *\d+ done$/m,
  /^(?:[0-9a-f]{32,64}\t\d+\t.+\n){3}$/,
  /^ *\d+ \S+/,
  /^ *\d+ \S+\.yar/m,
  /^incoming\/note\.txt$/m,
  /^1 changed$/m,
  /^ *\d+ \S+/,
  /^20\d\d-\S+Z\t\S+/m,
];

let stock: LabStock;
let folder: string;
let program: ChildProcess;
beforeAll(async () => {
  stock = await makeLabStock();
  folder = await mkdtemp(join(tmpdir(), 'vitrine-pipelines-'));
  const command = join(folder, 'bin', 'vitrine');
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'here'));
  const source = fileURLToPath(new URL('./cli.ts', import.meta.url));
  await writeFile(command, `#!/bin/sh\nexec '${execPath}' '${source}' "$@"\n`);
  await chmod(command, 0o755);
  const data = join(folder, 'data', 'Vitrine');
  await cp(stock.folder, join(data, 'lab'), { recursive: true });
  program = await openedProgram(data);
}, 240_000);
afterAll(async () => {
  const ended = once(program, 'exit');
  program.kill('SIGTERM');
  await ended;
  await stock.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Open while the pipelines run, so that the lab starts once. */
async function openedProgram(data: string): Promise<ChildProcess> {
  const web = fileURLToPath(new URL('./web.ts', import.meta.url));
  const args = [web, '--port', '0', '--data', data, '--exports', join(folder, 'exports'), '--no-open'];
  const child = spawn(execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) if (/http:\/\/127\.0\.0\.1:\d+\/#/.test(line)) return child;
  throw new Error('the program ended before it was open');
}

test('the document begins with ten pipelines', () => {
  expect(pipelines).toHaveLength(10);
});

// Elsewhere the usual data directory is that of the person.
test.runIf(process.platform === 'linux').each(pipelines.map((block, at) => [at + 1, block] as const))(
  'pipeline %i of the document works when pasted',
  { timeout: 240_000 },
  (number, block) => {
    const { stdout, stderr } = spawnSync('bash', ['-c', block], {
      cwd: join(folder, 'here'),
      encoding: 'utf8',
      env: {
        ...env,
        PATH: `${join(folder, 'bin')}${delimiter}${env['PATH'] ?? ''}`,
        XDG_DATA_HOME: join(folder, 'data'),
        XDG_CONFIG_HOME: join(folder, 'config'),
      },
    });
    expect(readFileSync(join(folder, 'here', 'hashes.txt'), 'utf8'), stderr).not.toBe('');
    expect(stdout, stderr).toMatch(expected[number - 1] ?? /^never$/);
    expect(stderr).not.toMatch(/defect|See "vitrine/);
  },
);
