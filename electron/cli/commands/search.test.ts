import { expect, test } from 'vitest';
import type { ActionState, WorkspaceActions } from '../../../shared/domain/server-action.ts';
import type { FoundSample } from '../../../shared/domain/server-record.ts';
import { fail } from '../../../shared/failure.ts';
import { type Answers, type MemoryRun, runInMemory } from '../memory-run.fixture.ts';

const sampleOf = (number: number): FoundSample => ({
  md5: number.toString(16).padStart(32, '0'),
  sha256: null,
  name: `sample ${number}`,
  sizeBytes: 10,
  date: '2026-11-30 03:23:30',
  threat: 'Trojan.Foo',
  tags: ['alpha', 'beta'],
  uploader: 'boss',
});
const page = (from: number, count: number): FoundSample[] =>
  Array.from({ length: count }, (_, at) => sampleOf(from + at));
const known =
  (state: ActionState['state'], action: ActionState['action'] = 'getfiles') =>
  (): WorkspaceActions => ({ mayUse: true, actions: [{ service: 'repository', action, state, seen: null }] });
const run = (args: readonly string[], answers: Answers = {}): Promise<MemoryRun> =>
  runInMemory(['search', ...args], () => ({
    answers: {
      'servers.actions': known('answers'),
      'servers.search': () => ({ found: page(1, 2), mayBeMore: false }),
      ...answers,
    },
  }));
const searches = (done: MemoryRun): unknown[] =>
  done.inputsOf('servers.search').map((input) => (input as { search: unknown }).search);

test('a search lists what the repository finds, by name unless another field is named', async () => {
  const done = await run(['two', 'words', '--format', 'csv']);
  expect(done.code).toBe(0);
  expect(searches(done)).toEqual([{ field: 'name', text: 'two words', page: 1 }]);
  expect(done.bytes).toContain(`${'1'.padStart(32, '0')},10,2026-11-30 03:23:30,Trojan.Foo,"alpha,beta",boss,sample 1`);
  expect(searches(await run(['--field', 'tag', 'alpha']))).toEqual([{ field: 'tag', text: 'alpha', page: 1 }]);
});

test('further pages are requested up to the limit, each sample is listed once, and more is reported', async () => {
  const answers: Answers = {
    'servers.search': ({ search }) => ({ found: page((search.page - 1) * 39 + 1, 40), mayBeMore: true }),
  };
  const done = await run(['x', '--json', '--limit', '60'], answers);
  expect(new Set(done.json.map((row) => (row as FoundSample).md5)).size).toBe(60);
  expect(done.json).toHaveLength(60);
  expect(searches(done)).toHaveLength(2);
  expect(done.said.join()).toContain('The first 60 samples. Show more with --limit.');
});

test('pages without a new sample end the search', async () => {
  const again = await run(['x', '--json'], { 'servers.search': () => ({ found: page(1, 40), mayBeMore: true }) });
  expect(again.json).toHaveLength(40);
  expect(searches(again)).toHaveLength(2);
});

test('an empty page ends the search', async () => {
  const answers: Answers = {
    'servers.search': ({ search }) => ({ found: search.page === 1 ? page(1, 40) : [], mayBeMore: true }),
  };
  const done = await run(['x', '--json'], answers);
  expect(done.json).toHaveLength(40);
  expect(searches(done)).toHaveLength(2);
});

test('nothing found is reported on stderr', async () => {
  const nothing: Answers = { 'servers.search': () => ({ found: [], mayBeMore: false }) };
  expect(await run(['x'], nothing)).toMatchObject({ code: 0, lines: [], said: ['0 samples'] });
});

test.each<[ActionState['state'], number]>([
  ['unknown', 1],
  ['answers', 0],
  ['absent', 0],
])('a repository whose search is %s is asked for it %i times first', async (state, times) => {
  const done = await run(['x'], {
    'servers.actions': known(state),
    'servers.findActions': () => ({ mayUse: true, actions: [] }),
  });
  expect(done.inputsOf('servers.findActions')).toHaveLength(times);
});

test('a repository that cannot be searched is a failure', async () => {
  const done = await run(['x'], {
    'servers.search': () => fail({ kind: 'action-not-used', service: 'repository', action: 'getfiles' }),
  });
  expect(done.code).not.toBe(0);
  expect(done.said.join()).toContain('“getfiles” is not used here');
});

const byQuery = (args: readonly string[], answers: Answers = {}): Promise<MemoryRun> =>
  run(['--query', ...args], {
    'servers.actions': known('answers', 'searchfiles'),
    'servers.searchByQuery': ({ search: { after } }) => {
      const from = Number(after ?? 1);
      return { found: page(from, 40), next: String(from + 40), total: 10_000, more: true };
    },
    ...answers,
  });
const queries = (done: MemoryRun): unknown[] =>
  done.inputsOf('servers.searchByQuery').map((input) => (input as { search: unknown }).search);

test('a query is sent as it is, and pages follow up to the limit', async () => {
  const done = await byQuery(['tag:a -name:"b c"', '--order', 'largest', '--limit', '50', '--json']);
  expect(done.json).toEqual(page(1, 50));
  const sent = { query: 'tag:a -name:"b c"', order: 'largest' };
  expect(queries(done)).toEqual([
    { ...sent, after: null },
    { ...sent, after: '41' },
  ]);
  expect(done.said.join()).toContain('The first 50 of more than 10,000 samples. Show more with --limit.');
});

test('a server whose pages lead in a circle is asked no further than that', async () => {
  const circle: Answers = {
    'servers.searchByQuery': ({ search: { after } }) => {
      const isSecond = after === 'b';
      return { found: page(isSecond ? 3 : 1, 2), next: isSecond ? 'a' : 'b', total: 4, more: false };
    },
  };
  const done = await byQuery(['', '--json'], circle);
  expect(done.json).toEqual(page(1, 4));
  expect(queries(done)).toHaveLength(3);
});

test('a repository that takes no query is a failure, and is asked for it once where that is unknown', async () => {
  const notUsed = () => fail({ kind: 'action-not-used', service: 'repository', action: 'searchfiles' });
  const done = await byQuery(['x'], {
    'servers.actions': known('unknown', 'searchfiles'),
    'servers.findActions': () => ({ mayUse: true, actions: [] }),
    'servers.searchByQuery': notUsed,
  });
  expect(done.code).not.toBe(0);
  expect(done.inputsOf('servers.findActions')).toHaveLength(1);
  expect(done.said.join()).toContain('“searchfiles” is not used here');
});

test.each([
  [[], 'give the text to search for'],
  [['--field', 'sha256', 'abc'], 'a SHA-256 has 64 hexadecimal characters'],
  [['--field', 'mime', 'x'], 'sha256'],
  [['x'.repeat(501)], 'a text of at most 500 characters'],
  [['x', '--query', 'y'], 'give TEXT or --query'],
  [['--query', 'y', '--field', 'tag'], '--field is for TEXT'],
  [['x', '--order', 'oldest'], '--order needs --query'],
  [['--query', 'x', '--order', 'best'], '--order must be one of newest'],
  [['--query', 'sise:1'], 'unknown field "sise:". Did you mean "size:"?'],
  [['--query', 'x'.repeat(1001)], 'a search has at most 1,000 characters'],
])('a wrong search asks nothing: %j', async (args, said) => {
  const done = await run(args);
  expect(done.code).toBe(2);
  expect(done.said.join()).toContain(said);
  expect(done.asked).toEqual([]);
});
