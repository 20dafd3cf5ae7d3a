import { deepLinkAmong, readDeepLink } from './deep-link.ts';

/** What this needs of Electron's `app`. */
export interface InstancePort {
  requestSingleInstanceLock(): boolean;
  on(event: 'second-instance', listener: (event: unknown, args: string[]) => void): unknown;
  on(event: 'open-url', listener: (event: { preventDefault(): void }, url: string) => void): unknown;
}

export interface InstanceReactions {
  /** Somebody started the program again: show the window that is there. */
  onStartedAgain(): void;
  onDeepLink(md5: string): void;
}

/**
 * One program a data directory: the database is held by one process, so a second start hands its deep link to the
 * first and ends. Answers whether this is the first.
 */
export function claimSingleInstance(app: InstancePort, { onStartedAgain, onDeepLink }: InstanceReactions): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', (_event, args) => {
    onStartedAgain();
    const md5 = deepLinkAmong(args);
    if (md5 !== null) onDeepLink(md5);
  });
  // macOS never starts a second process: it sends the link to the running one.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const md5 = readDeepLink(url);
    if (md5 !== null) onDeepLink(md5);
  });
  return true;
}
