/** As the packages are built with (build/packaging.ts). Windows shows notifications of a program whose shortcut says the same. */
const appId = 'org.vitrine.Vitrine';

export interface IdentityOptions {
  system: NodeJS.Platform;
  isPackaged: boolean;
  /** The path of the running program. */
  program: string;
}

/** What this needs of Electron's `app`. */
export interface IdentityPort {
  setAppUserModelId(id: string): void;
  setAsDefaultProtocolClient(scheme: string, path: string, args: string[]): boolean;
}

const deepLinkScheme = 'vitrine';

/**
 * Tells Windows whose notifications and links these are; the other systems read it from the package. A program that
 * runs from source has no shortcut and takes no links: it would take them from the one that is installed.
 */
export function tellIdentity(app: IdentityPort, { system, isPackaged, program }: IdentityOptions): void {
  if (system !== 'win32') return;
  app.setAppUserModelId(isPackaged ? appId : program);
  // Behind `--` nothing of a link is read as an argument, whatever it holds.
  if (isPackaged) app.setAsDefaultProtocolClient(deepLinkScheme, program, ['--']);
}
