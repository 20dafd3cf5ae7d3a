import type { ScanLane } from '../../rules/scanning/scan-lane.ts';

export interface ReadyLanesOptions {
  start(): ScanLane;
  /** How many are started ahead. */
  most: number;
  /** One that nobody took by then is ended. In milliseconds. */
  keptMs?: number;
}

const usuallyKeptMs = 60_000;

/** Lanes that were started ahead of the scan they are for: whoever looks at what can scan will do so soon, and a process takes its time to start. */
export class ReadyLanes {
  readonly #options: ReadyLanesOptions;
  readonly #ready = new Set<ScanLane>();
  readonly #killed = new Set<Promise<void>>();
  #idleEnd: NodeJS.Timeout | null = null;

  constructor(options: ReadyLanesOptions) {
    this.#options = options;
  }

  /** Those that are ready stay so for a while. */
  prepare(): void {
    const { start, most, keptMs = usuallyKeptMs } = this.#options;
    while (this.#ready.size < most) {
      const lane = start();
      this.#ready.add(lane);
      lane.onExit(() => this.#ready.delete(lane));
    }
    clearTimeout(this.#idleEnd ?? undefined);
    this.#idleEnd = setTimeout(() => this.#killAll(), keptMs).unref();
  }

  /** One that is ready, or that was just started. */
  take(): ScanLane {
    const [lane] = this.#ready;
    if (lane === undefined) return this.#options.start();
    this.#ready.delete(lane);
    return lane;
  }

  /** Resolves when those that nobody took are gone. */
  async close(): Promise<void> {
    clearTimeout(this.#idleEnd ?? undefined);
    this.#killAll();
    await Promise.all(this.#killed);
  }

  #killAll(): void {
    for (const lane of this.#ready) {
      this.#ready.delete(lane);
      const killed: Promise<void> = lane.kill().finally(() => this.#killed.delete(killed));
      this.#killed.add(killed);
    }
  }
}
