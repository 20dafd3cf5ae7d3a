import type { ShellCommand } from '../../shared/domain/shell-command.ts';
import type { HostEvent } from '../event-hub.ts';
import { NativeNotices, type NotificationPort } from './native-notices.ts';
import { Notifier } from './notifier.ts';
import { TaskbarProgress } from './taskbar-progress.ts';

export interface BackgroundPorts {
  events: { subscribe(listener: (event: HostEvent) => void): () => void };
  isWanted(): boolean;
  isWatched(): boolean;
  createNotification(words: { title: string; body: string }): NotificationPort;
  setProgress(share: number): void;
  /** A notification was clicked. */
  onChosen(leadsTo: ShellCommand): void;
  onFailure(error: unknown): void;
}

/** What the program tells outside of its window, notifications and the progress in the taskbar, until the returned function is called. */
export function tellInBackground({ events, isWanted, isWatched, createNotification, setProgress, onChosen, onFailure }: BackgroundPorts): () => void {
  const notices = new NativeNotices({ create: createNotification, onChosen, onFailure });
  const notifier = new Notifier({ isWanted, isWatched, after, show: (notice) => notices.show(notice) });
  const progress = new TaskbarProgress(setProgress);
  const stop = events.subscribe((event) => {
    try {
      notifier.hear(event);
      progress.hear(event);
    } catch (error) {
      // What the system cannot show must not end the work that is told of.
      onFailure(error);
    }
  });
  return () => {
    stop();
    notifier.close();
  };
}

function after(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  return () => clearTimeout(timer);
}
