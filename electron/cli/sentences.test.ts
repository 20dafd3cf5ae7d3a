import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fail, failed, type Failure, FailureError } from '../../shared/failure.ts';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { standardOutput } from './exit.ts';
import { makeFolder } from './given-files.ts';
import { runInMemory } from './memory-run.fixture.ts';
import { reasonOf } from './reason.ts';

const [md5, sha256] = [
  'd41d8cd98f00b204e9800998ecf8427e',
  '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
];

test.each([
  ['upload', '/nowhere/x'],
  ['scan', '/nowhere/x'],
  ['bundle', 'show', '/nowhere/x'],
])('%s %s: a path that never existed is reported as missing', async (...args) => {
  vi.stubEnv('VITRINE_BUNDLE_PASSPHRASE', 'correct horse battery staple');
  const { code, said } = await runInMemory(args, () => ({
    answers: {},
    stages: async () => failed({ kind: 'staged-file-missing', id: 'x' }),
  }));
  expect([code, said.at(-1)]).toEqual([3, 'No such file or folder: "/nowhere/x". Nothing was done.']);
  vi.unstubAllEnvs();
});

test('a hash that no service could look up is not reported as unknown', async () => {
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
])('an action in the window’s settings is also described for the terminal: %j', async (failure, way) => {
  const { code, said } = await runInMemory(['lookup', md5], () => ({
    answers: { 'samples.lookup': () => fail(failure) },
  }));
  expect([code, said]).toEqual([4, [expect.stringContaining(way)]]);
});

test('a folder is created with its parents, and a failure is reported', async () => {
  const folder = temporaryFolder();
  await makeFolder(join(folder, 'a/b/c'));
  expect(existsSync(join(folder, 'a/b/c'))).toBe(true);
  await writeFile(join(folder, 'file'), '');
  for (const path of [join(folder, 'file'), join(folder, 'file/below')])
    await expect(makeFolder(path)).rejects.toThrow(FailureError);
  await mkdir(join(folder, 'there'));
  await expect(makeFolder(join(folder, 'there'))).resolves.toBeUndefined();
});

test.runIf(existsSync('/proc/self'))('a folder that the system does not allow is reported at once', async () => {
  await expect(makeFolder('/proc/vitrine/out')).rejects.toMatchObject({
    failure: { kind: 'not-writable', code: 'ENOENT' },
  });
});

test.each<[Failure, string]>([
  [{ kind: 'disk-full', path: standardOutput }, 'Cannot write the output: the disk is full.'],
  [{ kind: 'disk-full', path: '/x/case.csv' }, 'Cannot write /x/case.csv: the disk is full. Free some space'],
  [{ kind: 'not-writable', path: '/x', code: 'ENOENT' }, 'Folder /x does not exist.'],
  [
    { kind: 'backup-refused', path: '/x', reason: 'not-empty' },
    'Cannot use /x: it is not empty. Choose an empty folder or an earlier backup of this data.',
  ],
  [{ kind: 'backup-refused', path: '/x', reason: 'no-backup' }, 'Cannot use /x: it contains no backup.'],
  [{ kind: 'watch-refused', path: '/x', reason: 'inside-data' }, 'Cannot watch /x: it is inside the data folder.'],
  [
    { kind: 'package-removes-many', version: '1.4', removed: 300, rules: 1000 },
    '1.4 would remove 300 of 1,000 rules, more than a fifth. It was not installed. To install it anyway, add --yes.',
  ],
])('a failure names the typed value and the option that helps: %j', (failure, sentence) => {
  expect(reasonOf(failure)).toContain(sentence);
});

test.each([
  ['case', 'nothing', '--as', 'csv', '--title', 'x', '--out', '-'],
  ['bundle', 'write', 'nothing', '--title', 'x', '--author', 'y'],
])('%s %s: a query that matches no sample is reported as one', async (...args) => {
  vi.stubEnv('VITRINE_BUNDLE_PASSPHRASE', 'correct horse battery staple');
  onTestFinished(() => void vi.unstubAllEnvs());
  const out = args.includes('--out') ? [] : ['--out', temporaryFolder()];
  const { code, said } = await runInMemory([...args, ...out], () => ({
    answers: {
      'cases.prepare': () => fail({ kind: 'case-empty' }),
      'bundles.start': () => fail({ kind: 'nothing-selected' }),
    },
  }));
  expect([code, said]).toEqual([3, ['No sample matches this query. Nothing was written.']]);
});

test('lab specimens, the earlier name of lab samples, lists the same', async () => {
  const sample = { md5, name: 'eicar.com', sizeBytes: 68 };
  const listed = (word: string) =>
    runInMemory(['lab', word, '--json'], () => ({
      answers: {
        'lab.publications': () => ({ publications: [] }),
        'lab.sampleFiles': () => ({ sampleFiles: [sample] }),
      },
    }));
  expect((await listed('samples')).json).toEqual([{ sample }]);
  expect((await listed('specimens')).json).toEqual([{ sample }]);
});

test.each([
  ['help', 'lab', 'specimens'],
  ['lab', 'specimens', '--help'],
])('%s %s %s shows the help of the present name', async (...args) => {
  const { code, lines } = await runInMemory(args, () => ({ answers: {} }));
  expect([code, lines.join('\n')]).toEqual([0, expect.stringContaining('vitrine lab samples')]);
});
