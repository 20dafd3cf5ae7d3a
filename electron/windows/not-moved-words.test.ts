import { expect, test } from 'vitest';
import { notMovedWords } from './message-boxes.ts';

test('it says what stood in the way, and where the data is', () => {
  expect(notMovedWords({ kind: 'disk-full', path: '/disk/desk' }, '/home/ana/Vitrine')).toEqual({
    message: 'The data was not moved: the disk is full',
    detail: expect.stringMatching(/\/disk\/desk[^]*uses the data in \/home\/ana\/Vitrine\.$/),
    buttons: ['Continue'],
  });
});

test('a refusal says once that it was not moved', () => {
  expect(notMovedWords({ kind: 'move-refused', path: '/disk/desk', reason: 'not-empty' }, '/home').message).toBe(
    'The data was not moved',
  );
});
