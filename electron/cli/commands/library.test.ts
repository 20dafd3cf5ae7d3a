import { expect, test } from 'vitest';
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
