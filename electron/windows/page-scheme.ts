import { readFile } from 'node:fs/promises';
import { isPageAddress, pageScheme } from './page-address.ts';

/**
 * The page's own scripts, styles, fonts and images; no connection at all. What the page wants of the world it asks
 * the host for, over the bridge.
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
export type FindPageFile = (path: string) => Promise<{ path: string; mediaType: string } | null>;

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
