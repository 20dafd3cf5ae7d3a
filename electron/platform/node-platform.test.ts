import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ProcessEnd } from '../../shared/domain/process-end.ts';
import { startProgram } from './node-platform.ts';

function started(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'program.mjs'), program);
  const process = startProgram(join(folder, 'program.mjs'));
  return { process, end: new Promise<ProcessEnd>((resolve) => process.onExit(resolve)) };
}

test('a program that throws while loading reports its exit code and the error', async () => {
  const { end } = started("throw new Error('no such algorithm');");
  expect(await end).toEqual({
    code: 1,
    signal: null,
    lastWords: expect.stringContaining('Error: no such algorithm\n    at '),
  });
});

test('a program that ends right after writing delivers all its output', async () => {
  const { end } = started(
    "import { writeSync } from 'node:fs'; writeSync(2, 'x'.repeat(300) + ' the end'); process.exit(3);",
  );
  expect(await end).toMatchObject({ code: 3, lastWords: expect.stringMatching(/^x{300} the end$/) });
});

test.runIf(process.platform !== 'win32')('a program ended by a signal reports the signal', async () => {
  const { end } = started("process.kill(process.pid, 'SIGSEGV');");
  expect(await end).toMatchObject({ code: null, signal: 'SIGSEGV' });
});

test('a program that does not exist reports the reason', async () => {
  const end = await new Promise<ProcessEnd>((resolve) =>
    startProgram(join(tmpdir(), 'vitrine-no-such-program.mjs')).onExit(resolve),
  );
  expect(end).toMatchObject({ code: 1, lastWords: expect.stringContaining('Cannot find module') });
});

test('a killed program reports its end without an error', async () => {
  const { process: program, end } = started('setInterval(() => {}, 1000);');
  await program.kill();
  expect(await end).toMatchObject({ code: null, lastWords: '' });
});
