import { expect, onTestFinished, test, vi } from 'vitest';
import type { ShellCommand } from '../../shared/domain/host.ts';
import { EventHub, type HostEvent } from '../event-hub.ts';
import { startBackgroundNews, TaskbarProgress } from './background-news.ts';
import { jobNews } from './host-news.fixture.ts';
import { emitter } from './stand-ins.fixture.ts';

function host({ isWanted = () => true } = {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events = new EventHub();
  const shown: string[] = [];
  const shares: number[] = [];
  const chosen: ShellCommand[] = [];
  const failures: unknown[] = [];
  const news = startBackgroundNews({
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

test('host news appears in the taskbar and, for ended jobs, in a notification that leads to it', async () => {
  const { shown, shares, chosen, failures, endJob } = host();
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

test('a stopped background news shows nothing more', () => {
  const { shown, shares, stop, endJob } = host();
  endJob(7);
  endJob(8);
  stop();
  endJob(9);
  vi.advanceTimersByTime(10_000);
  expect([shown.length, shares]).toEqual([1, [0, -1, 0, -1]]);
});

test('news that cannot be shown is logged and ends nothing', () => {
  const damaged = new Error('damaged');
  const { failures, endJob } = host({
    isWanted: () => {
      throw damaged;
    },
  });
  endJob(7);
  expect(failures).toEqual([damaged]);
});

function openWindow() {
  const shares: number[] = [];
  return emitter({ shares, setProgressBar: (share: number) => void shares.push(share) });
}

function sharesAfter(...events: HostEvent[]): number[] {
  const progress = new TaskbarProgress();
  const window = openWindow();
  progress.follow(window);
  for (const event of events) progress.hear(event);
  return window.shares;
}

test('the bar advances with the items of a job and disappears with it', () => {
  expect(
    sharesAfter(jobNews(), jobNews({ settled: 1 }), jobNews({ settled: 4 }), jobNews({ state: 'done', settled: 4 })),
  ).toEqual([0, 0.25, 1, -1]);
});

test('several jobs have one bar', () => {
  expect(
    sharesAfter(jobNews({ settled: 2 }), jobNews({ id: 219, items: 12 }), jobNews({ state: 'cancelled' })),
  ).toEqual([0.5, 0.12, 0]);
});

test('invisible progress is not sent', () => {
  expect(
    sharesAfter(jobNews({ items: 10_000, settled: 100 }), jobNews({ items: 10_000, settled: 101 }), {
      name: 'library.changed',
      payload: {},
    }),
  ).toEqual([0.01]);
});

test('a halted or forgotten job has no bar, and one without items yet has an indeterminate one', () => {
  expect(
    sharesAfter(jobNews({ items: 0 }), jobNews({ state: 'paused', failure: { kind: 'disk-full', path: '/' } })),
  ).toEqual([2, -1]);
  expect(sharesAfter(jobNews(), { name: 'job.forgotten', payload: { id: 218 } })).toEqual([0, -1]);
  expect(sharesAfter(jobNews({ state: 'waiting' }))).toEqual([]);
});

test('a closing window removes its bar, which the dock would keep, and the next one shows progress', () => {
  const progress = new TaskbarProgress();
  const [first, second] = [openWindow(), openWindow()];
  progress.follow(first);
  progress.hear(jobNews({ settled: 1 }));
  first.emit('close', { defaultPrevented: false });
  progress.hear(jobNews({ settled: 2 }));
  expect(first.shares).toEqual([0.25, -1]);
  progress.follow(second);
  progress.hear(jobNews({ settled: 4, state: 'done' }));
  expect([first.shares, second.shares]).toEqual([
    [0.25, -1],
    [0.5, -1],
  ]);
});

test('a window kept from closing keeps its bar', () => {
  const progress = new TaskbarProgress();
  const window = openWindow();
  progress.follow(window);
  progress.hear(jobNews({ settled: 1 }));
  window.emit('close', { defaultPrevented: true });
  progress.hear(jobNews({ settled: 2 }));
  expect(window.shares).toEqual([0.25, 0.5]);
});

test('progress before the window appears is sent again then, as Windows has no place for it before', () => {
  const progress = new TaskbarProgress();
  const window = openWindow();
  progress.follow(window);
  progress.hear(jobNews({ settled: 3 }));
  window.emit('show');
  expect(window.shares).toEqual([0.75, 0.75]);
});
