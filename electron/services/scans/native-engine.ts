import { endInWords, plainWords, tellingLine } from '../../../shared/domain/process-end.ts';
import { memoryWords } from '../../base/process-watch.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ScanWorker, ToScanWorker } from '../../rules/scanning/worker-messages.ts';
import { fromScanWorker } from '../../rules/scanning/worker-reply.ts';

type NativeCheck = { ok: true } | { ok: false; text: string };

const patienceMs = 20_000;

/** Whether the native engine runs on this machine. */
export class NativeEngine {
  readonly #processes: ScannerProcesses;
  #checked: Promise<NativeCheck> | null = null;

  constructor(processes: ScannerProcesses) {
    this.#processes = processes;
  }

  /**
   * Starts its process, in which even loading it may go wrong. The engine's answer is kept; a process that ends or is
   * silent is started again for the next caller. `text` is a sentence without a full stop.
   */
  check(): Promise<NativeCheck> {
    this.#checked ??= this.#checkNow();
    return this.#checked;
  }

  async #checkNow(): Promise<NativeCheck> {
    const { check, isSaid } = await this.#check();
    if (!isSaid) this.#checked = null;
    return check;
  }

  async #check(): Promise<{ check: NativeCheck; isSaid: boolean }> {
    const worker = scanWorkerProcess(this.#processes);
    const { promise, resolve } = Promise.withResolvers<{ check: NativeCheck; isSaid: boolean }>();
    const failed = (text: string): void => resolve({ check: { ok: false, text }, isSaid: false });
    const timer = setTimeout(() => failed('Its process did not respond'), patienceMs);
    worker.onExit((how) => failed(`Its process ended (${how})`));
    worker.onMessage((message) => resolve({ check: readCheck(message), isSaid: true }));
    worker.post({ kind: 'check' } satisfies ToScanWorker<never>);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      await worker.kill();
    }
  }
}

function readCheck(message: unknown): NativeCheck {
  const { data } = fromScanWorker.safeParse(message);
  if (data?.kind !== 'checked') return { ok: false, text: 'Unexpected output from its process' };
  return data.failure === null ? { ok: true } : { ok: false, text: data.failure };
}

/** How the process of an engine ended unexpectedly. */
interface EngineExit {
  end: string;
  lastWords: string;
}

export interface ScannerProcesses {
  platform: Pick<Platform, 'startProcess'>;
  /** Takes the secrets out of a text. */
  redact(text: string): string;
  logExit(exit: EngineExit): void;
}

/**
 * An engine in a separate process, whichever it is to load. Its end is reported with the line that explains most of
 * why.
 */
export function scanWorkerProcess({ platform, redact, logExit }: ScannerProcesses): ScanWorker {
  const scanner = platform.startProcess('scanner');
  let isKilled = false;
  let hear: (message: unknown) => void = () => undefined;
  let exitHeard: (how: string, isTooLarge?: boolean) => void = () => undefined;
  scanner.onMessage((message) => hear(message));
  const gone = Promise.withResolvers<{ how: string; isTooLarge: boolean }>();
  scanner.onExit((ended) => {
    const [end, lastWords] = [endInWords(ended), plainWords(redact(ended.lastWords))];
    if (!isKilled) logExit({ end, lastWords });
    const why = tellingLine(lastWords);
    gone.resolve({ how: why === '' ? end : `${end}: ${why}`, isTooLarge: why === memoryWords });
  });
  return {
    post: (message) => scanner.post(message),
    onMessage: (listener) => {
      hear = listener;
    },
    onExit: (listener) => {
      exitHeard = listener;
      void gone.promise.then(({ how, isTooLarge }) => (exitHeard === listener ? listener(how, isTooLarge) : undefined));
    },
    kill: () => {
      isKilled = true;
      return scanner.kill();
    },
  };
}
