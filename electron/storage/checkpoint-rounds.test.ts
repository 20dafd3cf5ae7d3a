import { expect, test, vi } from 'vitest';
import { copyUntilAnew, pagesWorthARound } from './checkpoint-rounds.ts';

/** Logs of so many pages, one round after the other; the last one stays. */
function roundsOf(...pages: number[]) {
  const copy = vi.fn(() => (pages.length > 1 ? pages.shift() : pages[0]) ?? 0);
  return { copy, pause: vi.fn(), isWanted: () => true };
}

test('a short log is copied once', () => {
  const rounds = roundsOf(pagesWorthARound - 1);
  copyUntilAnew(rounds);
  expect(rounds.copy).toHaveBeenCalledTimes(1);
});

test('a long one is copied until it began anew, and whoever reads and writes has time between', () => {
  const rounds = roundsOf(pagesWorthARound, pagesWorthARound, pagesWorthARound + 20, pagesWorthARound + 10);
  copyUntilAnew(rounds);
  expect([rounds.copy.mock.calls.length, rounds.pause.mock.calls.length]).toEqual([4, 3]);
});

test('it ends with the round that is under way when the database is closed', () => {
  const rounds = roundsOf(pagesWorthARound);
  copyUntilAnew({ ...rounds, isWanted: () => rounds.copy.mock.calls.length < 3 });
  expect(rounds.copy).toHaveBeenCalledTimes(3);
});

test('where somebody always comes between it ends all the same', () => {
  const rounds = roundsOf(pagesWorthARound);
  let seconds = 0;
  copyUntilAnew({ ...rounds, now: () => 1000 * (seconds += 0.3) });
  expect(rounds.copy).toHaveBeenCalledTimes(4);
});
