import type { MessageBoxOptions } from 'electron';
import { expect, test } from 'vitest';
import { SoleWindow } from './main-window.ts';
import { MessageBoxes, notMovedMessage } from './message-boxes.ts';
import { emitter } from './stand-ins.fixture.ts';
import { pageQuestion } from './unresponsive-page.ts';

const work = { jobs: 1, watchedFolder: null, checksRules: false };

const windowOf = (isVisible: boolean) => {
  const did: string[] = [];
  const parts = {
    did,
    isVisible: () => isVisible,
    isMinimized: () => false,
    isFocused: () => false,
    restore: () => void did.push('restore'),
    show: () => void did.push('show'),
    focus: () => void did.push('focus'),
  };
  return emitter(parts);
};

/** Boxes that are answered with the button that is named. */
function boxesAnswered(button: string | null, opened: ReturnType<typeof windowOf> | null = windowOf(true)) {
  const shown: { options: MessageBoxOptions; isOverWindow: boolean }[] = [];
  const sole = new SoleWindow<ReturnType<typeof windowOf>>();
  if (opened !== null) sole.begin(() => opened);
  const boxes = new MessageBoxes({
    sole,
    show: async (options, over) => {
      shown.push({ options, isOverWindow: over !== null });
      return { response: button === null ? 99 : (options.buttons ?? []).indexOf(button) };
    },
  });
  return { boxes, shown };
}

test.each([
  ['Cancel', 'cancel'],
  ['Keep running in the tray', 'stay'],
  ['Quit', 'quit'],
  [null, 'cancel'],
])('the close dialog returns the answer of its button %s', async (button, answer) => {
  const { boxes } = boxesAnswered(button);
  expect(await boxes.confirmClose(windowOf(true), work, true)).toBe(answer);
});

test('the quit dialog shows a hidden window first and quits only with its second button', async () => {
  const opened = windowOf(false);
  const { boxes, shown } = boxesAnswered(null, opened);
  expect(await boxes.confirmQuit(work)).toBe(false);
  expect(opened.did).toContain('show');
  const [, quit = ''] = shown[0]?.options.buttons ?? [];
  expect(await boxesAnswered(quit).boxes.confirmQuit(work)).toBe(true);
});

test('a dialog has no parent window when none exists', async () => {
  const { boxes, shown } = boxesAnswered('Open', null);
  expect(await boxes.confirmLink('https://a.example/')).toBe(true);
  expect(shown).toMatchObject([{ options: { detail: 'https://a.example/' }, isOverWindow: false }]);
});

test('the dialog about a dead page shows its window and waits when it is dismissed', async () => {
  const opened = windowOf(false);
  const { boxes } = boxesAnswered(null, opened);
  const question = pageQuestion('stuck', 0);
  expect(await boxes.choosePageAction(opened, question, AbortSignal.timeout(1000))).toBe('wait');
  expect(opened.did).toContain('show');
});

test('the failed-move message names the reason and the place of the data', () => {
  expect(notMovedMessage({ kind: 'disk-full', path: '/disk/desk' }, '/home/ana/Vitrine')).toEqual({
    message: 'The data was not moved: the disk is full',
    detail: expect.stringMatching(/\/disk\/desk[^]*uses the data in \/home\/ana\/Vitrine\.$/),
    buttons: ['Continue'],
  });
});

test('a refused move states once that the data was not moved', () => {
  expect(notMovedMessage({ kind: 'move-refused', path: '/disk/desk', reason: 'not-empty' }, '/home').message).toBe(
    'The data was not moved',
  );
});
