import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/**
 * Where a person's data goes when no folder is named: `%LOCALAPPDATA%\Vitrine`, `~/Library/Application
 * Support/Vitrine`, or `$XDG_DATA_HOME/Vitrine` (by the XDG Base Directory Specification a relative value counts as not
 * set).
 */
export function defaultDataDirectory(
  system: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  home: string = homedir(),
  exists: (path: string) => boolean = existsSync,
): string {
  if (system === 'win32') return onWindows(environment, home, exists);
  if (system === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Vitrine');
  const named = environment['XDG_DATA_HOME'];
  return posix.join(named && posix.isAbsolute(named) ? named : posix.join(home, '.local', 'share'), 'Vitrine');
}

/**
 * Not `%APPDATA%`: in a domain it is carried over the network at each sign-in, samples and all, and against its limits.
 * Early versions put data there; where it is, it stays.
 */
function onWindows(environment: NodeJS.ProcessEnv, home: string, exists: (path: string) => boolean): string {
  const roaming = win32.join(environment['APPDATA'] || win32.join(home, 'AppData', 'Roaming'), 'Vitrine');
  if ([win32.join(roaming, 'vitrine.db'), win32.join(roaming, 'lab'), `${roaming}-location.json`].some(exists))
    return roaming;
  return win32.join(environment['LOCALAPPDATA'] || win32.join(home, 'AppData', 'Local'), 'Vitrine');
}
