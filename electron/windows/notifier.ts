import type { HostEvent } from '../event-hub.ts';
import { gathered, type Notice, type NoticeKind, NoticeReader } from './notices.ts';

export interface NotifierPorts {
  /** Whether the person wants notifications. */
  isWanted(): boolean;
  /** Whether the person looks: then the page tells them. */
  isWatched(): boolean;
  show(notice: Notice): void;
  /** Later, unless the returned function is called before. */
  after(milliseconds: number, action: () => void): () => void;
}

const restMs = 10_000;

/**
 * Tells of what ended while nobody looked: at once, and then at most once in ten seconds of each kind, what came
 * meanwhile as one.
 */
export class Notifier {
  readonly #ports: NotifierPorts;
  readonly #reader = new NoticeReader();
  readonly #resting = new Map<NoticeKind, { came: Notice[]; stop: () => void }>();

  constructor(ports: NotifierPorts) {
    this.#ports = ports;
  }

  /** Every event of the host goes through here, whether or not somebody looks: what is news depends on those before. */
  hear(event: HostEvent): void {
    const notice = this.#reader.read(event);
    if (notice !== null && this.#isDue()) this.#offer(notice);
  }

  close(): void {
    for (const { stop } of this.#resting.values()) stop();
    this.#resting.clear();
  }

  #isDue(): boolean {
    return !this.#ports.isWatched() && this.#ports.isWanted();
  }

  #offer(notice: Notice): void {
    const rest = this.#resting.get(notice.kind);
    if (rest === undefined) this.#show(notice);
    else rest.came.push(notice);
  }

  #show(notice: Notice): void {
    const { show, after } = this.#ports;
    this.#resting.set(notice.kind, { came: [], stop: after(restMs, () => this.#rested(notice.kind)) });
    show(notice);
  }

  /** Who has looked in between has seen it. */
  #rested(kind: NoticeKind): void {
    const [first, ...others] = this.#resting.get(kind)?.came ?? [];
    this.#resting.delete(kind);
    if (first !== undefined && this.#isDue()) this.#show(gathered([first, ...others]));
  }
}
