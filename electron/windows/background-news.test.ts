import { expect, onTestFinished, test, vi } from 'vitest';
import type { ShellCommand } from '../../shared/domain/host.ts';
import { EventHub } from '../event-hub.ts';
import { tellInBackground } from './background-news.ts';
import { jobNews } from './host-news.fixture.ts';
import { emitter } from './stand-ins.fixture.ts';

function desk({ isWanted = () => true } = {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events = new EventHub();
  const shown: string[] = [];
  const shares: number[] = [];
  const chosen: ShellCommand[] = [];
  const failures: unknown[] = [];
  const news = tellInBackground({
    events,
    isWanted,
    isWatched: () => false,
    createNotification: ({ title }) => {
      const notification = emitter({ show: () => void shown.push(title), close: () => undefined });
      queueMicrotask(() => notification.emit('click'));
      return notification;
    },
    onChosen: (leadsTo) => chosen.push(leadsTo),
    onFailure: (error) => failures.push(error),
  });
  news.follow(emitter({ setProgressBar: (share: number) => void shares.push(share) }));
  const endJob = (id: number): void => {
    events.emit(jobNews({ id }));
    events.emit(jobNews({ id, state: 'done' }));
  };
  return { shown, shares, chosen, failures, stop: news.stop, endJob };
}

test('what the host tells is shown in the taskbar and, ended, by a notification that leads to it', async () => {
  const { shown, shares, chosen, failures, endJob } = desk();
  endJob(7);
  await Promise.resolve();
  expect({ shown, shares, chosen, failures }).toEqual({
    shown: ['Bulk download finished'],
    shares: [0, -1],
    chosen: [{ kind: 'open-job', id: 7 }],
    failures: [],
  });
  endJob(8);
  endJob(9);
  vi.advanceTimersByTime(10_000);
  expect(shown).toEqual(['Bulk download finished', '2 jobs finished or halted']);
});

test('nothing is told any more once it is stopped', () => {
  const { shown, shares, stop, endJob } = desk();
  endJob(7);
  endJob(8);
  stop();
  endJob(9);
  vi.advanceTimersByTime(10_000);
  expect([shown.length, shares]).toEqual([1, [0, -1, 0, -1]]);
});

test('what cannot be told is told to the log, and ends nothing', () => {
  const damaged = new Error('damaged');
  const { failures, endJob } = desk({
    isWanted: () => {
      throw damaged;
    },
  });
  endJob(7);
  expect(failures).toEqual([damaged]);
});
