import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

async function start(entry: 'web' | 'lab', args: readonly string[], errors: 'pipe' | number): Promise<ChildProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-output-'));
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(`../${entry}.ts`, import.meta.url)), ...args, '--data', join(folder, 'data')],
    { stdio: ['pipe', 'pipe', errors] },
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  return child;
}

/** The address in its output. */
async function originOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout)
    for await (const line of createInterface(stdout))
      for (const [origin] of line.matchAll(/http:\/\/127\.0\.0\.1:\d+/g)) return origin;
  throw new Error('it ended before it said where it is');
}

/** It ends on request, and not before. */
async function endOf(child: ChildProcess): Promise<unknown[]> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  return gone;
}

test('Vitrine continues when its terminal is gone', async () => {
  const child = await start('web', ['--port', '0', '--no-open'], 'pipe');
  const origin = await originOf(child);
  child.stdout?.destroy();
  child.stderr?.destroy();
  for (let pressed = 0; pressed < 10; pressed += 1) {
    child.stdin?.write('\n');
    expect((await fetch(origin)).status).toBeLessThan(500);
  }
  expect(await endOf(child)).toEqual([0, null]);
});

test.skipIf(process.platform !== 'linux')(
  'the lab continues when the disk has no space for its output',
  { tags: ['long'] },
  async () => {
    const full = openSync('/dev/full', 'w');
    const child = await start('lab', ['--port', '0'], full);
    closeSync(full);
    const origin = await originOf(child);
    for (let asked = 0; asked < 3; asked += 1)
      expect((await fetch(`${origin}/repository/api.php`)).status).toBeLessThan(500);
    expect(await endOf(child)).toEqual([0, null]);
  },
);

test('a lab command fails when its output is lost', async () => {
  const child = await start('lab', ['--help'], 'pipe');
  const gone = once(child, 'exit');
  child.stdout?.destroy();
  expect([await gone, child.stderr && (await text(child.stderr))]).toEqual([[1, null], '']);
});
