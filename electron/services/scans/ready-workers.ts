import type { ScanLane, WarmLane, WarmLanes } from '../../rules/scanning/scan-lane.ts';

interface ReadyWorkersOptions {
  start(): ScanLane;
  /** How many are started ahead, and how many are kept with what they compiled. */
  most: number;
  /** One that nobody took by then is ended. In milliseconds. */
  keptMs?: number;
  /** The same for those that have compiled a program, since one was last taken or kept. */
  warmMs?: number;
}

const usuallyKeptMs = 60_000;
const usuallyWarmMs = 10 * 60_000;

interface Kept {
  digest: string;
  lane: ScanLane;
  /** Null in it: the lane cannot be used again. */
  warm: Promise<WarmLane | null>;
  hasCompiled: boolean;
  /** Somebody waits for it. */
  isTaken: boolean;
}

/**
 * Scan processes between scans: some that were started ahead, because whoever looks at what can scan will do so soon,
 * and the last few that compiled a program, because compiling takes many times longer than scanning. All end with the
 * program.
 */
export class ReadyWorkers implements WarmLanes {
  readonly #options: ReadyWorkersOptions;
  readonly #ready = new Set<ScanLane>();
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
      const lane = start();
      this.#ready.add(lane);
      lane.onExit(() => this.#ready.delete(lane));
    }
    clearTimeout(this.#idleEnd ?? undefined);
    this.#idleEnd = setTimeout(() => this.#killReady(), keptMs).unref();
  }

  /** One that is ready, or that was just started. */
  start(): ScanLane {
    const [lane] = this.#ready;
    if (lane === undefined) return this.#options.start();
    this.#ready.delete(lane);
    return lane;
  }

  take(digest: string): ReturnType<WarmLanes['take']> {
    const those = this.#kept.filter((one) => one.digest === digest && !one.isTaken);
    const kept = those.find(({ hasCompiled }) => hasCompiled) ?? those[0];
    if (kept === undefined) return null;
    kept.isTaken = true;
    this.#stayWarm();
    const { hasCompiled } = kept;
    return { hasCompiled, lane: hasCompiled ? this.#given(kept) : kept.warm.then(() => this.#given(kept)) };
  }

  keep(digest: string, lane: ScanLane, warm: Promise<WarmLane | null>): void {
    const kept: Kept = { digest, lane, warm, hasCompiled: false, isTaken: false };
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

  /** Told when those that have compiled something are ended. */
  onCold(listener: () => void): void {
    this.#coldListeners.push(listener);
  }

  /** Ends those that have compiled something: it is not what will be scanned with next. */
  dropWarm(): void {
    for (const listener of this.#coldListeners) listener();
    for (const kept of this.#kept) this.#drop(kept);
  }

  /** Resolves when those that nobody took are gone. */
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

  #compiled(kept: Kept, warm: WarmLane | null): void {
    if (!this.#kept.includes(kept)) return;
    if (warm === null) return this.#drop(kept);
    kept.hasCompiled = true;
    kept.lane.onExit(() => this.#drop(kept));
  }

  /** To whoever took it, unless it ended meanwhile. */
  async #given(kept: Kept): Promise<WarmLane | null> {
    if (!this.#kept.includes(kept)) return null;
    this.#kept = this.#kept.filter((one) => one !== kept);
    return kept.warm;
  }

  #drop(kept: Kept): void {
    if (!this.#kept.includes(kept)) return;
    this.#kept = this.#kept.filter((one) => one !== kept);
    this.#kill(kept.lane);
  }

  #killReady(): void {
    for (const lane of this.#ready) {
      this.#ready.delete(lane);
      this.#kill(lane);
    }
  }

  #kill(lane: ScanLane): void {
    const killed: Promise<void> = lane.kill().finally(() => this.#killed.delete(killed));
    this.#killed.add(killed);
  }
}
