import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failed } from '../../shared/failure.ts';
import { FailureError, fail } from '../../shared/failure-error.ts';
import type { Failure } from '../../shared/failure.ts';
import { makeFolder } from './made-folder.ts';
import { runInMemory } from './memory-run.fixture.ts';
import { reasonOf } from './reason.ts';

const [md5, sha256] = [
  'd41d8cd98f00b204e9800998ecf8427e',
  '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-sentences-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test.each([
  ['upload', '/nowhere/x'],
  ['scan', '/nowhere/x'],
  ['bundle', 'show', '/nowhere/x'],
])('%s %s: a path that was never there is said to be not there', async (...args) => {
  vi.stubEnv('VITRINE_BUNDLE_PASSPHRASE', 'correct horse battery staple');
  const { code, said } = await runInMemory(args, () => ({
    answers: {},
    stages: async () => failed({ kind: 'staged-file-missing', id: 'x' }),
  }));
  expect([code, said.at(-1)]).toEqual([3, 'No such file or folder: "/nowhere/x". Nothing was done.']);
  vi.unstubAllEnvs();
});

test('a hash that nobody could be asked for is not told as unknown', async () => {
  const { code, lines } = await runInMemory(['lookup', md5, sha256], () => ({
    answers: {
      'samples.lookup': ({ hash }) =>
        fail(hash === sha256 ? { kind: 'needs-md5', hash } : { kind: 'unknown-hash', service: 'repository', hash }),
    },
  }));
  expect([code, lines]).toEqual([
    3,
    [
      expect.stringMatching(
        `^${md5}\tunknown\t.*${reasonOf({ kind: 'unknown-hash', service: 'repository', hash: md5 })}$`,
      ),
      expect.stringMatching(`^${sha256}\tneeds-md5\t.*${reasonOf({ kind: 'needs-md5', hash: sha256 })}$`),
    ],
  ]);
});

test.each<[Failure, string]>([
  [{ kind: 'token-missing', service: 'rule-editor' }, 'vitrine workspace token NAME rule-editor'],
  [{ kind: 'secrets-locked' }, '--passphrase-file FILE'],
])('what is done in the settings of the window is told for a terminal too: %j', async (failure, way) => {
  const { code, said } = await runInMemory(['lookup', md5], () => ({
    answers: { 'samples.lookup': () => fail(failure) },
  }));
  expect([code, said]).toEqual([4, [expect.stringContaining(way)]]);
});

test('a folder is made with those above it, and where none can be made that is told', async () => {
  const folder = await newFolder();
  await makeFolder(join(folder, 'a/b/c'));
  expect(existsSync(join(folder, 'a/b/c'))).toBe(true);
  await writeFile(join(folder, 'file'), '');
  for (const path of [join(folder, 'file'), join(folder, 'file/below')])
    await expect(makeFolder(path)).rejects.toThrow(FailureError);
  await mkdir(join(folder, 'there'));
  await expect(makeFolder(join(folder, 'there'))).resolves.toBeUndefined();
});

test.runIf(existsSync('/proc/self'))('a folder that the system lets nobody make is told at once', async () => {
  await expect(makeFolder('/proc/vitrine/out')).rejects.toMatchObject({
    failure: { kind: 'not-writable', code: 'ENOENT' },
  });
});
