import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readTeamArguments } from './command-line.ts';

const run = promisify(execFile);
const files = fileURLToPath(new URL('../../build/team-lab', import.meta.url));

/** What a program prints about the files; null where it is not installed. */
async function outputOf(program: string, ...args: string[]): Promise<string | null> {
  try {
    const environment = { ...process.env, LAB_HOST: 'samples.example', LAB_PORT: '8443' };
    const { stdout, stderr } = await run(program, args, { cwd: files, env: environment });
    return stdout + stderr;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The arguments of a service in the form that `docker-compose config` prints. */
function commandOf(composed: string, service: string): string[] {
  const [, block = ''] = new RegExp(`^  ${service}:\\n((?:    .*\\n)+)`, 'm').exec(composed) ?? [];
  const [, items = ''] = /^ {4}command:\n((?: {4}- .*\n)+)/m.exec(block) ?? [];
  return items
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^\s*- /, ''));
}

test('the Compose file is valid, and its labs get arguments that the lab reads', async ({ skip }) => {
  const composed = await outputOf('docker-compose', '--file', 'compose.yaml', 'config');
  skip(composed === null, 'docker-compose is missing: apt-get install docker-compose');
  if (composed === null) throw new TypeError('unreachable');
  for (const image of ['database', 'store', 'migrate', 'lab-1', 'lab-2', 'worker-1', 'worker-2', 'proxy'])
    expect(composed).toMatch(new RegExp(`^  ${image}:$`, 'm'));
  expect(readTeamArguments(commandOf(composed, 'migrate'))).toMatchObject({ kind: 'migrate' });
  for (const worker of ['worker-1', 'worker-2'])
    expect(readTeamArguments(commandOf(composed, worker))).toMatchObject({ kind: 'work' });
  for (const lab of ['lab-1', 'lab-2'])
    expect(readTeamArguments(commandOf(composed, lab))).toMatchObject({
      kind: 'serve',
      listen: { host: '0.0.0.0', port: 8080 },
      hosts: ['samples.example', 'samples.example:8443'],
      scanBy: 'workers',
    });
  // The proxy starts last: an address that is given out by then is not its own.
  expect(composed).toMatch(/ip_range: 172\.30\.47\.128\/25\n\s+subnet: 172\.30\.47\.0\/24\n/);
  expect(composed).toMatch(/ipv4_address: 172\.30\.47\.2\n/);
});

test.for(['vitrine-lab.service', 'vitrine-lab-worker.service'])(
  'systemd accepts the unit %s',
  async (unit, { skip }) => {
    const found = await outputOf('systemd-analyze', 'verify', `./${unit}`);
    skip(found === null, 'systemd-analyze is missing');
    // It prints nothing about a unit without a fault.
    expect(found).toBe('');
  },
);
