import { expect, test, vi } from 'vitest';
import { emitter } from './stand-ins.fixture.ts';
import { type PageAnswer, pageQuestion, type PageTrouble, watchPage } from './unresponsive-page.ts';

function desk(answers: PageAnswer[], { isEnding = false } = {}) {
  const did: string[] = [];
  const asked: { trouble: PageTrouble; signal: AbortSignal }[] = [];
  const failures: string[] = [];
  const page = emitter({ reload: () => void did.push('reload'), forcefullyCrashRenderer: () => void did.push('kill') });
  watchPage(page, {
    // Without an answer of the test it stands until it is taken back, which counts as waiting.
    chooseAction: (trouble, signal) => {
      asked.push({ trouble, signal });
      const answer = answers.shift();
      if (answer !== undefined) return Promise.resolve(answer);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('wait')));
    },
    isEnding: () => isEnding,
    connect: () => void did.push('connect'),
    disconnect: () => void did.push('disconnect'),
    quit: () => void did.push('quit'),
    onFailure: (error) => failures.push(error instanceof Error ? error.message : ''),
  });
  const die = (reason = 'crashed') => page.emit('render-process-gone', {}, { reason, exitCode: 139 });
  return { page, did, asked, failures, die };
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a dead page is logged, gets nothing more, and is loaded again when the person chooses so', async () => {
  const { did, asked, failures, die } = desk(['reload']);
  die();
  expect(did).toEqual(['disconnect']);
  await vi.waitFor(() => expect(did).toEqual(['disconnect', 'connect', 'reload']));
  expect([asked.map(({ trouble }) => trouble), failures]).toEqual([['gone'], [expect.stringMatching(/crashed.*139/)]]);
});

test('it can be the end instead', async () => {
  const { did, die } = desk(['quit']);
  die('oom');
  await vi.waitFor(() => expect(did).toEqual(['disconnect', 'quit']));
});

test('one that dies again is asked about again', async () => {
  const { did, asked, die } = desk(['reload', 'quit']);
  die();
  await vi.waitFor(() => expect(did).toContain('reload'));
  die();
  await vi.waitFor(() => expect(did).toContain('quit'));
  expect(asked.length).toBe(2);
});

test('a page that does not answer is waited for, and the question goes when it answers again', async () => {
  const { page, did, asked, failures } = desk([]);
  page.emit('unresponsive');
  page.emit('unresponsive');
  expect([asked.map(({ trouble }) => trouble), failures.length]).toEqual([['stuck'], 1]);
  page.emit('responsive');
  await settled();
  expect([asked[0]?.signal.aborted, did]).toEqual([true, []]);
  page.emit('unresponsive');
  expect(asked.length).toBe(2);
});

test('an unresponsive page is ended before it is loaded again, without a dialog about that end', async () => {
  const { page, did, asked, die } = desk(['reload']);
  page.emit('unresponsive');
  await vi.waitFor(() => expect(did).toEqual(['kill', 'connect', 'reload']));
  die('killed');
  await settled();
  expect([asked.length, did]).toEqual([1, ['kill', 'connect', 'reload']]);
  die();
  expect(asked.length).toBe(2);
});

test('a reloaded page that dies opens the dialog, also when the previous end was never reported', async () => {
  const { page, did, asked, die } = desk(['reload']);
  page.emit('unresponsive');
  await vi.waitFor(() => expect(did).toContain('reload'));
  page.emit('did-finish-load');
  die();
  expect(asked.length).toBe(2);
});

test('a window that is closed takes its question along', async () => {
  const { page, did, asked, die } = desk([]);
  die();
  page.emit('destroyed');
  await settled();
  expect([asked[0]?.signal.aborted, did]).toEqual([true, ['disconnect']]);
});

test('a page that does not answer keeps no window from closing when the person quits', async () => {
  const { page, did } = desk(['quit']);
  page.emit('unresponsive');
  await vi.waitFor(() => expect(did).toEqual(['kill', 'quit']));
});

test('a page that dies while it is asked whether to wait for it takes that question back', async () => {
  const { page, did, asked, die } = desk([]);
  page.emit('unresponsive');
  die();
  await settled();
  expect([asked.map(({ trouble, signal }) => [trouble, signal.aborted]), did]).toEqual([
    [
      ['stuck', true],
      ['gone', false],
    ],
    ['disconnect'],
  ]);
});

test('a dead page that is waited for stays in no case: to put the question away loads it again', async () => {
  const { did, die } = desk(['wait']);
  die();
  await vi.waitFor(() => expect(did).toEqual(['disconnect', 'connect', 'reload']));
});

test('a program that is going asks nothing, and waits for no page', async () => {
  const { page, did, asked, die } = desk([], { isEnding: true });
  page.emit('unresponsive');
  die();
  await settled();
  expect([asked, did]).toEqual([[], ['kill']]);
});

test('a question that cannot be asked is told', async () => {
  const failures: unknown[] = [];
  const page = emitter({ reload: () => {}, forcefullyCrashRenderer: () => {} });
  const nothing = (): void => {};
  watchPage(page, {
    chooseAction: () => Promise.reject(new Error('no display')),
    isEnding: () => false,
    connect: nothing,
    disconnect: nothing,
    quit: nothing,
    onFailure: (error) => failures.push(error),
  });
  page.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 });
  await vi.waitFor(() => expect(failures).toContainEqual(new Error('no display')));
});

test.each([
  ['gone', 0, ['reload', 'quit']],
  ['stuck', 2, ['wait', 'reload', 'quit']],
] as const)(
  'the question about a page that is %s has a button for each answer, and the first is that of Escape',
  (trouble, jobs, answers) => {
    const { buttons, detail, defaultId, cancelId, answers: given } = pageQuestion(trouble, jobs);
    expect([given, buttons.length, defaultId, cancelId, detail.includes(`${jobs} jobs`)]).toEqual([
      answers,
      answers.length,
      0,
      0,
      jobs > 0,
    ]);
  },
);
