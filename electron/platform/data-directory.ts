import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/**
 * Where a person's data goes when nobody names a folder: `%APPDATA%\Vitrine`, `~/Library/Application Support/Vitrine`,
 * or `$XDG_DATA_HOME/Vitrine` (by the XDG Base Directory Specification a relative value counts as not set).
 */
export function defaultDataDirectory(system: NodeJS.Platform, environment: NodeJS.ProcessEnv, home: string = homedir()): string {
  if (system === 'win32') return win32.join(environment['APPDATA'] || win32.join(home, 'AppData', 'Roaming'), 'Vitrine');
  if (system === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Vitrine');
  const named = environment['XDG_DATA_HOME'];
  return posix.join(named && posix.isAbsolute(named) ? named : posix.join(home, '.local', 'share'), 'Vitrine');
}
