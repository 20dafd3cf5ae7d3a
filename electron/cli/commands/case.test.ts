import { execFile } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PreparedCase } from '../../../shared/domain/case.ts';
import { fail } from '../../../shared/failure.ts';
import { type Answers, runInMemory } from '../memory-run.fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-case-'));
});
afterEach(() => rm(folder, { recursive: true }));

const prepared = { kind: 'browser', id: 'prepared', fileName: 'case.csv', samples: 2, withoutBytes: 0 } as const;
const prepares = (more: Partial<PreparedCase> = {}): Answers => ({
  'cases.prepare': () => ({ ...prepared, unknown: { count: 0, hashes: [] }, ...more }),
});
const run = (args: string[], more: Answers = {}, input: string | null = null) =>
  runInMemory(['case', ...args], () => ({
    answers: { ...prepares(), ...more },
    exports: { prepared: 'the case' },
    input,
  }));
const usual = ['--as', 'csv', '--title', 'Autumn'];

test('case writes the samples of a query completely under the given file name', async () => {
  const out = join(folder, 'case.csv');
  const { code, lines, inputsOf } = await run([
    'tag:family:emotet',
    'size:>1kB',
    ...usual,
    '--notes',
    '--hits',
    '--tlp',
    'amber',
    '--author',
    'CSIRT',
    '--out',
    out,
  ]);
  expect(inputsOf('cases.prepare')).toEqual([
    {
      selection: {
        kind: 'query',
        terms: [
          { field: 'tag', negated: false, match: { kind: 'exact', value: 'family:emotet' } },
          { field: 'size', negated: false, least: 1001, most: null },
        ],
        except: [],
      },
      options: {
        format: 'csv',
        title: 'Autumn',
        author: 'CSIRT',
        tlp: 'amber',
        vouched: false,
        include: { notes: true, comments: false, hits: true },
        samples: null,
      },
      to: 'command-line',
      folder: `folder:${folder}`,
    },
  ]);
  expect([code, lines, await readFile(out, 'utf8'), await readdir(folder)]).toEqual([
    0,
    [`${out}  8 bytes`],
    'the case',
    ['case.csv'],
  ]);
});

test('case names the file in a folder by its title, without overwriting another', async () => {
  const named = await run(['emotet', ...usual, '--out', folder], prepares({ fileName: 'Autumn.csv' }));
  expect([named.code, named.lines, named.inputsOf('cases.prepare')]).toEqual([
    0,
    [`${join(folder, 'Autumn.csv')}  8 bytes`],
    [expect.objectContaining({ folder: `folder:${folder}` })],
  ]);
  const again = await run(['emotet', ...usual, '--out', folder], prepares({ fileName: 'Autumn.csv' }));
  expect([again.code, again.said]).toEqual([7, [expect.stringContaining('exists and was not changed')]]);
  expect((await run(['emotet', ...usual, '--out', folder, '--force'], prepares({ fileName: 'Autumn.csv' }))).code).toBe(
    0,
  );
  expect(await readdir(folder)).toEqual(['Autumn.csv']);
});

test('a CSV file begins with a byte order mark, unlike standard output and pipes', async () => {
  const marked = { exports: { prepared: '\ufeffsha256\r\n' } };
  const written = (out: string, as = 'csv') =>
    runInMemory(['case', 'emotet', '--title', 'Autumn', '--as', as, '--out', out], () => ({
      answers: prepares(),
      ...marked,
    }));
  await written(join(folder, 'case.csv'));
  expect(await readFile(join(folder, 'case.csv'), 'utf8')).toBe('\ufeffsha256\r\n');
  expect((await written('-')).bytes).toBe('sha256\r\n');
  expect((await written('-', 'jsonl')).bytes).toBe('\ufeffsha256\r\n');
});

test.skipIf(process.platform === 'win32')('case writes a file that no other user can read', async () => {
  const out = join(folder, 'case.csv');
  await run(['emotet', ...usual, '--out', out]);
  expect((await stat(out)).mode & 0o077).toBe(0);
});

test('case names the missing folder, not the path of the file in it', async () => {
  const { code, said } = await run(['emotet', ...usual, '--out', join(folder, 'gone', 'case.csv')]);
  expect([code, said]).toEqual([6, [expect.stringContaining(`${join(folder, 'gone')} does not exist`)]]);
});

test('case keeps an existing file and requests nothing, and --force replaces it', async () => {
  const out = join(folder, 'case.csv');
  await writeFile(out, 'before');
  const refused = await run(['emotet', ...usual, '--out', out]);
  expect([refused.code, refused.asked, await readFile(out, 'utf8')]).toEqual([7, [], 'before']);
  expect((await run(['emotet', ...usual, '--out', out, '--force'])).code).toBe(0);
  expect([await readFile(out, 'utf8'), await readdir(folder)]).toEqual(['the case', ['case.csv']]);
});

test('case keeps a file that appeared while the case was prepared', async () => {
  const out = join(folder, 'case.csv');
  const { code } = await run(['emotet', ...usual, '--out', out], {
    'cases.prepare': async () => (
      await writeFile(out, 'meanwhile'),
      { ...prepared, unknown: { count: 0, hashes: [] } }
    ),
  });
  expect([code, await readFile(out, 'utf8'), await readdir(folder)]).toEqual([7, 'meanwhile', ['case.csv']]);
});

test('case writes only the case to standard output when the path is a dash', async () => {
  const { code, bytes, lines, inputsOf } = await run(['--hash', 'A'.repeat(32), ...usual, '--out', '-']);
  expect([code, bytes, lines]).toEqual([0, 'the case', []]);
  expect(inputsOf('cases.prepare')).toEqual([expect.not.objectContaining({ folder: expect.anything() })]);
});

test('case exports a job, and ends with the host’s refusal', async () => {
  const ofJob = await run(['--job', '12', ...usual, '--out', '-']);
  expect(ofJob.inputsOf('cases.prepare')).toMatchObject([
    { selection: { kind: 'job', id: 12, filter: { states: [], find: '' } } },
  ]);
  const tooOpen = await run(['emotet', ...usual, '--tlp', 'clear', '--out', join(folder, 'x')], {
    'cases.prepare': () => fail({ kind: 'tlp-too-open', tlp: 'TLP:CLEAR', strictest: 'TLP:RED' }),
  });
  expect([tooOpen.code, await readdir(folder)]).toEqual([7, []]);
});

test('case includes samples of unknown TLP only when explicitly permitted', async () => {
  const refused = await run(['emotet', ...usual, '--out', join(folder, 'x')], {
    'cases.prepare': ({ options: { vouched } }) =>
      vouched ? { ...prepared, unknown: { count: 0, hashes: [] } } : fail({ kind: 'tlp-unknown', samples: 2 }),
  });
  expect([refused.code, refused.said, await readdir(folder)]).toEqual([
    7,
    [expect.stringContaining('The TLP of 2 samples is unknown')],
    [],
  ]);
  const vouched = await run(['emotet', ...usual, '--vouch', '--out', '-']);
  expect([vouched.code, vouched.inputsOf('cases.prepare')]).toMatchObject([
    0,
    [{ options: { tlp: null, vouched: true } }],
  ]);
});

test('case includes samples in a MISP event only, with the password from a file or of exports', async () => {
  const misp = ['emotet', '--as', 'misp', '--title', 'Autumn', '--samples', '--out', '-'];
  await writeFile(join(folder, 'password'), 'from a file\n');
  const typed = await run([...misp, '--password-file', join(folder, 'password')]);
  const piped = await run([...misp, '--password-file', '-'], {}, 'from a pipe\r\n');
  expect([typed, piped].map(({ inputsOf }) => inputsOf('cases.prepare'))).toMatchObject([
    [{ options: { samples: { password: 'from a file' } } }],
    [{ options: { samples: { password: 'from a pipe' } } }],
  ]);
  expect((await run(['emotet', ...usual, '--samples', '--out', '-'])).code).toBe(2);
});

test('case reports omitted data and reflects it in the exit code', async () => {
  const [known, other] = ['a'.repeat(32), 'b'.repeat(32)];
  const hashes = ['--hash', known, '--hash', other, ...usual, '--out', join(folder, 'case.csv')];
  const unknown = await run([...hashes, '--json'], prepares({ unknown: { count: 1, hashes: [other] } }));
  expect([unknown.code, unknown.said]).toEqual([3, [`1 sample skipped, not in the library: ${other}`]]);
  expect(unknown.json).toEqual([
    { file: join(folder, 'case.csv'), format: 'csv', bytes: 8, samples: 2, unknown: 1, withoutBytes: 0 },
  ]);
  const lacking = await run(
    [...hashes, '--force'],
    prepares({ withoutBytes: 2, unknown: { count: 30, hashes: [other] } }),
  );
  expect([lacking.code, lacking.said]).toEqual([
    1,
    [
      '2 samples exported without bytes: not in the vault, or too large for an event.',
      `30 samples skipped, not in the library: ${other}, …`,
    ],
  ]);
});

test('case exports everything only when --all is given', async () => {
  for (const blank of ['', '  '])
    expect(await run([blank, ...usual, '--out', '-'])).toMatchObject({ code: 2, asked: [] });
  const { code, inputsOf } = await run(['--all', ...usual, '--out', '-']);
  expect([code, inputsOf('cases.prepare')]).toMatchObject([
    0,
    [{ selection: { kind: 'query', terms: [], except: [] } }],
  ]);
});

test.skipIf(process.platform === 'win32')('case --force keeps links and devices as they are', async () => {
  const [target, out] = [join(folder, 'target'), join(folder, 'link')];
  await writeFile(target, 'before');
  await symlink(target, out);
  expect((await run(['emotet', ...usual, '--out', out, '--force'])).code).toBe(0);
  expect([
    await readFile(target, 'utf8'),
    (await lstat(out)).isSymbolicLink(),
    (await readdir(folder)).toSorted(),
  ]).toEqual(['the case', true, ['link', 'target']]);
  await rm(target);
  expect((await run(['emotet', ...usual, '--out', out, '--force'])).code).toBe(6);
  expect([(await lstat(out)).isSymbolicLink(), await readdir(folder)]).toEqual([true, ['link']]);
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const [read, { code }] = await Promise.all([
    readFile(pipe, 'utf8'),
    run(['emotet', ...usual, '--out', pipe, '--force']),
  ]);
  expect([read, code, (await lstat(pipe)).isFIFO()]).toEqual(['the case', 0, true]);
});

test.each([
  [[]],
  [['emotet', '--all', ...usual, '--out', '-']],
  [['emotet', '--as', 'csv', '--title', ' ', '--out', '-']],
  [['emotet', ...usual, '--author', ' ', '--out', '-']],
  [['--hash', '', ...usual, '--out', '-']],
  [['emotet', '--hash', 'a'.repeat(32), ...usual, '--out', '-']],
  [['emotet', '--as', 'pdf', '--title', 'x', '--out', '-']],
  [['emotet', '--as', 'csv', '--out', '-']],
  [['emotet', ...usual]],
  [['tag:', ...usual, '--out', '-']],
  [['--hash', 'short', ...usual, '--out', '-']],
])('%j is wrong usage of case', async (args) => {
  const { code, asked } = await run(args);
  expect([code, asked]).toEqual([2, []]);
});
