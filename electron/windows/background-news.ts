import type { ShellCommand } from '../../shared/domain/host.ts';
import { settledItems } from '../../shared/domain/job.ts';
import type { HostEvent } from '../event-hub.ts';
import { NativeNotices, type NotificationPort, Notifier } from './notices.ts';

interface BackgroundPorts {
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

/** What the program shows outside of its window: notifications, and the progress in the taskbar. */
export function startBackgroundNews({
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
      // What the system cannot show must not end the work it is about.
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

/** As Electron's `setProgressBar` takes it: from 0 to 1, less for no bar, more for one without a measure. */
const noBar = -1;
const unmeasured = 2;

/** What this needs of Electron's `BrowserWindow`. */
interface ProgressWindow {
  setProgressBar(share: number): void;
  once(event: 'show', listener: () => void): unknown;
  on(event: 'close', listener: (event: { readonly defaultPrevented: boolean }) => void): unknown;
}

/** How far all jobs that run are together, by items, shown at the program's place in the taskbar or dock. */
export class TaskbarProgress {
  readonly #jobs = new Map<number, { settled: number; items: number }>();
  #window: ProgressWindow | null = null;
  #shown = noBar;

  /**
   * Shows it by this window from now on, until it closes. On macOS jobs outlive the window, and the dock keeps what it
   * was last set to. To be called behind whatever else keeps the window from closing.
   */
  follow(window: ProgressWindow): void {
    this.#window = window;
    if (this.#shown !== noBar) window.setProgressBar(this.#shown);
    // Before it is shown, Windows has no place for it.
    window.once('show', () => window.setProgressBar(this.#shown));
    window.on('close', (event) => {
      if (event.defaultPrevented) return;
      this.#window = null;
      window.setProgressBar(noBar);
    });
  }

  hear(event: HostEvent): void {
    if (event.name === 'job.forgotten') this.#jobs.delete(event.payload.id);
    else if (event.name !== 'job.changed') return;
    else if (event.payload.state !== 'running') this.#jobs.delete(event.payload.id);
    else this.#jobs.set(event.payload.id, { settled: settledItems(event.payload), items: event.payload.items });
    this.#show(this.#share());
  }

  #show(share: number): void {
    if (share === this.#shown) return;
    this.#shown = share;
    this.#window?.setProgressBar(share);
  }

  /** In whole percent: several jobs report ten times a second. */
  #share(): number {
    if (this.#jobs.size === 0) return noBar;
    const [settled, items] = [...this.#jobs.values()].reduce(
      ([done, all], job) => [done + job.settled, all + job.items],
      [0, 0],
    );
    return items === 0 ? unmeasured : Math.floor((settled / items) * 100) / 100;
  }
}
