import { expect, onTestFinished, test, vi } from 'vitest';
import type { WhenClosed } from '../../shared/domain/settings.ts';
import type { BackgroundWork, CloseAnswer } from './background-work.ts';
import { closeWithinMs, endAtSignals, guardClosing, guardQuit } from './quit.ts';
import { emitter, preventable } from './stand-ins.fixture.ts';

function host(jobs: number, answer: boolean, close: () => Promise<void> = async () => {}) {
  const quit = vi.fn<() => void>();
  const ask = vi.fn<(jobs: number) => Promise<boolean>>(async () => answer);
  const closed = vi.fn(close);
  const onFailure = vi.fn<(error: unknown) => void>();
  const app = emitter({ quit });
  const guard = guardQuit(app, { runningJobs: () => jobs, ask, close: closed, onFailure });
  const tryToQuit = () => {
    const event = preventable({});
    app.emit('before-quit', event);
    return event.wasPrevented ? 'waits' : 'goes';
  };
  return { quit, ask, closed, onFailure, guard, tryToQuit };
}

test('an idle program closes before it quits, without a prompt', async () => {
  const { tryToQuit, quit, ask, closed, guard } = host(0, false);
  expect(tryToQuit()).toBe('waits');
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  expect([closed.mock.calls.length, ask.mock.calls.length, guard.hasEnded(), tryToQuit()]).toEqual([
    1,
    0,
    true,
    'goes',
  ]);
});

test('a busy program that is kept open prompts again the next time', async () => {
  const { tryToQuit, quit, ask, closed, guard } = host(2, false);
  expect(tryToQuit()).toBe('waits');
  await vi.waitFor(() => expect(ask).toHaveBeenCalledWith(2));
  await Promise.resolve();
  expect(tryToQuit()).toBe('waits');
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2));
  expect([closed.mock.calls.length, quit.mock.calls.length, guard.hasEnded()]).toEqual([0, 0, false]);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])(
  'a busy program ends without a prompt when %s requests it',
  async (signal) => {
    const { quit, ask, closed, guard } = host(2, false);
    const signals = emitter({});
    endAtSignals(signals, guard);
    signals.emit(signal);
    await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
    expect([ask.mock.calls.length, closed.mock.calls.length]).toEqual([0, 1]);
  },
);

test('a program with an open quit prompt ends once when a signal comes before the answer', async () => {
  const answer = Promise.withResolvers<boolean>();
  const { tryToQuit, quit, closed, ask, guard } = host(1, false);
  ask.mockReturnValue(answer.promise);
  const signals = emitter({});
  endAtSignals(signals, guard);
  tryToQuit();
  signals.emit('SIGTERM');
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  answer.resolve(true);
  await answer.promise;
  expect([closed.mock.calls.length, quit.mock.calls.length, guard.hasEnded()]).toEqual([1, 1, true]);
});

test('a busy program that is to quit closes and quits', async () => {
  const { tryToQuit, quit, closed } = host(1, true);
  tryToQuit();
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  expect([closed.mock.calls.length, tryToQuit()]).toEqual([1, 'goes']);
});

test('repeated quit attempts prompt once and close once', async () => {
  const { tryToQuit, quit, ask, closed } = host(1, true);
  expect([tryToQuit(), tryToQuit(), tryToQuit()]).toEqual(['waits', 'waits', 'waits']);
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  expect([ask.mock.calls.length, closed.mock.calls.length]).toEqual([1, 1]);
});

test('a failure to close is reported and does not keep the program alive', async () => {
  const { tryToQuit, quit, onFailure } = host(0, false, () => Promise.reject(new Error('stuck')));
  tryToQuit();
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  expect(onFailure).toHaveBeenCalledWith(new Error('stuck'));
});

test('an agreed end prompts for nothing and runs its last step once, after everything closed', async () => {
  const happened: string[] = [];
  const { guard, tryToQuit, quit, ask } = host(2, false, async () => void happened.push('closed'));
  const last = (): void => void happened.push('last');
  guard.endThen(last);
  guard.endThen(last);
  expect(tryToQuit()).toBe('waits');
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  expect([happened, ask.mock.calls.length, tryToQuit()]).toEqual([['closed', 'last'], 0, 'goes']);
});

test('a declined quit prompt blocks every other end, then and later', async () => {
  const { guard, tryToQuit, ask, quit } = host(1, false);
  const last = vi.fn<() => void>();
  tryToQuit();
  guard.endThen(last);
  await vi.waitFor(() => expect(ask).toHaveBeenCalledOnce());
  expect([last.mock.calls.length, quit.mock.calls.length]).toEqual([0, 0]);
});

test('a failing quit prompt is reported and ends nothing, and the next attempt prompts again', async () => {
  const { tryToQuit, ask, quit, closed, onFailure } = host(1, true);
  ask.mockRejectedValueOnce(new Error('no display'));
  expect(tryToQuit()).toBe('waits');
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledWith(new Error('no display')));
  expect([closed.mock.calls.length, quit.mock.calls.length]).toEqual([0, 0]);
  expect(tryToQuit()).toBe('waits');
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  expect([ask.mock.calls.length, closed.mock.calls.length, tryToQuit()]).toEqual([2, 1, 'goes']);
});

test('a close that never ends is awaited for a limited time and reported', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { guard, quit, onFailure, tryToQuit } = host(0, false, () => new Promise(() => {}));
  const last = vi.fn<() => void>();
  guard.endThen(last);
  await vi.advanceTimersByTimeAsync(closeWithinMs - 1);
  expect([quit.mock.calls.length, tryToQuit()]).toEqual([0, 'waits']);
  await vi.advanceTimersByTimeAsync(1);
  expect([quit.mock.calls.length, last.mock.calls.length, onFailure.mock.calls.length, tryToQuit()]).toEqual([
    1,
    1,
    1,
    'goes',
  ]);
});

test('a close in time leaves no timer behind', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { tryToQuit, quit } = host(0, false);
  tryToQuit();
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  expect(vi.getTimerCount()).toBe(0);
});

test('a failing last step is reported and does not keep the program alive', async () => {
  const { guard, quit, onFailure } = host(0, false);
  guard.endThen(() => {
    throw new Error('no program');
  });
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  expect(onFailure).toHaveBeenCalledWith(new Error('no program'));
});

const idle: BackgroundWork = { jobs: 0, watchedFolder: null, checksRules: false };
const watching: BackgroundWork = { ...idle, watchedFolder: '/in' };

interface Situation {
  choice?: WhenClosed;
  work?: BackgroundWork;
  answer?: CloseAnswer;
  hasEnded?: boolean;
}

/** A window that is closed in a situation. */
function open({ choice = 'ask', work = watching, answer = 'cancel', hasEnded = false }: Situation) {
  const happened: string[] = [];
  const ask = vi.fn<() => Promise<CloseAnswer>>(async () => answer);
  const onFailure = vi.fn<(error: unknown) => void>();
  const window = emitter({});
  guardClosing(window, {
    hasEnded: () => hasEnded,
    choice: () => choice,
    work: () => work,
    chooseAnswer: ask,
    stay: async () => void happened.push('stay'),
    quit: () => happened.push('quit'),
    quitAtOnce: () => happened.push('quit at once'),
    onFailure,
  });
  const close = async (): Promise<boolean> => {
    const event = preventable({});
    window.emit('close', event);
    await new Promise((resolve) => setImmediate(resolve));
    return event.wasPrevented;
  };
  return { close, happened, ask, onFailure };
}

test.each<[string, Situation, string[]]>([
  ['quits when nothing would end', { work: idle }, ['quit']],
  ['is undone by the person', { answer: 'cancel' }, []],
  ['keeps the program when the person says so', { answer: 'stay' }, ['stay']],
  [
    'quits without a second question when the person says so',
    { answer: 'quit', work: { ...watching, jobs: 2 } },
    ['quit at once'],
  ],
  ['keeps the program by the setting, whatever goes on', { choice: 'tray', work: idle }, ['stay']],
  ['quits by the setting, as the menu does', { choice: 'quit' }, ['quit']],
])('closing the window %s', async (_what, situation, expected) => {
  const { close, happened } = open(situation);
  expect([await close(), happened]).toEqual([true, expected]);
});

test('closing the window prompts only when the setting requires it and something would end', async () => {
  for (const situation of [{ work: idle }, { choice: 'tray' as const }, { choice: 'quit' as const }]) {
    const { close, ask } = open(situation);
    await close();
    expect(ask).not.toHaveBeenCalled();
  }
});

test('a window closes when the host is closed', async () => {
  const { close, happened } = open({ hasEnded: true });
  expect([await close(), happened]).toEqual([false, []]);
});

test('a window closed twice prompts once, and prompts again later', async () => {
  const { close, ask } = open({});
  await Promise.all([close(), close()]);
  expect(ask).toHaveBeenCalledOnce();
  await close();
  expect(ask).toHaveBeenCalledTimes(2);
});

test('a prompt that fails is reported, and the window stays', async () => {
  const { close, ask, happened, onFailure } = open({});
  ask.mockRejectedValueOnce(new Error('no display'));
  expect([await close(), happened]).toEqual([true, []]);
  expect(onFailure).toHaveBeenCalledWith(new Error('no display'));
});
