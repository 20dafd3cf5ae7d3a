import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runInMemory, usualWorkspaces } from './memory-run.fixture.ts';

test('a file that is larger than any list of hashes is refused in a sentence, and not read to its end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-hashes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'large');
  await writeFile(path, '');
  await truncate(path, 600 * 1024 * 1024);
  const run = await runInMemory(['lookup', '--file', path], () => ({ answers: { 'workspaces.list': () => usualWorkspaces } }));
  expect([run.code, run.lines]).toEqual([2, []]);
  expect(run.said.join('\n')).toContain(`--file: more than 64 MiB in ${path}`);
});

test('a file that is not there is named', async () => {
  const run = await runInMemory(['lookup', '--file', '/nowhere/hashes'], () => ({ answers: { 'workspaces.list': () => usualWorkspaces } }));
  expect([run.code, run.said.join('\n').includes('--file: /nowhere/hashes cannot be read (ENOENT)')]).toEqual([2, true]);
});
