import { expect, test } from 'vitest';
import { keepAwake } from './background-work.ts';

test('each hold is its own, and letting go twice is letting go once', () => {
  const calls: string[] = [];
  let next = 0;
  const power = {
    start: (type: string) => {
      calls.push(`start ${type}`);
      return next++;
    },
    stop: (id: number) => {
      calls.push(`stop ${id}`);
      return true;
    },
  };
  const first = keepAwake(power);
  const second = keepAwake(power);
  first();
  first();
  second();
  expect(calls).toEqual(['start prevent-app-suspension', 'start prevent-app-suspension', 'stop 0', 'stop 1']);
});
