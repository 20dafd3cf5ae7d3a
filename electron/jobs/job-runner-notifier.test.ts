import { expect, test } from 'vitest';
import { JobNotifier } from './job-runner.ts';
import { ManualClock } from './manual-clock.fixture.ts';

function listening(): { clock: ManualClock; notifier: JobNotifier; reported: [number, number][] } {
  const clock = new ManualClock();
  const reported: [number, number][] = [];
  return { clock, reported, notifier: new JobNotifier(clock, (id) => reported.push([clock.now(), id])) };
}

test('a job change is announced at once, but never within the call that made it', () => {
  const { clock, notifier, reported } = listening();
  notifier.changed(7);
  expect(reported).toEqual([]);
  clock.advance(0);
  expect(reported).toEqual([[0, 7]]);
});

test('a constantly changing job is announced ten times a second, including its last change', () => {
  const { clock, notifier, reported } = listening();
  for (let ms = 0; ms < 1000; ms += 1) {
    notifier.changed(7);
    clock.advance(1);
  }
  clock.advance(1000);
  expect(reported.map(([at]) => at)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
});

test('jobs are announced independently of each other', () => {
  const { clock, notifier, reported } = listening();
  notifier.changed(1);
  clock.advance(0);
  notifier.changed(1);
  notifier.changed(2);
  clock.advance(0);
  expect(reported).toEqual([
    [0, 1],
    [0, 2],
  ]);
});

test('a job is not announced after it was removed or after the end', () => {
  const { clock, notifier, reported } = listening();
  notifier.changed(1);
  notifier.changed(2);
  notifier.forget(1);
  clock.advance(1000);
  notifier.changed(3);
  notifier.close();
  notifier.changed(4);
  clock.advance(1000);
  expect(reported.map(([, id]) => id)).toEqual([2]);
  expect(clock.pending).toBe(0);
});
