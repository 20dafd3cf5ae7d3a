import { expect, test } from 'vitest';
import { foundRules, jobNews, lostComment } from './host-news.fixture.ts';
import { Notifier } from './notices.ts';

/** A desk nobody looks at, whose time goes on when it is told to. */
function desk() {
  const shown: string[] = [];
  const timers = new Set<{ at: number; action: () => void }>();
  let now = 0;
  const state = { isWanted: true, isWatched: false };
  const notifier = new Notifier({
    isWanted: () => state.isWanted,
    isWatched: () => state.isWatched,
    show: ({ title }) => shown.push(title),
    after: (milliseconds, action) => {
      const timer = { at: now + milliseconds, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const goOn = (milliseconds: number): void => {
    now += milliseconds;
    for (const timer of [...timers].filter(({ at }) => at <= now)) {
      timers.delete(timer);
      timer.action();
    }
  };
  const endJob = (id: number): void => {
    notifier.hear(jobNews({ id }));
    notifier.hear(jobNews({ id, state: 'done' }));
  };
  return { shown, timers, state, notifier, goOn, endJob };
}

test('one is shown at once; what comes within ten seconds of it is shown as one', () => {
  const { shown, goOn, endJob } = desk();
  for (const id of [1, 2, 3, 4]) endJob(id);
  expect(shown).toEqual(['Bulk download finished']);
  goOn(9_999);
  expect(shown).toHaveLength(1);
  goOn(1);
  expect(shown).toEqual(['Bulk download finished', '3 jobs finished or halted']);
  endJob(5);
  expect(shown).toHaveLength(2);
  goOn(10_000);
  expect(shown.at(-1)).toBe('Bulk download finished');
  goOn(10_000);
  endJob(6);
  expect(shown).toHaveLength(4);
});

test('each kind has its own ten seconds', () => {
  const { shown, notifier, endJob } = desk();
  endJob(1);
  notifier.hear(foundRules('1.4'));
  notifier.hear(lostComment);
  expect(shown).toEqual(['Bulk download finished', 'New rules available', 'A comment did not arrive']);
});

test('who looks is told by the page, and what was to come is no news any more', () => {
  const { shown, state, goOn, endJob } = desk();
  endJob(1);
  endJob(2);
  state.isWatched = true;
  endJob(3);
  goOn(10_000);
  expect(shown).toHaveLength(1);
});

test('a job that began while somebody looked is told when it ends while nobody does', () => {
  const { shown, state, notifier } = desk();
  state.isWatched = true;
  notifier.hear(jobNews());
  state.isWatched = false;
  notifier.hear(jobNews({ state: 'done' }));
  expect(shown).toHaveLength(1);
});

test('who wants none gets none, from the moment on', () => {
  const { shown, state, goOn, endJob } = desk();
  endJob(1);
  endJob(2);
  state.isWanted = false;
  goOn(10_000);
  endJob(3);
  expect(shown).toHaveLength(1);
});

test('a desk that closes tells nothing more', () => {
  const { shown, timers, notifier, goOn, endJob } = desk();
  endJob(1);
  endJob(2);
  notifier.close();
  goOn(10_000);
  expect([shown.length, timers.size]).toEqual([1, 0]);
});
