import { expect, test } from 'vitest';
import { notesTogether } from './unsaved-texts.ts';

test.each([
  ['one', 'two', 'one\n\n---\n\ntwo'],
  ['one', 'one', 'one'],
  ['', 'two', 'two'],
  ['one', '', 'one'],
  ['one\nadded', 'one', 'one\nadded'],
  ['one', 'one\ngone on', 'one\ngone on'],
  ['banana', 'a', 'banana\n\n---\n\na'],
])('the merge of %j and %j is %j', (stored, own, both) => {
  expect(notesTogether(stored, own)).toBe(both);
});
