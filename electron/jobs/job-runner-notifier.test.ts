import { expect, test } from 'vitest';
import { JobNotifier } from './job-runner.ts';
import { ManualClock } from './manual-clock.fixture.ts';

function listening(): { clock: ManualClock; teller: JobNotifier; told: [number, number][] } {
  const clock = new ManualClock();
  const told: [number, number][] = [];
  return { clock, told, teller: new JobNotifier(clock, (id) => told.push([clock.now(), id])) };
}

test('a change is told at once, but never within the call that made it', () => {
  const { clock, teller, told } = listening();
  teller.changed(7);
  expect(told).toEqual([]);
  clock.advance(0);
  expect(told).toEqual([[0, 7]]);
});

test('a job that changes all the time is told of ten times a second, and of its last change', () => {
  const { clock, teller, told } = listening();
  for (let ms = 0; ms < 1000; ms += 1) {
    teller.changed(7);
    clock.advance(1);
  }
  clock.advance(1000);
  expect(told.map(([at]) => at)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
});

test('jobs do not take each other’s turns', () => {
  const { clock, teller, told } = listening();
  teller.changed(1);
  clock.advance(0);
  teller.changed(1);
  teller.changed(2);
  clock.advance(0);
  expect(told).toEqual([
    [0, 1],
    [0, 2],
  ]);
});

test('nothing is told of a job that was forgotten, nor after the end', () => {
  const { clock, teller, told } = listening();
  teller.changed(1);
  teller.changed(2);
  teller.forget(1);
  clock.advance(1000);
  teller.changed(3);
  teller.close();
  teller.changed(4);
  clock.advance(1000);
  expect(told.map(([, id]) => id)).toEqual([2]);
  expect(clock.pending).toBe(0);
});
