import type { NavigationView } from '../../shared/domain/host.ts';
import { deepLinkAmong, readDeepLink, viewAmong } from './desktop-arguments.ts';

/** What this needs of Electron's `app`. */
export interface InstancePort {
  requestSingleInstanceLock(): boolean;
  on(event: 'second-instance', listener: (event: unknown, args: string[]) => void): unknown;
  on(event: 'open-url', listener: (event: { preventDefault(): void }, url: string) => void): unknown;
}

export interface InstanceReactions {
  /** The user wants to see the program: show the window. */
  onWanted(): void;
  onDeepLink(md5: string): void;
  /** A shortcut of the system names a view. */
  onView(view: NavigationView): void;
}

/**
 * One program a data directory: the database is held by one process, so a second start hands what it was started for
 * to the first and ends. Answers whether this is the first.
 */
export function claimSingleInstance(app: InstancePort, reactions: InstanceReactions): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', (_event, args) => {
    reactions.onWanted();
    handleStartArguments(args, reactions);
  });
  // macOS never starts a second process: it sends the link to the running one.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const md5 = readDeepLink(url);
    if (md5 === null) return;
    reactions.onWanted();
    reactions.onDeepLink(md5);
  });
  return true;
}

/** What the program was started for, at the first start as at any other: a link, a view, or nothing. */
export function handleStartArguments(
  args: readonly string[],
  { onDeepLink, onView }: Pick<InstanceReactions, 'onDeepLink' | 'onView'>,
): void {
  const md5 = deepLinkAmong(args);
  if (md5 !== null) return onDeepLink(md5);
  const view = viewAmong(args);
  if (view !== null) onView(view);
}

/**
 * A program that is responsive answers within a turn of its event loop. Asked before the lock is: Chromium would wait
 * twenty seconds for a first program that hangs, end it without a word, and take its place (measured on Electron 33).
 */
export const firstAnswersWithinMs = 8_000;

export class SilentFirstError extends Error {
  /** Null when it is not known. */
  readonly processId: number | null;

  constructor(processId: number | null) {
    super('the first program does not answer');
    this.processId = processId;
  }
}

/** The words for a first program that does not answer. */
export function silentFirstMessage(processId: number | null): { what: string; then: string } {
  const which = processId === null ? 'it' : `process ${processId}`;
  return {
    what: 'Vitrine is already running but does not respond',
    then: `End ${which} and start Vitrine again. Saved data is safe.`,
  };
}
