import { type Bridge, secretPattern } from '../../shared/transport.ts';
import { type ConnectionListener, HttpBridge } from './http-bridge.ts';
import type { PageSurroundings } from './page-session.ts';

declare global {
  interface Window {
    /** Put there by the desktop's preload; absent in a browser. */
    readonly bridge?: Bridge<File>;
  }
}

/**
 * The page's client of its host, opened once. The listener is called whenever the connection for events is made again,
 * so that missed changes can be read, and whenever it is lost; over IPC nothing is ever missed.
 */
export function openBridge(connection: ConnectionListener): Bridge<File> {
  return window.bridge ?? new HttpBridge(browserSurroundings(), connection);
}

export function browserSurroundings(): PageSurroundings {
  return {
    origin: '',
    fetch: (url, init) => fetch(url, init),
    storage: tabStorage(),
    takeLinkSecret,
    onLink: (listener) => window.addEventListener('hashchange', listener),
  };
}

/**
 * The address is replaced before anything else happens: a secret must not stay in it, in the history, or in a
 * screenshot.
 */
function takeLinkSecret(): string | null {
  const secret = location.hash.slice(1);
  if (!secretPattern.test(secret)) return null;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  return secret;
}

/** A browser set to keep no site data throws on mere access; the session then lasts until the next reload. */
function tabStorage(): PageSurroundings['storage'] {
  try {
    return window.sessionStorage;
  } catch {
    const kept = new Map<string, string>();
    return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
  }
}
