import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentProxy } from './environment-proxy.ts';
import type { FolderPurpose, HostProcess, Platform, ProcessEntry } from './platform.ts';

const killAfterMs = 5_000;

export interface NodePlatformOptions {
  dataDirectory: string;
  /** The folder exports go to, chosen at start because plain Node has no folder picker. */
  exportFolder: string | null;
  /** The same for backups. */
  backupFolder?: string | null;
  /** The same for the watched folder. */
  watchFolder?: string | null;
  /** The data directory, when the person named it. */
  namedDirectory?: string | null;
}

/** The machine as plain Node sees it: no keychain, no windows, no file manager. */
export function createNodePlatform(options: NodePlatformOptions): Platform {
  const folders: Partial<Record<FolderPurpose, string | null>> = { exports: options.exportFolder, backup: options.backupFolder ?? null, watch: options.watchFolder ?? null };
  return {
    kind: 'web',
    isPackaged: false,
    capabilities: { chooseFolder: false, openFolders: false, browserDownload: true, windowControls: false, notifications: false, restarts: false },
    dataDirectory: options.dataDirectory,
    namedDirectory: options.namedDirectory ?? null,
    keychain: null,
    startProcess,
    chooseFolder: async (purpose) => folders[purpose] ?? null,
    openPath: async () => {},
    keepAwake: () => () => {},
    proxyFor: async (address) => environmentProxy(address, process.env),
    restart: null,
  };
}

function entryFile(entry: ProcessEntry): string {
  return fileURLToPath(new URL(`../${entry}${extname(import.meta.url)}`, import.meta.url));
}

function startProcess(entry: ProcessEntry): HostProcess {
  const child = fork(entryFile(entry), [], {
    execArgv: [],
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // A group of its own: Ctrl-C in the terminal is for the host, which then ends its processes in order.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  return hostProcess(child);
}

function hostProcess(child: ChildProcess): HostProcess {
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
  return {
    post: (message) => {
      if (child.connected) child.send(message, () => {});
    },
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => void gone.then(listener),
    stop: () => stop(child, gone),
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function stop(child: ChildProcess, gone: Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  if (child.connected) child.disconnect();
  await gone;
  clearTimeout(timer);
}
