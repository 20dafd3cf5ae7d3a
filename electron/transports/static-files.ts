import { open, realpath, type FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { fail } from '../../shared/failure.ts';
import { commonHeaders, sendBytes } from './http-reply.ts';

/** What the page is made of. A file of another kind is not served. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** The page's own scripts, styles, fonts and images, calls to this host, and nothing inline. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface PageFile {
  path: string;
  mediaType: string;
  /** Its name carries a hash of its content, so it never changes. */
  immutable: boolean;
}

/**
 * The file behind a request's path (`/`, `/assets/index-abc.js`), or null. Each part must be a plain name, and what
 * it leads to, links followed, must lie in the folder.
 */
export async function findPageFile(folder: string, requestPath: string): Promise<PageFile | null> {
  const parts = plainParts(requestPath === '/' ? '/index.html' : requestPath);
  const mediaType = parts && mediaTypes[extname(parts.at(-1) ?? '')];
  if (!parts || !mediaType) return null;
  const root = await realpath(folder).catch(nullWhenAbsent);
  const path = root && (await realpath(join(root, ...parts)).catch(nullWhenAbsent));
  if (!root || !path?.startsWith(root + sep)) return null;
  return { path, mediaType, immutable: parts.length > 1 && parts[0] === 'assets' };
}

/** Null unless every part is made of letters, digits, `.`, `_` and `-` alone and begins with no dot. */
function plainParts(requestPath: string): string[] | null {
  const [before, ...parts] = requestPath.split('/');
  return before === '' && parts.every((part) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(part)) ? parts : null;
}

const absent = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];

function nullWhenAbsent(error: NodeJS.ErrnoException): null {
  if (absent.includes(error.code ?? '')) return null;
  throw error;
}

/** Sends a file of the page; fails with `unknown-operation` when there is none at that path. */
export async function sendPageFile(response: ServerResponse, folder: string, requestPath: string): Promise<void> {
  const found = await findPageFile(folder, requestPath);
  if (!found) fail({ kind: 'unknown-operation', name: requestPath.slice(0, 80) });
  const handle = await open(found.path);
  try {
    await sendHandle(response, handle, found, requestPath);
  } finally {
    await handle.close();
  }
}

async function sendHandle(
  response: ServerResponse,
  handle: FileHandle,
  file: PageFile,
  requestPath: string,
): Promise<void> {
  const stat = await handle.stat();
  if (!stat.isFile()) fail({ kind: 'unknown-operation', name: requestPath.slice(0, 80) });
  response.writeHead(200, {
    ...commonHeaders,
    'content-security-policy': contentSecurityPolicy,
    // A site is a host without its port: a page on another port would else share a process of the browser with ours.
    'origin-agent-cluster': '?1',
    'content-type': file.mediaType,
    'content-length': stat.size,
    'cache-control': file.immutable ? 'private, max-age=31536000, immutable' : 'no-store',
  });
  if (response.req.method === 'HEAD') response.end();
  else await sendBytes(response, handle.createReadStream({ autoClose: false }));
}
