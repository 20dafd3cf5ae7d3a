import { expect, test } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { findCommand } from './common-options.ts';
import { runInMemory, usualWorkspaces } from './memory-run.fixture.ts';

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

test('of two workspaces with one name an id tells which, and the name is wrong usage', async () => {
  const [team] = usualWorkspaces.workspaces;
  const both = { workspaces: team ? [{ ...team, id: 'first', name: 'same' }, { ...team, id: 'same', name: 'Other' }, { ...team, id: 'third', name: 'Same' }] : [], current: 'first', damaged: [] };
  const used = (...args: string[]) => runInMemory(args, () => ({ answers: { 'workspaces.list': () => both, 'workspaces.switch': () => ({}) } }));
  expect((await used('workspace', 'use', 'same')).inputsOf('workspaces.switch')).toEqual([{ id: 'same' }]);
  expect((await used('workspace', 'use', 'SAME')).code).toBe(2);
  expect((await used('workspace', 'add', 'Other', '--repository', 'https://repo.example')).code).toBe(2);
});
