import { secretPattern } from '../../shared/transport.ts';
import type { PageSurroundings } from './page-surroundings.ts';

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

/** A browser told to keep no site data throws at the mere touch; the session then lasts until the next reload. */
function tabStorage(): PageSurroundings['storage'] {
  try {
    return window.sessionStorage;
  } catch {
    const kept = new Map<string, string>();
    return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
  }
}
