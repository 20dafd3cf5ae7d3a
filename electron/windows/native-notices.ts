import type { ShellCommand } from '../../shared/domain/host.ts';
import type { Notice } from './notices.ts';

/** What this needs of Electron's `Notification`. */
export interface NotificationPort {
  on(event: 'click', listener: () => void): unknown;
  on(
    event: 'close',
    listener: (details: { reason?: 'userCanceled' | 'applicationHidden' | 'timedOut' }) => void,
  ): unknown;
  on(event: 'failed', listener: (event: unknown, error: string) => void): unknown;
  show(): void;
  close(): void;
}

export interface NativeNoticesPorts {
  create(words: { title: string; body: string }): NotificationPort;
  /** One was clicked. */
  onChosen(leadsTo: ShellCommand): void;
  onFailure(error: Error): void;
}

const most = 20;

/**
 * The system's notifications. Held here while they stand: one that nothing holds is forgotten with what its click does.
 */
export class NativeNotices {
  readonly #ports: NativeNoticesPorts;
  readonly #shown = new Set<NotificationPort>();

  constructor(ports: NativeNoticesPorts) {
    this.#ports = ports;
  }

  show({ title, body, leadsTo }: Notice): void {
    const notification = this.#ports.create({ title, body });
    const letGo = (): void => void this.#shown.delete(notification);
    notification.on('click', () => {
      letGo();
      this.#ports.onChosen(leadsTo);
    });
    notification.on('close', ({ reason }) => {
      // Windows moves it from the screen to its list, where it can be clicked on as before.
      if (reason !== 'timedOut') letGo();
    });
    notification.on('failed', (_event, error) => {
      letGo();
      this.#ports.onFailure(new Error(error));
    });
    this.#shown.add(notification);
    notification.show();
    this.#makeRoom();
  }

  /** The oldest goes from the screen, too: a click on it would lead nowhere. */
  #makeRoom(): void {
    const [oldest] = this.#shown;
    if (oldest === undefined || this.#shown.size <= most) return;
    this.#shown.delete(oldest);
    oldest.close();
  }
}
