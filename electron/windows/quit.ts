import type { WhenClosed } from '../../shared/domain/settings.ts';
import { type BackgroundWork, type CloseAnswer, endsWithProgram } from './background-work.ts';

/**
 * Longer than a process takes that is first signalled and then killed; short enough that no one force-quits.
 */
export const closeWithinMs = 15_000;

interface Preventable {
  preventDefault(): void;
}

/** What this needs of Electron's `app`. */
interface QuitPort {
  on(event: 'before-quit', listener: (event: Preventable) => void): unknown;
  quit(): void;
}

interface QuitSteps {
  runningJobs(): number;
  /** Whether to quit although jobs run. A question that cannot be shown counts as no. */
  ask(jobs: number): Promise<boolean>;
  /** Closes what the program holds; called once, and waited for as long as `closeWithinMs`. */
  close(): Promise<void>;
  /**
   * A question could not be shown, or something not be closed. In the second case the process ends all the same:
   * nothing that matters is only in memory.
   */
  onFailure(error: unknown): void;
}

export interface QuitGuard {
  /** Whether the host is closed and windows may go. */
  hasEnded(): boolean;
  /**
   * Quits without a question, where the person already knows the effect on the jobs. `last` runs once the host is
   * closed, and never if that does not happen.
   */
  endThen(last: () => void): void;
}

/**
 * Quitting asks while jobs run, and closes the host before the process goes. Electron does not wait for promises, so
 * the first attempt is stopped, and quitting is begun again when everything is closed.
 */
export function guardQuit(app: QuitPort, { runningJobs, ask, close, onFailure }: QuitSteps): QuitGuard {
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
  const confirmFirst = async (): Promise<void> => {
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
    void confirmFirst();
  });
  return {
    hasEnded: () => state === 'ended',
    endThen: (last) => {
      if (state === 'running' || state === 'asking') void end(last);
    },
  };
}

/** What this needs of `process`. */
interface SignalPort {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
}

/**
 * A session that ends, or a terminal by Ctrl-C or by its own end, ends the program in order and without a question:
 * no one may be there to answer it, and the system kills what waits. To be called once the app is ready: before,
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

/** What this needs of Electron's `BrowserWindow`. */
interface ClosedWindow {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown;
}

export interface ClosingPorts {
  /** The host is closed, and windows may go. */
  hasEnded(): boolean;
  /** The setting. */
  choice(): WhenClosed;
  work(): BackgroundWork;
  chooseAnswer(work: BackgroundWork): Promise<CloseAnswer>;
  /** Keeps the program running without its window. */
  stay(): Promise<void>;
  /** Quits as by the menu: with a question while jobs run. */
  quit(): void;
  /** Quits without another question. */
  quitAtOnce(): void;
  onFailure(error: unknown): void;
}

/**
 * Closing the window of Windows and Linux quits, unless the setting keeps the program in the tray. Where that would end
 * something a person may count on, a question comes first. On macOS a program keeps running without its window.
 */
export function guardClosing(window: ClosedWindow, ports: ClosingPorts): void {
  let isAsking = false;
  window.on('close', (event) => {
    if (ports.hasEnded()) return;
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    void decide(ports)
      .catch(ports.onFailure)
      .finally(() => {
        isAsking = false;
      });
  });
}

async function decide(ports: ClosingPorts): Promise<void> {
  const choice = ports.choice();
  if (choice === 'tray') return ports.stay();
  const work = ports.work();
  if (choice === 'quit' || !endsWithProgram(work)) return ports.quit();
  const answer = await ports.chooseAnswer(work);
  if (answer === 'stay') return ports.stay();
  if (answer === 'quit') ports.quitAtOnce();
}
