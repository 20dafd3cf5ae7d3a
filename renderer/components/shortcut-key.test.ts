import { expect, test } from 'vitest';
import { letterKeyOf, shortcutKeyOf } from './shortcut-key.ts';

test.each([
  ['k', 'KeyK', 'k', 'a key of this layout'],
  ['K', 'KeyK', 'k', 'Caps Lock'],
  ['k', 'KeyV', 'k', 'Dvorak: what is typed goes before where it is'],
  ['&', 'Digit1', '1', 'AZERTY'],
  ['è', 'Digit7', '7', 'AZERTY'],
  [',', 'KeyM', ',', 'AZERTY'],
  [';', 'Comma', ';', 'AZERTY: a character of its own'],
  ['л', 'KeyK', 'k', 'Cyrillic'],
  ['Б', 'Comma', ',', 'Cyrillic with Caps Lock'],
  ['1', 'Numpad1', '1', 'the number pad'],
  ['Enter', 'Enter', 'enter', 'no character'],
  ['ß', 'Minus', 'ß', 'a key that is none of ours'],
])('the shortcut key of %s at %s is %s: %s', (key, code, expected) => {
  expect(shortcutKeyOf({ key, code })).toBe(expected);
});

test.each([
  ['d', 'KeyD', false, 'd', 'a key of this layout'],
  ['X', 'KeyX', true, 'x', 'Shift'],
  ['в', 'KeyD', false, 'd', 'Cyrillic'],
  ['Ч', 'KeyX', true, 'x', 'Cyrillic with Shift'],
  ['σ', 'KeyS', false, 's', 'Greek'],
  ['ג', 'KeyD', false, 'd', 'Hebrew'],
  ['/', 'KeyQ', false, '/', 'Hebrew: a mark is what it types'],
  ['ي', 'KeyD', false, 'd', 'Arabic'],
  ['ظ', 'Slash', false, '/', 'Arabic: the key of the search'],
  ['؟', 'Slash', true, '?', 'Arabic: the key of the help'],
  ['ㅇ', 'KeyD', false, 'd', 'Korean'],
  ['q', 'KeyA', false, 'q', 'AZERTY: what is typed goes before where it is'],
  ['e', 'KeyD', false, 'e', 'Dvorak'],
  ['/', 'Digit7', true, '/', 'German: a mark on a digit'],
  ['?', 'Digit7', true, '?', 'Cyrillic: a mark on a digit'],
  ['.', 'Slash', false, '.', 'Cyrillic: a mark of its own'],
  ['&', 'Digit1', false, '&', 'AZERTY'],
  ['ArrowDown', 'ArrowDown', false, 'arrowdown', 'no character'],
  ['é', '', false, 'é', 'an unknown place'],
])('the single key of %s at %s with Shift %s is %s: %s', (key, code, shiftKey, expected) => {
  expect(letterKeyOf({ key, code, shiftKey })).toBe(expected);
});
