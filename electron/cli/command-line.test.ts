import { expect, test } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { findCommand } from './common-options.ts';
import { runInMemory } from './memory-run.fixture.ts';

const hash = 'a'.repeat(32);
const looked = () => fail({ kind: 'not-in-library', hash });
const run = (...args: string[]) => runInMemory(args, () => ({ answers: { 'samples.lookup': looked } }));

test.each([
  ['an argument that is no hash', ['lookup', hash, 'nothash']],
  ['an option that is given twice', ['library', '--limit', '1', '--limit', '2']],
  ['a data directory without a name', ['lookup', hash, '--data', '']],
])('%s is wrong usage, and nothing is asked', async (_what, args) => {
  const { code, asked } = await run(...args);
  expect([code, asked]).toEqual([2, []]);
});

test('short options may stand together', () => {
  expect(findCommand(['-qw', 'team', 'lookup', hash])).toMatchObject({ name: 'lookup', rest: ['-qw', 'team', hash], isQuiet: true, isJson: false });
});

test('Ctrl-C ends a look-up at a service that does not answer', async () => {
  const interrupt = new AbortController();
  const { code } = await runInMemory(['lookup', hash], () => ({
    interrupt,
    answers: {
      'samples.lookup': () => {
        queueMicrotask(() => interrupt.abort());
        return new Promise(() => {});
      },
    },
  }));
  expect(code).toBe(130);
});
