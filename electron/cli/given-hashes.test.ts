import { truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { jobOf, runInMemory, usualWorkspaces } from './memory-run.fixture.ts';

test('a file larger than any list of hashes is refused with a message and not read to its end', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'large');
  await writeFile(path, '');
  await truncate(path, 600 * 1024 * 1024);
  const run = await runInMemory(['lookup', '--file', path], () => ({
    answers: { 'workspaces.list': () => usualWorkspaces },
  }));
  expect([run.code, run.lines]).toEqual([2, []]);
  expect(run.said.join('\n')).toContain(`--file: ${path} has more than 64 MiB`);
});

test.each([
  ['/nowhere/hashes', '/nowhere/hashes does not exist'],
  [tmpdir(), `${tmpdir()} is a folder`],
])('a path that is not a file is refused with the reason: %s', async (path, reason) => {
  const run = await runInMemory(['lookup', '--file', path], () => ({
    answers: { 'workspaces.list': () => usualWorkspaces },
  }));
  expect([run.code, run.said.join('\n')]).toEqual([2, expect.stringContaining(`vitrine lookup: --file: ${reason}.`)]);
});

const [md5, sha1, sha256] = [
  '44d88612fea8a8f36de82e1278abb02f',
  '3395856ce81f2b7382dee72602f798b642f14140',
  '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
];
const placeholder = '0123456789abcdef0123456789abcdef';
const unknown = ({ hash }: { hash: string }) => fail({ kind: 'unknown-hash', service: 'repository', hash });

test.each([
  ['a placeholder', placeholder, 'The same 16 digits repeated, a placeholder'],
  ['a hash with a digit too few', md5.slice(1), '31 hex digits, an MD5 has 32'],
  ['the address of a wallet', `0x${sha1}`, 'Address of a wallet, not a file hash'],
])(
  '%s among the arguments is reported, the others are looked up, and the command fails',
  async (_what, argument, reason) => {
    const run = await runInMemory(['lookup', md5, argument, sha256], () => ({
      answers: { 'samples.lookup': unknown },
    }));
    expect(run.inputsOf('samples.lookup')).toEqual([md5, sha256].map((hash) => ({ workspaceId: 'team', hash })));
    expect([run.code, run.said[0]]).toEqual([1, `"${argument}" is not a hash: ${reason}`]);
  },
);

test('a download skips a placeholder among the arguments and fails at its end', async () => {
  const job = jobOf({ kind: 'bulk-download' });
  const run = await runInMemory(['download', md5, placeholder], () => ({
    answers: {
      'bulk.create': () => ({ id: 7 }),
      'bulk.add': () => ({ items: 1 }),
      'bulk.start': () => job,
      'jobs.get': () => job,
      'jobs.items': () => ({ items: [], total: 0 }),
    },
  }));
  expect([run.code, run.inputsOf('bulk.add')]).toEqual([1, [{ id: 7, hashes: [md5] }]]);
});

test('arguments without any hash are wrong usage, after a reason for each', async () => {
  const run = await runInMemory(['lookup', placeholder, md5.slice(1)], () => ({ answers: {} }));
  expect([run.code, run.asked, run.said.length]).toEqual([2, [], 4]);
});

test('a rejected string in a text is reported with its line, and the command does not fail', async () => {
  const run = await runInMemory(['lookup', '-'], () => ({
    input: `${md5}\n${sha256}\nimphash: ${sha1.slice(0, 32)}\n`,
    answers: { 'samples.lookup': () => fail({ kind: 'needs-md5', hash: sha256 }) },
  }));
  expect(run.inputsOf('samples.lookup')).toHaveLength(2);
  expect(run.said[0]).toBe(
    `line 3: "${sha1.slice(0, 32)}" is not a hash: imphash: samples are looked up by MD5, SHA-1 or SHA-256`,
  );
});

test('--file - reads the hashes from stdin', async () => {
  const run = await runInMemory(['lookup', '--file', '-'], () => ({
    answers: { 'workspaces.list': () => usualWorkspaces, 'samples.lookup': unknown },
    input: `${md5}\n`,
  }));
  expect([run.code, run.inputsOf('samples.lookup')]).toMatchObject([3, [{ hash: md5 }]]);
});
