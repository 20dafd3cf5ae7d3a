import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AddedFile } from '../../../shared/domain/addition.ts';
import { failed } from '../../../shared/failure.ts';
import { jobOf, type MemoryHost, runInMemory } from '../memory-run.fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-add-'));
  await mkdir(join(folder, 'dropped'));
  for (const name of ['one.bin', 'mail.zip', 'dropped/two.bin']) await writeFile(join(folder, name), name);
});
afterEach(() => rm(folder, { recursive: true }));

const fileOf = (rank: string, name: string, facts: Partial<AddedFile> = {}): AddedFile => ({
  rank,
  name,
  path: '',
  sizeBytes: 7,
  md5: 'a'.repeat(32),
  sha1: 'b'.repeat(40),
  sha256: 'c'.repeat(64),
  mime: null,
  state: 'stored',
  failure: null,
  archive: null,
  remarks: [],
  ...facts,
});

const run = (args: readonly string[], files: readonly AddedFile[] = [], more: Partial<MemoryHost> = {}) =>
  runInMemory(
    ['library', 'add', ...args.map((arg) => (/^(one|mail|dropped)/.test(arg) ? join(folder, arg) : arg))],
    () => ({
      answers: {
        'library.draftAdd': () => ({ job: 7 }),
        'library.addFiles': (input) => ({ files: input.files.length }),
        'library.beginAdd': () => jobOf({ kind: 'library-add', opensArchives: true }),
        'library.added': ({ offset }) => ({
          files: files.slice(offset, offset + 2),
          total: files.length,
          counts: { states: { failed: 0, empty: 0, waiting: 0, stored: 0, 'already-here': 0, opened: 0 }, closed: 0 },
        }),
        'jobs.forget': () => ({}),
      },
      ...more,
    }),
  );

test('library add takes files and folders by path and reports an outcome for every file and member', async () => {
  const { code, lines, said, inputsOf } = await run(
    ['one.bin', 'mail.zip', 'dropped'],
    [
      fileOf('000001.', 'one.bin'),
      fileOf('000002.', 'mail.zip', {
        state: 'opened',
        md5: null,
        archive: { state: 'open', members: 1, failure: null, remarks: [{ kind: 'bytes-in-front', bytes: 2 }] },
      }),
      fileOf('000002.000001.', 'x.exe', {
        path: 'mail.zip!a',
        state: 'already-here',
        remarks: [{ kind: 'name', trait: 'dotted' }],
      }),
      fileOf('000003.', 'two.bin', { path: 'dropped' }),
    ],
  );
  expect(inputsOf('library.draftAdd')).toEqual([{ opensArchives: true }]);
  expect(inputsOf('library.addFiles')).toEqual([
    {
      job: 7,
      files: [
        { id: 'staged:one.bin', path: '' },
        { id: 'staged:mail.zip', path: '' },
        { id: 'staged:two.bin', path: 'dropped' },
      ],
    },
  ]);
  expect(inputsOf('library.beginAdd')).toEqual([{ job: 7, passwords: [] }]);
  const md5 = 'a'.repeat(32);
  expect(lines).toEqual([
    `stored\t${md5}\t${join(folder, 'one.bin')}\t-`,
    `opened\t-\t${join(folder, 'mail.zip')}\t2 bytes in front of the archive`,
    `already-here\t${md5}\t${join(folder, 'mail.zip')}!a/x.exe\t“..” in its name`,
    `stored\t${md5}\t${join(folder, 'dropped/two.bin')}\t-`,
  ]);
  expect([code, said]).toEqual([0, ['2 stored, 1 opened, 1 already here']]);
});

test('library add stores a locked archive as it is, reports it, and sets the exit code', async () => {
  const failure = { kind: 'archive-password' as const, name: 'x' };
  const { code, lines } = await run(
    ['mail.zip'],
    [
      fileOf('000001.', 'mail.zip', { archive: { state: 'locked', members: 1, failure: null, remarks: [] } }),
      fileOf('000001.000001.', 'x', { path: 'mail.zip!', state: 'failed', md5: null, failure }),
    ],
  );
  expect(lines[0]).toContain('stored as an archive: no known password opens it');
  expect(code).toBe(4);
});

test('library add as JSON has the facts of each file and its job number', async () => {
  const { json } = await run(['one.bin', '--json'], [fileOf('000001.', 'one.bin', { mime: 'text/plain' })]);
  expect(json).toEqual([
    {
      file: join(folder, 'one.bin'),
      outcome: 'stored',
      failure: null,
      md5: 'a'.repeat(32),
      sha1: 'b'.repeat(40),
      sha256: 'c'.repeat(64),
      sizeBytes: 7,
      mime: 'text/plain',
      archive: null,
      remarks: [],
      job: 7,
    },
  ]);
});

test('library add reads archive passwords from a file or stdin, one per line, and can keep archives', async () => {
  const typed = await run(['mail.zip', '--archive-password-file', '-'], [], {
    input: 'Monday\r\n\n two words \nMonday\n',
  });
  expect(typed.inputsOf('library.beginAdd')).toEqual([{ job: 7, passwords: ['Monday', ' two words '] }]);
  await writeFile(join(folder, 'passwords'), 'Sunday');
  const file = await run(['mail.zip', '--archive-password-file', join(folder, 'passwords'), '--keep-archives']);
  expect(file.inputsOf('library.beginAdd')).toEqual([{ job: 7, passwords: ['Sunday'] }]);
  expect(file.inputsOf('library.draftAdd')).toEqual([{ opensArchives: false }]);
});

test.each([
  ['an empty password file', ['mail.zip', '--archive-password-file', '-'], '\n'],
  ['a password that is too long', ['mail.zip', '--archive-password-file', '-'], 'x'.repeat(129)],
  ['no path', [], null],
])('%s is wrong usage, and nothing is added', async (_name, args, input) => {
  const { code, asked } = await run(args, [], { input });
  expect([code, asked]).toEqual([2, []]);
});

test('library add ends before adding anything when a path is missing', async () => {
  const { code, asked } = await run(['missing.bin']);
  expect([code, asked]).toEqual([3, []]);
});

test('library add reports unreadable files, and leaves no job when none is readable', async () => {
  const { code, lines, inputsOf } = await run(['one.bin'], [], {
    stages: async () => failed({ kind: 'file-unreadable', name: 'one.bin', code: 'EACCES' }),
  });
  expect(lines).toEqual([expect.stringMatching(/^failed\t-\t.*one\.bin\t./)]);
  expect([code, inputsOf('jobs.forget'), inputsOf('library.beginAdd')]).toEqual([1, [{ id: 7 }], []]);
});
