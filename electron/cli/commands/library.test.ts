import { expect, test } from 'vitest';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import { type MemoryRun, runInMemory } from '../memory-run.fixture.ts';

const run = (...args: string[]): Promise<MemoryRun> =>
  runInMemory(['library', ...args], () => ({
    answers: { 'library.list': () => ({ rows: [], total: 0, elapsedMs: 0 }) },
  }));

test.each([
  [['zzz'], ['0 samples']],
  [['addd', 'x'], ['0 samples. Did you mean `vitrine library add`?']],
  [['zzz', '--json'], []],
  [['zzz', '--format', 'csv'], []],
])('a library query without results is reported on stderr: %j', async (args, said) => {
  expect(await run(...args)).toMatchObject({ code: 0, lines: [], said });
});

test.each([
  [
    'type:pe sise:>1MB',
    [
      'vitrine library: unknown field "sise:". Did you mean "size:"? Quote it to search for the text.',
      '  type:pe sise:>1MB',
      '          ^^^^',
      'Did you mean: type:pe size:>1MB',
    ],
  ],
  [
    '(a OR b',
    [
      'vitrine library: this parenthesis is not closed. Quote it to search for the text.',
      '  (a OR b',
      '  ^^^^^^^',
      'For example: (type:pe OR type:elf)',
    ],
  ],
  [
    'a || b',
    [
      'vitrine library: unknown operator "||". Use AND, OR or NOT, or a colon after a field.',
      '  a || b',
      '    ^^',
      'Did you mean: a OR b',
    ],
  ],
])('an invalid query is wrong usage, with its place: %s', async (query, said) => {
  for (const options of [[], ['--count'], ['--json']])
    expect(await run(query, ...options)).toMatchObject({
      code: 2,
      lines: [],
      said: [...said, 'See "vitrine help library".'],
    });
});

test.each([
  ['-tag:alpha'],
  ['-tag:beta'],
  ['-name:x'],
  ['-signer:corp'],
  ['-Filename:x'],
  ['-hash:abcd'],
  ['-"alpha beta"'],
  ['-(tag:a OR tag:h)'],
  ['tag:a', 'OR', '-tag:h', 'name:x'],
])('a query of the library may begin with a minus: %j', async (...query) => {
  const read = readLibraryQuery(query.join(' '), new Date());
  const terms = read.kind === 'terms' ? read.terms : expect.fail(read.problem.reason);
  for (const words of [query, ['--', ...query]])
    for (const args of [['--json', ...words], ...(words === query ? [[...words, '--json']] : [])]) {
      const done = await run(...args);
      expect(done).toMatchObject({ code: 0, lines: [], said: [] });
      expect(done.inputsOf('library.list')).toEqual([expect.objectContaining({ terms })]);
    }
});

test('of a query that is too long the place of the problem is shown', async () => {
  const { code, said } = await run('a'.repeat(10_000));
  expect(code).toBe(2);
  expect(said.slice(1, 3)).toEqual([`  ${'a'.repeat(76)}`, `  ${' '.repeat(20)}${'^'.repeat(56)}`]);
});
