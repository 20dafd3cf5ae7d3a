import { endInWords, plainWords, tellingLine } from '../../../shared/domain/process-end.ts';
import { memoryWords } from '../../base/process-watch.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ToLane } from '../../rules/scanning/lane-messages.ts';
import { fromLane } from '../../rules/scanning/lane-reply.ts';
import type { ScanLane } from '../../rules/scanning/scan-lane.ts';

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
   * Starts its process, in which even loading it may go wrong. What the engine says of itself is kept; a process that
   * ends or is silent is started again for whoever asks next. `text` is a sentence without a full stop.
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
    const lane = processLane(this.#processes);
    const { promise, resolve } = Promise.withResolvers<{ check: NativeCheck; isSaid: boolean }>();
    const failed = (text: string): void => resolve({ check: { ok: false, text }, isSaid: false });
    const timer = setTimeout(() => failed('Its process did not respond'), patienceMs);
    lane.onExit((how) => failed(`Its process ended (${how})`));
    lane.onMessage((message) => resolve({ check: readCheck(message), isSaid: true }));
    lane.post({ kind: 'check' } satisfies ToLane<never>);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      await lane.kill();
    }
  }
}

function readCheck(message: unknown): NativeCheck {
  const { data } = fromLane.safeParse(message);
  if (data?.kind !== 'checked') return { ok: false, text: 'Unexpected output from its process' };
  return data.failure === null ? { ok: true } : { ok: false, text: data.failure };
}

/** How the process of an engine ended that nobody had ended. */
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
 * An engine in a process of its own, whichever it is told to load. Its end is told with the line that says most of why.
 */
export function processLane({ platform, redact, logExit }: ScannerProcesses): ScanLane {
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
