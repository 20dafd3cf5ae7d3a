import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseAddress } from './pg-address.ts';
import { connectionTo } from './pg-database.ts';

export interface ListenerOptions {
  /** Of `NOTIFY`: a lower-case identifier. */
  channel: string;
  /** Takes the payload of each notification. */
  heard(payload: string): void;
  /** Called whenever it listens, or no longer does: what was sent in between is lost. */
  changed(): void;
}

const firstWaitMs = 250;
const longestWaitMs = 10_000;
/** What the server may take to answer the end of a connection. */
const endsWithinMs = 1_000;
/** And the beginning. */
const beginsWithinMs = 10_000;

/**
 * A connection that only listens (`LISTEN`), made again whenever it is lost. It reports no failure: behind a pooler
 * that shares sessions, for one, nothing is ever heard, so that its user must look by itself from time to time.
 */
export class PgListener {
  readonly #config: pg.ClientConfig;
  readonly #options: ListenerOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #isListening = false;

  constructor(address: DatabaseAddress, options: ListenerOptions) {
    this.#config = {
      ...connectionTo(address, null),
      query_timeout: beginsWithinMs,
      application_name: 'vitrine-lab-listener',
    };
    this.#options = options;
    this.#running = this.#run();
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
      if (await this.#listen()) waitMs = firstWaitMs;
      // It ends early when this is closed.
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Until the connection is lost, or this is closed. False: it never listened. */
  async #listen(): Promise<boolean> {
    const client = new pg.Client(this.#config);
    const lost = Promise.withResolvers<void>();
    const end = (): void => lost.resolve();
    client.on('error', end);
    client.on('end', end);
    client.on('notification', ({ payload = '' }) => this.#options.heard(payload));
    this.#closing.signal.addEventListener('abort', end);
    try {
      await client.connect();
      // A server that has gone silent answers neither this nor the end.
      await Promise.race([client.query(`LISTEN ${this.#options.channel}`), lost.promise]);
      if (this.#closing.signal.aborted) return false;
      this.#listens(true);
      await lost.promise;
      return true;
    } catch {
      // The same server answers the queries of this process, which report it.
      return false;
    } finally {
      this.#closing.signal.removeEventListener('abort', end);
      if (this.#isListening) this.#listens(false);
      await Promise.race([client.end().catch(() => {}), delay(endsWithinMs, undefined, { ref: false })]);
    }
  }

  #listens(isListening: boolean): void {
    this.#isListening = isListening;
    this.#options.changed();
  }
}
