import type { ScanWorker, WarmWorker, WarmWorkers } from '../../rules/scanning/worker-messages.ts';

interface ReadyWorkersOptions {
  start(): ScanWorker;
  /** How many are started ahead, and how many are kept with what they compiled. */
  most: number;
  /** One that was not taken by then is ended. In milliseconds. */
  keptMs?: number;
  /** The same for those that have compiled a program, since one was last taken or kept. */
  warmMs?: number;
}

const usuallyKeptMs = 60_000;
const usuallyWarmMs = 10 * 60_000;

interface Kept {
  digest: string;
  worker: ScanWorker;
  /** Null in it: the scan worker cannot be used again. */
  warm: Promise<WarmWorker | null>;
  hasCompiled: boolean;
  /** A caller waits for it. */
  isTaken: boolean;
}

/**
 * Scan processes between scans: some that were started ahead, because a user who views what can scan will do so soon,
 * and the last few that compiled a program, because compiling takes many times longer than scanning. All end with the
 * program.
 */
export class ReadyWorkers implements WarmWorkers {
  readonly #options: ReadyWorkersOptions;
  readonly #ready = new Set<ScanWorker>();
  /** The one that was kept last is last. */
  #kept: Kept[] = [];
  readonly #killed = new Set<Promise<void>>();
  #idleEnd: NodeJS.Timeout | null = null;
  #warmEnd: NodeJS.Timeout | null = null;
  #isClosed = false;
  readonly #coldListeners: (() => void)[] = [];

  constructor(options: ReadyWorkersOptions) {
    this.#options = options;
  }

  /** Those that are ready stay so for a while. */
  prepare(): void {
    const { start, most, keptMs = usuallyKeptMs } = this.#options;
    while (this.#ready.size + this.#kept.length < most) {
      const worker = start();
      this.#ready.add(worker);
      worker.onExit(() => this.#ready.delete(worker));
    }
    clearTimeout(this.#idleEnd ?? undefined);
    this.#idleEnd = setTimeout(() => this.#killReady(), keptMs).unref();
  }

  /** One that is ready, or that was just started. */
  start(): ScanWorker {
    const [worker] = this.#ready;
    if (worker === undefined) return this.#options.start();
    this.#ready.delete(worker);
    return worker;
  }

  take(digest: string): ReturnType<WarmWorkers['take']> {
    const those = this.#kept.filter((one) => one.digest === digest && !one.isTaken);
    const kept = those.find(({ hasCompiled }) => hasCompiled) ?? those[0];
    if (kept === undefined) return null;
    kept.isTaken = true;
    this.#stayWarm();
    const { hasCompiled } = kept;
    return { hasCompiled, worker: hasCompiled ? this.#given(kept) : kept.warm.then(() => this.#given(kept)) };
  }

  keep(digest: string, worker: ScanWorker, warm: Promise<WarmWorker | null>): void {
    const kept: Kept = { digest, worker, warm, hasCompiled: false, isTaken: false };
    this.#kept.push(kept);
    if (this.#isClosed) return this.dropWarm();
    for (const old of this.#kept.slice(0, Math.max(0, this.#kept.length - this.#options.most))) this.#drop(old);
    this.#stayWarm();
    void warm.then((compiled) => this.#compiled(kept, compiled));
  }

  count(digest: string): number {
    return this.#kept.filter((one) => one.digest === digest).length;
  }

  /** Whether there are any that have compiled something, or are about to. */
  get areWarm(): boolean {
    return this.#kept.length > 0;
  }

  /** Called when those that have compiled something are ended. */
  onCold(listener: () => void): void {
    this.#coldListeners.push(listener);
  }

  /** Ends those that have compiled something: it is not what will be scanned with next. */
  dropWarm(): void {
    for (const listener of this.#coldListeners) listener();
    for (const kept of this.#kept) this.#drop(kept);
  }

  /** Resolves when those that were not taken are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleEnd ?? undefined);
    clearTimeout(this.#warmEnd ?? undefined);
    this.#killReady();
    this.dropWarm();
    await Promise.all(this.#killed);
  }

  #stayWarm(): void {
    clearTimeout(this.#warmEnd ?? undefined);
    this.#warmEnd = setTimeout(() => this.dropWarm(), this.#options.warmMs ?? usuallyWarmMs).unref();
  }

  #compiled(kept: Kept, warm: WarmWorker | null): void {
    if (!this.#kept.includes(kept)) return;
    if (warm === null) return this.#drop(kept);
    kept.hasCompiled = true;
    kept.worker.onExit(() => this.#drop(kept));
  }

  /** For its taker, unless it ended meanwhile. */
  async #given(kept: Kept): Promise<WarmWorker | null> {
    if (!this.#kept.includes(kept)) return null;
    this.#kept = this.#kept.filter((one) => one !== kept);
    return kept.warm;
  }

  #drop(kept: Kept): void {
    if (!this.#kept.includes(kept)) return;
    this.#kept = this.#kept.filter((one) => one !== kept);
    this.#kill(kept.worker);
  }

  #killReady(): void {
    for (const worker of this.#ready) {
      this.#ready.delete(worker);
      this.#kill(worker);
    }
  }

  #kill(worker: ScanWorker): void {
    const killed: Promise<void> = worker.kill().finally(() => this.#killed.delete(killed));
    this.#killed.add(killed);
  }
}
