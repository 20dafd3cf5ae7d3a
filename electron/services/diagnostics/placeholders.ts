import { labWorkspaceId } from '../../../shared/domain/workspace.ts';

/**
 * Stands for the names of workspaces and servers: the same one is `server-1` everywhere in a file, and nothing leads
 * back to it.
 */
export class Placeholders {
  readonly #workspaces = new Map<string, string>();
  readonly #servers = new Map<string, string>();

  /** The built-in one has no name of the person's. */
  workspace(id: string): string {
    return id === labWorkspaceId ? labWorkspaceId : numbered(this.#workspaces, id, 'workspace');
  }

  /** `https://server-1:port/path`: without what names it, and with what tells two of them apart. */
  server(address: string): string {
    const url = URL.parse(address);
    if (url === null) return 'an address that cannot be read';
    const scheme = url.protocol === 'https:' ? 'https' : 'http';
    const host = numbered(this.#servers, url.host, 'server');
    const port = url.port === '' ? '' : ':port';
    const path = url.pathname === '/' ? '' : '/path';
    return `${scheme}://${host}${port}${path}`;
  }
}

function numbered(known: Map<string, string>, name: string, word: string): string {
  const placeholder = known.get(name) ?? `${word}-${known.size + 1}`;
  known.set(name, placeholder);
  return placeholder;
}
