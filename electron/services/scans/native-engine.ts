import type { ToLane } from '../../rules/scanning/lane-messages.ts';
import { fromLane } from '../../rules/scanning/lane-reply.ts';
import { processLane, type ScannerProcesses } from './process-lane.ts';

export type NativeCheck = { ok: true } | { ok: false; text: string };

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
    this.#checked ??= this.#ask();
    return this.#checked;
  }

  async #ask(): Promise<NativeCheck> {
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
