import { setImmediate } from 'node:timers/promises';
import { assertNever } from '../../../shared/assert-never.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { lowerPriority } from '../../base/workers.ts';
import { type EngineHit, RefusedRulesError, type ScanEngine, type VariableTexts } from '../engine/scan-engine.ts';
import { ownThread } from './processor-use.ts';
import { foundIn } from './scan-verdict.ts';
import {
  isToScanWorker,
  largeBytes,
  resultsEveryMs,
  scanLimits,
  type ScanPort,
  type ToScanWorker,
  type WorkerOrder,
} from './worker-messages.ts';
import type { FromScanWorker, WorkerResult } from './worker-reply.ts';
import { UnaskableError, WorkerRules } from './worker-rules.ts';

/** How a scan worker reads the bytes. */
export interface ScanReader<S> {
  /** All of them, until the next are read; `sizeBytes` is the order's. */
  read(source: S, sizeBytes: number): Promise<Uint8Array>;
  /** Why `read` threw; null for a defect. */
  reasonOf(error: unknown): string | null;
  /** The type of a file by its bytes, as rules expect it in `filetype`. */
  typeOf(bytes: Uint8Array): string;
}

/** Scans on request, in a thread or a process that does nothing else and may be killed at any time. */
export function serveScans<S>(port: ScanPort, reader: ScanReader<S>): void {
  lowerPriority();
  const server = new ScanServer(port, reader);
  let earlier = Promise.resolve();
  port.on('message', (message) => {
    if (isToScanWorker<S>(message)) earlier = earlier.then(() => server.obey(message));
  });
}

/** Only the one that is asked for is loaded: it is part of the time that a scan takes to begin. */
const loadEngine: Record<LocalEngine, () => Promise<ScanEngine>> = {
  native: async () => (await import('../engine/native-yara.ts')).nativeEngine(),
  wasm: async () => (await import('../engine/portable-yara.ts')).portableEngine(),
};

/** null: it is there. */
async function missingNative(): Promise<string | null> {
  const { loadNative, textOfMissing } = await import('../engine/native-yara.ts');
  try {
    loadNative();
    return null;
  } catch (error) {
    return textOfMissing(error);
  }
}

/** In one message, so that none keeps its reader's thread for long. */
const mostPartsATime = 2000;

class ScanServer<S> {
  readonly #port: ScanPort;
  readonly #reader: ScanReader<S>;
  readonly #engines = new Map<LocalEngine, ScanEngine>();
  #source: string[] = [];
  #asking: string[] = [];
  #rules: WorkerRules | null = null;
  #isTyped = false;
  #reported: ReadonlySet<string> | null = null;
  #isOver = false;
  #results: WorkerResult[] = [];
  #parts = 0;
  #reportedAt = 0;

  constructor(port: ScanPort, reader: ScanReader<S>) {
    this.#port = port;
    this.#reader = reader;
  }

  async obey(message: ToScanWorker<S>): Promise<void> {
    if (this.#isOver) return;
    try {
      await this.#do(message);
    } catch (error) {
      this.#isOver = true;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#print(error instanceof EngineBroke ? { kind: 'broke', text: error.message } : { kind: 'defect', text });
    }
  }

  async #do(message: ToScanWorker<S>): Promise<void> {
    switch (message.kind) {
      case 'check':
        return this.#print({ kind: 'checked', failure: await missingNative() });
      // The process's parent enforces that.
      case 'limit':
        return;
      case 'source':
        return this.#gather(message.text);
      case 'asking':
        return void this.#asking.push(message.text);
      case 'compile':
        return this.#compile(message);
      case 'scan':
        return this.#scan(message.orders);
      default:
        return assertNever(message);
    }
  }

  #gather(text: string): void {
    this.#rules = null;
    this.#source.push(text);
  }

  async #compile({
    engine,
    variables,
    asking,
    typed,
    stringsFirst,
    reported,
  }: Extract<ToScanWorker<S>, { kind: 'compile' }>): Promise<void> {
    const source = {
      all: this.#source.join('\n'),
      asking: this.#asking.join('\n'),
      askingRules: new Set(asking),
      variables,
      stringsFirst,
    };
    this.#source = [];
    this.#asking = [];
    this.#reported = reported === null ? null : new Set(reported);
    this.#isTyped = typed;
    try {
      this.#rules = new WorkerRules(source, {
        engine: await this.#loaded(engine),
        loadPortable: () => this.#loaded('wasm'),
        compiles: () => this.#sign('compiling'),
        compiled: () => this.#sign('read'),
      });
    } catch (error) {
      if (!(error instanceof RefusedRulesError)) throw new EngineBroke(error);
      return this.#print({ kind: 'refused', text: error.message });
    }
    this.#print({ kind: 'compiled', thread: ownThread() });
  }

  async #loaded(engine: LocalEngine): Promise<ScanEngine> {
    const loaded = this.#engines.get(engine) ?? (await loadEngine[engine]());
    this.#engines.set(engine, loaded);
    return loaded;
  }

  async #scan(orders: readonly WorkerOrder<S>[]): Promise<void> {
    this.#reportedAt = performance.now();
    for (const order of orders) {
      this.#results.push(await this.#resultOf(order));
      if (this.#parts >= mostPartsATime || performance.now() - this.#reportedAt >= resultsEveryMs) await this.#report();
    }
    if (this.#results.length > 0) await this.#report();
  }

  async #resultOf({ source, sizeBytes, variables }: WorkerOrder<S>): Promise<WorkerResult> {
    const began = performance.now();
    let bytes: Uint8Array;
    try {
      bytes = await this.#reader.read(source, sizeBytes);
    } catch (error) {
      const reason = this.#reader.reasonOf(error);
      if (reason === null) throw error;
      return { reason };
    }
    if (bytes.length >= largeBytes) this.#print({ kind: 'read' });
    const hits = await this.#hits(bytes, variables);
    if (typeof hits === 'string') return { failed: hits };
    const { found, isCut } = hits.length === 0 ? clean : foundIn(hits, bytes, this.#reported);
    const micros = Math.round((performance.now() - began) * 1000);
    for (const { strings } of found)
      this.#parts += 1 + strings.reduce((sum, { matches }) => sum + 1 + matches.length, 0);
    return found.length === 0 ? micros : { micros, found, isCut };
  }

  /** A text: why the file could not be scanned. */
  async #hits(bytes: Uint8Array, sets: readonly VariableTexts[]): Promise<EngineHit[] | string> {
    // Without rules nothing is found in anything: that must never pass for a verdict.
    if (this.#rules === null) throw new Error('scan requested before rules were loaded');
    const all = sets.length === 0 ? [{}] : sets;
    try {
      return await this.#rules.hits(bytes, this.#isTyped ? this.#withType(bytes, all) : all);
    } catch (error) {
      if (error instanceof UnaskableError) return error.message;
      throw new EngineBroke(error);
    }
  }

  /** Without a type a default of the workspace counts. */
  #withType(bytes: Uint8Array, sets: readonly VariableTexts[]): VariableTexts[] {
    const filetype = this.#reader.typeOf(bytes);
    return sets.map((texts) => ({ ...texts, filetype }));
  }

  /** Waits until it has left: what comes next keeps this thread. */
  async #sign(kind: 'compiling' | 'read'): Promise<void> {
    this.#print({ kind });
    await setImmediate();
  }

  /** Waits until it has left: the next scan may never end. */
  async #report(): Promise<void> {
    const isSpent = (this.#rules?.extraScans ?? 0) >= scanLimits.recycleAfter;
    this.#print({ kind: 'results', results: this.#results, ...(isSpent && { isSpent }) });
    this.#results = [];
    this.#parts = 0;
    await setImmediate();
    this.#reportedAt = performance.now();
  }

  #print(message: FromScanWorker): void {
    this.#port.postMessage(message);
  }
}

const clean = { found: [], isCut: false };

/** The engine threw something else than a verdict on rules. */
class EngineBroke extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message.slice(0, 300) : String(cause).slice(0, 300), { cause });
  }
}
