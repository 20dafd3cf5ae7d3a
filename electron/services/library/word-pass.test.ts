import { expect, test, vi } from 'vitest';
import { WordPass } from './word-pass.ts';

/** So many steps are left. */
function passOf(steps: number, isBusy = (): boolean => false) {
  let left = steps;
  const step = vi.fn(() => (left -= 1) > 0);
  const logDefect = vi.fn();
  return { pass: new WordPass({ upkeep: { step }, isBusy, logDefect }), step, logDefect };
}

test('the word pass ends when nothing is left', async () => {
  const { pass, step } = passOf(3);
  await pass.start();
  expect(step).toHaveBeenCalledTimes(3);
  await pass.close();
});

test('the word pass does nothing while other work runs', async () => {
  let asked = 0;
  const { pass, step } = passOf(1, () => (asked += 1) < 3);
  await pass.start();
  expect([asked, step.mock.calls.length]).toEqual([3, 1]);
});

test('the word pass stops when closed, without a defect', async () => {
  const { pass, step, logDefect } = passOf(Number.POSITIVE_INFINITY);
  const over = pass.start();
  await pass.close();
  await over;
  expect([step.mock.calls.length, logDefect.mock.calls]).toEqual([1, []]);
});

test('the word pass ends when the database accepts nothing, and logs it', async () => {
  const { pass, step, logDefect } = passOf(2);
  step.mockImplementation(() => {
    throw new Error('full');
  });
  await pass.start();
  expect(logDefect).toHaveBeenCalledWith(expect.objectContaining({ message: 'full' }));
});
