import { isPageAddress, pageScheme } from './page-address.ts';

interface Preventable {
  preventDefault(): void;
}

/** What these rules need of Electron's `WebContents`. */
export interface ContentsPort {
  on(
    event: 'will-frame-navigate',
    listener: (details: Preventable & { url: string; isMainFrame: boolean }) => void,
  ): unknown;
  on(event: 'will-redirect' | 'will-attach-webview', listener: (event: Preventable) => void): unknown;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void;
}

/**
 * The page is one page: it goes nowhere, opens nothing and embeds nothing. A link that asks for a new window is
 * handed to `onLink`, which decides whether the person may open it in a browser.
 */
export function denyNavigation(contents: ContentsPort, onLink: (address: string) => void): void {
  contents.on('will-frame-navigate', (details) => {
    if (!details.isMainFrame || !isPageAddress(details.url)) details.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    onLink(url);
    return { action: 'deny' };
  });
}

/** What these rules need of Electron's `Session`. */
export interface SessionPort {
  setPermissionRequestHandler(
    handler: (
      contents: unknown,
      permission: string,
      callback: (granted: boolean) => void,
      details: { requestingUrl?: string },
    ) => void,
  ): void;
  setPermissionCheckHandler(
    handler: (contents: unknown, permission: string, requestingOrigin: string) => boolean,
  ): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  on(event: 'will-download', listener: (event: Preventable) => void): unknown;
  webRequest: {
    onBeforeRequest(
      listener: (details: { url: string }, callback: (response: { cancel: boolean }) => void) => void,
    ): void;
  };
}

/** Copying a hash is the one thing the page may do with the machine. It cannot read the clipboard. */
const granted = 'clipboard-sanitized-write';

/** The check handler too: most web interfaces ask it first and never come to the request. */
export function denyPermissions(session: SessionPort): void {
  session.setPermissionRequestHandler((_contents, permission, callback, { requestingUrl }) => {
    callback(permission === granted && isPageAddress(requestingUrl ?? ''));
  });
  session.setPermissionCheckHandler(
    (_contents, permission, requestingOrigin) => permission === granted && isPageAddress(requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
}

/**
 * The page's process reaches no network, whatever the content security policy may once let through, and saves
 * nothing: exports are written by the host. Developer tools load their own parts.
 */
export function denyNetwork(session: SessionPort): void {
  const own = [`${pageScheme}:`, 'devtools:', 'data:', 'blob:'];
  session.webRequest.onBeforeRequest(({ url }, callback) =>
    callback({ cancel: !own.some((scheme) => url.startsWith(scheme)) }),
  );
  session.on('will-download', (event) => event.preventDefault());
}
