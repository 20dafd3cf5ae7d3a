import { join } from 'node:path';
import { dataArgument, withoutEscape } from './desktop-arguments.ts';

/**
 * The same as in the built packages (build/packaging.ts). Windows shows notifications of a program whose shortcut has
 * the same id.
 */
const appId = 'org.vitrine.Vitrine';

export interface IdentityOptions {
  system: NodeJS.Platform;
  isPackaged: boolean;
  /** The path of the running program. */
  program: string;
  /** The data directory, when the person named it: links open it again. */
  namedDirectory: string | null;
}

/** What this needs of Electron's `app`. */
interface IdentityPort {
  setAppUserModelId(id: string): void;
  setAsDefaultProtocolClient(scheme: string, path: string, args: string[]): boolean;
}

const deepLinkScheme = 'vitrine';

/**
 * Registers with Windows as the owner of these notifications and links; the other systems read it from the package. A
 * program that runs from source has no shortcut and takes no links: it would take them from the installed one.
 */
export function registerIdentity(
  app: IdentityPort,
  { system, isPackaged, program, namedDirectory }: IdentityOptions,
): void {
  if (system !== 'win32') return;
  app.setAppUserModelId(isPackaged ? appId : program);
  // Behind `--` nothing of a link is read as an argument, whatever it holds.
  if (isPackaged) app.setAsDefaultProtocolClient(deepLinkScheme, program, [...dataArguments(namedDirectory), '--']);
}

/**
 * Windows inserts the link in place of each `%1` of the command, whatever surrounds it: a path with a percent sign is
 * left out of it.
 */
function dataArguments(directory: string | null): string[] {
  return directory === null || directory.includes('%') ? [] : [withoutEscape(dataArgument(directory))];
}

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
