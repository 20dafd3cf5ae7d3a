import { join } from 'node:path';

export interface ProfilePorts {
  /** For its owner only, with those above it. */
  makeFolder(path: string): void;
  /** Of Electron's `app`. */
  setPath(name: 'userData', path: string): void;
}

/**
 * Has the browser keep its profile in the data directory: it moves with the data, and two data directories are two
 * programs. At a first start nothing of it is there, and Electron takes no folder that is not. Fails as `makeFolder`
 * does.
 */
export function keepProfileIn(dataDirectory: string, { makeFolder, setPath }: ProfilePorts): void {
  const folder = join(dataDirectory, 'page');
  makeFolder(folder);
  setPath('userData', folder);
}
