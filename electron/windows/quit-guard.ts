/**
 * Longer than what is asked to end and then killed takes, and short enough that nobody looks for another way to end it.
 */
export const closeWithinMs = 15_000;

interface Preventable {
  preventDefault(): void;
}

/** What this needs of Electron's `app`. */
export interface QuitPort {
  on(event: 'before-quit', listener: (event: Preventable) => void): unknown;
  quit(): void;
}

export interface QuitQuestions {
  runningJobs(): number;
  /** Asks whether to quit although jobs run. One that cannot be asked counts as no. */
  ask(jobs: number): Promise<boolean>;
  /** Closes what the program holds; called once, and waited for as long as `closeWithinMs`. */
  close(): Promise<void>;
  /**
   * Something could not be asked, or not be closed. In the second case the process ends all the same: nothing that
   * matters is only in memory.
   */
  onFailure(error: unknown): void;
}

export interface QuitGuard {
  /** Whether the host is closed and windows may go. */
  hasEnded(): boolean;
  /**
   * Quits without asking, of a person who was told what becomes of the jobs. `last` is done once the host is closed,
   * and never if it does not come to that.
   */
  endThen(last: () => void): void;
}

/**
 * Quitting asks while jobs run, and closes the host before the process goes. Electron does not wait for promises, so
 * the first attempt is stopped, and quitting is begun again when everything is closed.
 */
export function guardQuit(app: QuitPort, { runningJobs, ask, close, onFailure }: QuitQuestions): QuitGuard {
  let state: 'running' | 'asking' | 'ending' | 'ended' = 'running';
  const tried = async (step: () => unknown): Promise<void> => {
    try {
      await step();
    } catch (error) {
      onFailure(error);
    }
  };
  const end = async (last: () => void): Promise<void> => {
    state = 'ending';
    await tried(() => inTime(close()));
    await tried(last);
    state = 'ended';
    app.quit();
  };
  const askFirst = async (): Promise<void> => {
    let isAgreed = false;
    try {
      const jobs = runningJobs();
      isAgreed = jobs === 0 || (await ask(jobs));
    } catch (error) {
      onFailure(error);
    }
    // It may have been ended meanwhile, by a signal.
    if (state !== 'asking') return;
    if (isAgreed) return end(() => {});
    state = 'running';
  };
  app.on('before-quit', (event) => {
    if (state === 'ended') return;
    event.preventDefault();
    if (state !== 'running') return;
    state = 'asking';
    void askFirst();
  });
  return {
    hasEnded: () => state === 'ended',
    endThen: (last) => {
      if (state === 'running' || state === 'asking') void end(last);
    },
  };
}

/** What this needs of `process`. */
export interface SignalPort {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
}

/**
 * A session that ends, or a terminal by Ctrl-C or by its own end, ends the program in order and without a question:
 * nobody may be there to answer it, and the system kills what waits. To be called once the app is ready: before,
 * Electron's own handlers, which quit as a person does, take the place of these.
 */
export function endAtSignals(signals: SignalPort, guard: Pick<QuitGuard, 'endThen'>): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) signals.on(signal, () => guard.endThen(() => {}));
}

function inTime(closing: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not closed within ${closeWithinMs} ms`)), closeWithinMs);
  });
  return Promise.race([closing, late]).finally(() => clearTimeout(timer));
}
