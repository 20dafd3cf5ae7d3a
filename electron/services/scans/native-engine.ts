import type { Platform } from '../../platform/platform.ts';
import type { ToLane } from '../../rules/scanning/lane-messages.ts';
import { fromLane } from '../../rules/scanning/lane-reply.ts';
import { processLane } from './process-lane.ts';

export type NativeCheck = { ok: true } | { ok: false; text: string };

const patienceMs = 20_000;

/** Whether the native engine runs on this machine. */
export class NativeEngine {
  readonly #platform: Pick<Platform, 'startProcess'>;
  #checked: Promise<NativeCheck> | null = null;

  constructor(platform: Pick<Platform, 'startProcess'>) {
    this.#platform = platform;
  }

  /** Starts its process the first time, in which even loading it may go wrong; that answer is kept. `text` is a sentence without a full stop. */
  check(): Promise<NativeCheck> {
    this.#checked ??= this.#check();
    return this.#checked;
  }

  async #check(): Promise<NativeCheck> {
    const lane = processLane(this.#platform);
    const { promise, resolve } = Promise.withResolvers<NativeCheck>();
    const timer = setTimeout(() => resolve({ ok: false, text: 'Its process did not answer' }), patienceMs);
    lane.onExit((code) => resolve({ ok: false, text: `Its process ended (${code})` }));
    lane.onMessage((message) => resolve(readCheck(message)));
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
  if (data?.kind !== 'checked') return { ok: false, text: 'Its process said what nobody understands' };
  return data.failure === null ? { ok: true } : { ok: false, text: data.failure };
}
