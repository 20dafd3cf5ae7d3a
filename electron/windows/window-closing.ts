import type { WhenClosed } from '../../shared/domain/settings.ts';
import { type BackgroundWork, type CloseAnswer, endsWithProgram } from './background-work.ts';

/** What this needs of Electron's `BrowserWindow`. */
export interface ClosedWindow {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown;
}

export interface ClosingPorts {
  /** The host is closed, and windows may go. */
  hasEnded(): boolean;
  /** The setting. */
  choice(): WhenClosed;
  work(): BackgroundWork;
  ask(work: BackgroundWork): Promise<CloseAnswer>;
  /** Keeps the program running without its window. */
  stay(): Promise<void>;
  /** Quits as by the menu: asks while jobs run. */
  quit(): void;
  /** Quits without another question. */
  quitAtOnce(): void;
  onFailure(error: unknown): void;
}

/**
 * Closing the window of Windows and Linux quits, unless the setting keeps the program in the tray. Where that would end
 * something a person may count on, they are asked first. On macOS a program goes on without its window.
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
  const answer = await ports.ask(work);
  if (answer === 'stay') return ports.stay();
  if (answer === 'quit') ports.quitAtOnce();
}
