import { readFile } from 'node:fs/promises';

/**
 * The page has a scheme of its own instead of `file:`, which would give it an origin shared with every file on the
 * disk. The deep-link scheme `vitrine:` is another one: no link from outside can address the page.
 */
export const pageScheme = 'vitrine-page';
const pageHost = 'vitrine';
export const pageAddress = `${pageScheme}://${pageHost}/`;

/** Whether an address is one of our own page. Not by `origin`: that is "null" for every scheme Node does not know. */
function isPageAddress(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    url.protocol === `${pageScheme}:` &&
    url.host === pageHost &&
    url.username === '' &&
    url.password === ''
  );
}

/**
 * The page's own scripts, styles, fonts and images; no connection at all. Everything else the
 * page gets from the host, over the bridge.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** To be registered before the app is ready. `secure` makes it a secure context, `standard` gives it an origin. */
export const pageSchemeRegistration = {
  scheme: pageScheme,
  privileges: { standard: true, secure: true, supportFetchAPI: false, codeCache: true },
};

/** The file behind a path of the page (`/`, `/assets/a.js`), or null. It must not lead out of the page's folder. */
type FindPageFile = (path: string) => Promise<{ path: string; mediaType: string } | null>;

/** Answers the requests of the page's scheme, for `protocol.handle`. */
export function servePage(find: FindPageFile): (request: Pick<Request, 'method' | 'url'>) => Promise<Response> {
  return async ({ method, url }) => {
    if (method !== 'GET' || !isPageAddress(url)) return new Response(null, { status: 405 });
    const file = await find(new URL(url).pathname);
    return file === null ? new Response(null, { status: 404 }) : sendFile(file.path, file.mediaType);
  };
}

async function sendFile(path: string, mediaType: string): Promise<Response> {
  const headers = {
    'content-type': mediaType,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
  return new Response(new Uint8Array(await readFile(path)), { headers });
}

/** What this needs of Electron's `IpcMainInvokeEvent`. */
interface SenderEvent {
  /** Null when the frame has navigated or is gone. */
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
}

/**
 * Whether a message comes from the main frame of our own page. A frame inside it, a page that got in by navigation
 * or a frame that is gone is not listened to, whatever it requests.
 */
export function isFromOwnPage({ senderFrame }: SenderEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isPageAddress(senderFrame.url);
}

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
 * The page is one page: it goes nowhere, opens nothing and embeds nothing. A link that opens a new window is
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

/** The check handler too: most web interfaces check first and never come to the request. */
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

/** Sites a page of ours may link to. Exact host names: a sub-domain may belong to someone else. */
const allowedHosts: readonly string[] = ['virustotal.github.io', 'yara.readthedocs.io'];

interface LinkPorts {
  /** Asks the person, showing the whole address. */
  confirm(address: string): Promise<boolean>;
  openExternal(address: string): Promise<void>;
}

/**
 * Opens a link in the person's browser: https, an allowed host, no user name or port, and only after they say yes.
 * Text from a service never gets here as a link; were it to, this list is what stops it. Answers whether it opened.
 */
export async function openLink(address: string, { confirm, openExternal }: LinkPorts): Promise<boolean> {
  const url = URL.parse(address);
  if (url === null || !isAllowed(url) || !(await confirm(url.href))) return false;
  await openExternal(url.href);
  return true;
}

function isAllowed({ protocol, hostname, port, username, password }: URL): boolean {
  return protocol === 'https:' && port === '' && username === '' && password === '' && allowedHosts.includes(hostname);
}
