import { expect, test } from 'vitest';
import { SoleWindow } from './main-window.ts';
import { emitter } from './stand-ins.fixture.ts';

function desk() {
  const happened: string[] = [];
  const made = () => {
    happened.push('opened');
    return emitter({
      isMinimized: () => true,
      isFocused: () => true,
      restore: () => void happened.push('restored'),
      show: () => void happened.push('shown'),
      focus: () => void happened.push('focused'),
    });
  };
  return { happened, made, sole: new SoleWindow<ReturnType<typeof made>>() };
}

test('nothing is opened before the program has come up', () => {
  const { happened, sole } = desk();
  sole.show();
  expect({ happened, current: sole.current, isFocused: sole.isFocused }).toEqual({
    happened: [],
    current: null,
    isFocused: false,
  });
});

test('a window that is there is brought back, however it was put away', () => {
  const { happened, made, sole } = desk();
  sole.begin(made);
  sole.show();
  expect(happened).toEqual(['opened', 'restored', 'shown', 'focused']);
  expect(sole.isFocused).toBe(true);
});

test('a window that was closed is opened again', () => {
  const { happened, made, sole } = desk();
  sole.begin(made);
  sole.current?.emit('closed');
  expect([sole.current, sole.isFocused]).toEqual([null, false]);
  sole.show();
  expect(happened).toEqual(['opened', 'opened']);
});

test('a program that is going opens none', () => {
  const { happened, made, sole } = desk();
  sole.begin(made);
  sole.current?.emit('closed');
  sole.end();
  sole.show();
  expect(happened).toEqual(['opened']);
});
