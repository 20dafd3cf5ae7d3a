import type { ShellCommand } from '../../shared/domain/host.ts';
import type { HostEvent } from '../event-hub.ts';
import { NativeNotices, type NotificationPort } from './native-notices.ts';
import { Notifier } from './notifier.ts';
import { type ProgressWindow, TaskbarProgress } from './taskbar-progress.ts';

export interface BackgroundPorts {
  events: { subscribe(listener: (event: HostEvent) => void): () => void };
  isWanted(): boolean;
  isWatched(): boolean;
  createNotification(words: { title: string; body: string }): NotificationPort;
  /** A notification was clicked. */
  onChosen(leadsTo: ShellCommand): void;
  onFailure(error: unknown): void;
}

export interface BackgroundNews {
  /** The window by which progress is shown, until it closes. */
  follow(window: ProgressWindow): void;
  stop(): void;
}

/** What the program tells outside of its window: notifications, and the progress in the taskbar. */
export function tellInBackground({
  events,
  isWanted,
  isWatched,
  createNotification,
  onChosen,
  onFailure,
}: BackgroundPorts): BackgroundNews {
  const notices = new NativeNotices({ create: createNotification, onChosen, onFailure });
  const notifier = new Notifier({ isWanted, isWatched, after, show: (notice) => notices.show(notice) });
  const progress = new TaskbarProgress();
  const stop = events.subscribe((event) => {
    try {
      notifier.hear(event);
      progress.hear(event);
    } catch (error) {
      // What the system cannot show must not end the work that is told of.
      onFailure(error);
    }
  });
  return {
    follow: (window) => progress.follow(window),
    stop: () => {
      stop();
      notifier.close();
    },
  };
}

function after(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  return () => clearTimeout(timer);
}
