import { expect, test, vi } from 'vitest';
import type { WhenClosed } from '../../shared/domain/settings.ts';
import type { BackgroundWork, CloseAnswer } from './background-work.ts';
import { guardClosing } from './quit.ts';
import { emitter, preventable } from './stand-ins.fixture.ts';

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
    ask,
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

test('closing the window asks only while the setting says so and something would end', async () => {
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

test('a window that is closed twice asks once, and asks again later', async () => {
  const { close, ask } = open({});
  await Promise.all([close(), close()]);
  expect(ask).toHaveBeenCalledOnce();
  await close();
  expect(ask).toHaveBeenCalledTimes(2);
});

test('a question that cannot be asked is reported, and the window stays', async () => {
  const { close, ask, happened, onFailure } = open({});
  ask.mockRejectedValueOnce(new Error('no display'));
  expect([await close(), happened]).toEqual([true, []]);
  expect(onFailure).toHaveBeenCalledWith(new Error('no display'));
});
