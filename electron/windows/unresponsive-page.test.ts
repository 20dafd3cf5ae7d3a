import { expect, test, vi } from 'vitest';
import { emitter } from './stand-ins.fixture.ts';
import { type PageAnswer, pageQuestion, type PageTrouble, watchPage } from './unresponsive-page.ts';

function host(answers: PageAnswer[], { isEnding = false } = {}) {
  const did: string[] = [];
  const asked: { trouble: PageTrouble; signal: AbortSignal }[] = [];
  const failures: string[] = [];
  const page = emitter({ reload: () => void did.push('reload'), forcefullyCrashRenderer: () => void did.push('kill') });
  watchPage(page, {
    // Without an answer from the test the question stays open until it is withdrawn, which counts as waiting.
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

test('a dead page is logged, gets nothing more, and is reloaded when the person chooses so', async () => {
  const { did, asked, failures, die } = host(['reload']);
  die();
  expect(did).toEqual(['disconnect']);
  await vi.waitFor(() => expect(did).toEqual(['disconnect', 'connect', 'reload']));
  expect([asked.map(({ trouble }) => trouble), failures]).toEqual([['gone'], [expect.stringMatching(/crashed.*139/)]]);
});

test('a dead page ends the program when the person chooses so', async () => {
  const { did, die } = host(['quit']);
  die('oom');
  await vi.waitFor(() => expect(did).toEqual(['disconnect', 'quit']));
});

test('a page that dies again opens the dialog again', async () => {
  const { did, asked, die } = host(['reload', 'quit']);
  die();
  await vi.waitFor(() => expect(did).toContain('reload'));
  die();
  await vi.waitFor(() => expect(did).toContain('quit'));
  expect(asked.length).toBe(2);
});

test('a page that does not answer is awaited, and the dialog closes when it answers again', async () => {
  const { page, did, asked, failures } = host([]);
  page.emit('unresponsive');
  page.emit('unresponsive');
  expect([asked.map(({ trouble }) => trouble), failures.length]).toEqual([['stuck'], 1]);
  page.emit('responsive');
  await settled();
  expect([asked[0]?.signal.aborted, did]).toEqual([true, []]);
  page.emit('unresponsive');
  expect(asked.length).toBe(2);
});

test('an unresponsive page is ended before it is reloaded, without a dialog about that end', async () => {
  const { page, did, asked, die } = host(['reload']);
  page.emit('unresponsive');
  await vi.waitFor(() => expect(did).toEqual(['kill', 'connect', 'reload']));
  die('killed');
  await settled();
  expect([asked.length, did]).toEqual([1, ['kill', 'connect', 'reload']]);
  die();
  expect(asked.length).toBe(2);
});

test('a reloaded page that dies opens the dialog, also when the previous end was never reported', async () => {
  const { page, did, asked, die } = host(['reload']);
  page.emit('unresponsive');
  await vi.waitFor(() => expect(did).toContain('reload'));
  page.emit('did-finish-load');
  die();
  expect(asked.length).toBe(2);
});

test('a closed window closes its dialog', async () => {
  const { page, did, asked, die } = host([]);
  die();
  page.emit('destroyed');
  await settled();
  expect([asked[0]?.signal.aborted, did]).toEqual([true, ['disconnect']]);
});

test('an unresponsive page does not stop the window from closing when the person quits', async () => {
  const { page, did } = host(['quit']);
  page.emit('unresponsive');
  await vi.waitFor(() => expect(did).toEqual(['kill', 'quit']));
});

test('a page that dies during the dialog about waiting closes that dialog', async () => {
  const { page, did, asked, die } = host([]);
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

test('dismissing the dialog about a dead page reloads the page', async () => {
  const { did, die } = host(['wait']);
  die();
  await vi.waitFor(() => expect(did).toEqual(['disconnect', 'connect', 'reload']));
});

test('a quitting program shows no dialog and waits for no page', async () => {
  const { page, did, asked, die } = host([], { isEnding: true });
  page.emit('unresponsive');
  die();
  await settled();
  expect([asked, did]).toEqual([[], ['kill']]);
});

test('a failing dialog is reported', async () => {
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
  'the dialog about a page that is %s has a button for each answer, the first for Escape',
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
