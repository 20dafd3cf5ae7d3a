import { failed, type Result, success } from '../../shared/failure.ts';
import type { PageSurroundings } from './page-surroundings.ts';

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
