import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenDialogOptions, Shell } from 'electron';
import { fail } from '../../shared/failure.ts';
import type { FolderPurpose, Platform } from './platform.ts';
import { proxyOfResolution } from './proxies.ts';
import { openKeychain, type SafeStoragePort } from './safe-storage-keychain.ts';
import { utilityHostProcess, type UtilityProcessPort } from './utility-process.ts';

/** The parts of the electron module this uses: given by the entry, so that all of it is tested without Electron. */
export interface ElectronParts {
  safeStorage: SafeStoragePort;
  /** Over the main window where there is one. */
  showOpenDialog(options: OpenDialogOptions): Promise<{ canceled: boolean; filePaths: string[] }>;
  shell: Pick<Shell, 'openPath'>;
  keepAwake(): () => void;
  /** Whether the system shows notifications at all. */
  canNotify: boolean;
  isPackaged: boolean;
  session: { resolveProxy(address: string): Promise<string> };
  /** Ends the program and starts it with these arguments more. */
  restart(args: readonly string[]): void;
  fork(
    modulePath: string,
    args: string[],
    options: { serviceName: string; stdio: ('ignore' | 'pipe')[] },
  ): UtilityProcessPort;
}

export interface ElectronPlatformOptions {
  dataDirectory: string;
  /** The data directory, when the person named it. */
  namedDirectory: string | null;
  /** `process.platform`. */
  system: NodeJS.Platform;
}

/** The machine as Electron sees it. To be called after the app is ready: before, no keychain would be found. */
export async function createElectronPlatform(
  parts: ElectronParts,
  { dataDirectory, namedDirectory, system }: ElectronPlatformOptions,
): Promise<Platform> {
  return {
    kind: 'desktop',
    isPackaged: parts.isPackaged,
    capabilities: {
      chooseFolder: true,
      openFolders: true,
      browserDownload: false,
      windowControls: true,
      notifications: parts.canNotify,
      staysInTray: system !== 'darwin',
      restarts: true,
    },
    dataDirectory,
    namedDirectory,
    keychain: await openKeychain(parts.safeStorage, system),
    startProcess: (entry) =>
      utilityHostProcess(
        parts.fork(entryFile(entry), [], { serviceName: `Vitrine ${entry}`, stdio: ['ignore', 'ignore', 'pipe'] }),
      ),
    chooseFolder: (purpose) => chooseFolder(parts, purpose),
    folderPlaces: [],
    openPath: (path) => openPath(parts, path),
    keepAwake: () => parts.keepAwake(),
    proxyFor: async (address) => proxyOfResolution(await parts.session.resolveProxy(address)),
    restart: (args) => parts.restart(args),
  };
}

/** An Electron process, not one of `child_process`: that is dead in a packaged program, whose RunAsNode fuse is off. */
function entryFile(entry: string): string {
  return fileURLToPath(new URL(`../${entry}${extname(import.meta.url)}`, import.meta.url));
}

/** macOS shows the title nowhere: there it is the message. */
const folderWords: Readonly<Record<FolderPurpose, { title: string; buttonLabel: string }>> = {
  exports: { title: 'Choose an export folder', buttonLabel: 'Choose' },
  data: { title: 'Choose an empty folder for all local data', buttonLabel: 'Move here' },
  backup: {
    title: 'Choose an empty folder or an earlier backup of this computer',
    buttonLabel: 'Back up here',
  },
  diagnostics: { title: 'Choose a folder for the diagnostics file', buttonLabel: 'Save here' },
  watch: { title: 'Choose a folder to watch for new files', buttonLabel: 'Watch' },
};

async function chooseFolder({ showOpenDialog }: ElectronParts, purpose: FolderPurpose): Promise<string | null> {
  const { canceled, filePaths } = await showOpenDialog({
    ...folderWords[purpose],
    message: folderWords[purpose].title,
    properties: ['openDirectory', 'createDirectory', 'promptToCreate'],
  });
  return canceled ? null : (filePaths[0] ?? null);
}

/** Electron answers with a sentence instead of failing. */
async function openPath({ shell }: ElectronParts, path: string): Promise<void> {
  const complaint = await shell.openPath(path);
  if (complaint !== '') fail({ kind: 'disk-failed', path, code: 'EOPEN' }, new Error(complaint));
}
