import { isIPv4 } from 'node:net';
import { fail } from '../../shared/failure.ts';

/**
 * Reads the address of a service as a person types it and returns its one normal form: no trailing slash and no
 * `/api.php` (docs/services.md, "The address"). Throws `address-invalid`, or `http-not-allowed` for plain http to
 * anything but this computer.
 */
export function checkAddress(text: string, options: { allowHttp: boolean }): string {
  const url = parseAddress(text.trim());
  if (url.protocol === 'http:' && !options.allowHttp && !isLoopback(url.hostname))
    fail({ kind: 'http-not-allowed', host: url.host });
  return url.origin + withoutEntryFile(url.pathname);
}

const entryFile = 'api.php';

function parseAddress(typed: string): URL {
  if (!/^https?:\/\//i.test(typed))
    fail({ kind: 'address-invalid', reason: /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? 'scheme' : 'syntax' });
  // The URL parser drops tabs and line ends and turns backslashes round: what is read must be what was typed.
  const url = /[\s\\\p{Cc}]/u.test(typed) ? null : URL.parse(typed);
  if (url === null) return fail({ kind: 'address-invalid', reason: 'syntax' });
  const authority = typed.replace(/^https?:\/*/i, '').split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@')) fail({ kind: 'address-invalid', reason: 'user-info' });
  if (url.href.includes('#')) fail({ kind: 'address-invalid', reason: 'fragment' });
  if (url.href.includes('?')) fail({ kind: 'address-invalid', reason: 'query' });
  return url;
}

/** However often it stands there: what is read of an address must be read as the same again. */
function withoutEntryFile(path: string): string {
  let trimmed = trimSlashes(path);
  while (/(?:^|\/)api\.php$/i.test(trimmed)) trimmed = trimSlashes(trimmed.slice(0, -entryFile.length));
  return trimmed;
}

function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Whether a host, as `URL.hostname` writes it, is this computer: 127.0.0.0/8, ::1 or `localhost`. */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true;
  return isIPv4(hostname) && hostname.startsWith('127.');
}
