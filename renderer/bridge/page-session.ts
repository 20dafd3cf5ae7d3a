import { failed, type Result, success } from '../../shared/failure.ts';
import { readReply, sessionGrant } from '../../shared/transport.ts';

const storageKey = 'vitrine-session';

/** This tab's session key: swapped once for the secret of the link it was opened with, then kept for the tab's life. */
export class PageSession {
  readonly #page: PageSurroundings;
  #secret: string | null;
  #opening: Promise<Result<string>> | null = null;

  constructor(page: PageSurroundings) {
    this.#page = page;
    this.#secret = page.takeLinkSecret();
  }

  /** Takes the link that was opened in this tab meanwhile; false when the address holds none. */
  takeNewLink(): boolean {
    const secret = this.#page.takeLinkSecret();
    if (secret === null) return false;
    this.#secret = secret;
    this.#opening = null;
    return true;
  }

  /** Fails with `session-missing`, `link-used` or `host-gone`; only the last is tried again at the next call. */
  async key(): Promise<Result<string>> {
    const opening = (this.#opening ??= this.#open());
    const opened = await opening;
    if (!opened.ok && opened.failure.kind === 'host-gone' && this.#opening === opening) this.#opening = null;
    return opened;
  }

  async #open(): Promise<Result<string>> {
    const stored = this.#page.storage.getItem(storageKey);
    if (this.#secret === null) return stored === null ? failed({ kind: 'session-missing' }) : success(stored);
    const swapped = await this.#swap(this.#secret);
    if (swapped.ok) this.#page.storage.setItem(storageKey, swapped.value);
    // A used link opened once more, in a tab that has a session: the session still holds.
    else if (swapped.failure.kind === 'link-used' && stored !== null) return success(stored);
    return swapped;
  }

  async #swap(secret: string): Promise<Result<string>> {
    const body = JSON.stringify({ secret });
    const reply = await requestJson(this.#page, '/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const grant = reply.ok ? readReply(sessionGrant, 'session', reply.value) : reply;
    return grant.ok ? success(grant.value.session) : grant;
  }
}

/**
 * Sends a request and gives its JSON as it is, unchecked (null when it is no JSON). The only failure is `host-gone`.
 */
export async function requestJson(page: PageSurroundings, path: string, init: RequestInit): Promise<Result<unknown>> {
  try {
    const response = await openRequest(page, path, init);
    return success(jsonOrNull(await response.text()));
  } catch {
    return failed({ kind: 'host-gone' });
  }
}

/** Nothing of this origin is ever a redirect or needs a cookie. Rejects when the host does not answer. */
export function openRequest(page: PageSurroundings, path: string, init: RequestInit): Promise<Response> {
  return page.fetch(`${page.origin}${path}`, { cache: 'no-store', credentials: 'omit', redirect: 'error', ...init });
}

export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the HTTP bridge needs of the page it runs in. */
export interface PageSurroundings {
  /** Put before every path; empty for the page's own origin. */
  origin: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Kept for this tab only, reloads included. */
  storage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  /** The secret of a one-time link in the address, which is taken out of it; null when there is none. */
  takeLinkSecret(): string | null;
  /** Calls the listener when another link is opened in this tab, which does not load the page again. */
  onLink(listener: () => void): void;
}

/** Where the browser fetches an export prepared for it, once: the `href` of an `<a download>` (web host only). */
export function exportUrl(id: string): string {
  return `/export/${encodeURIComponent(id)}`;
}
