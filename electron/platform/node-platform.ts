import { type ChildProcess, fork } from 'node:child_process';
import { homedir, userInfo } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FolderPurpose, HostProcess, Platform, ProcessEntry } from './platform.ts';
import { StderrTail } from './process.ts';
import { environmentProxy } from './proxies.ts';

const killAfterMs = 5_000;

export interface NodePlatformOptions {
  dataDirectory: string;
  /** The folder exports go to, chosen at start because plain Node has no folder picker. */
  exportFolder: string | null;
  /** The same for backups. */
  backupFolder?: string | null;
  /** The same for the watched folder. */
  watchFolder?: string | null;
  /** Folders in which the page may choose one, besides those of the person; undefined: it may not choose at all. */
  folders?: readonly string[];
  /** The data directory, when the person named it. */
  namedDirectory?: string | null;
}

/** The machine as plain Node sees it: no keychain, no windows, no file manager. */
export function createNodePlatform(options: NodePlatformOptions): Platform {
  const folders: Partial<Record<FolderPurpose, string | null>> = {
    exports: options.exportFolder,
    backup: options.backupFolder ?? null,
    watch: options.watchFolder ?? null,
  };
  return {
    kind: 'web',
    isPackaged: false,
    capabilities: {
      chooseFolder: false,
      openFolders: false,
      browserDownload: true,
      windowControls: false,
      notifications: false,
      staysInTray: false,
      restarts: false,
    },
    dataDirectory: options.dataDirectory,
    namedDirectory: options.namedDirectory ?? null,
    keychain: null,
    startProcess: (entry) => startProgram(entryFile(entry)),
    chooseFolder: async (purpose) => folders[purpose] ?? null,
    folderPlaces: options.folders === undefined ? [] : folderPlaces([...Object.values(folders), ...options.folders]),
    openPath: async () => {},
    keepAwake: () => () => {},
    proxyFor: async (address) => environmentProxy(address, process.env),
    restart: null,
  };
}

/** What was named at the start, then the person's own folder and where the system puts their disks. */
function folderPlaces(named: readonly (string | null)[]): Platform['folderPlaces'] {
  const disks =
    process.platform === 'darwin' ? ['/Volumes'] : process.platform === 'win32' ? [] : [...mediaFolders(), '/mnt'];
  return [
    ...named.filter((path) => path !== null).map((path) => ({ path, place: 'named' as const })),
    ...homeFolder().map((path) => ({ path, place: 'home' as const })),
    ...disks.map((path) => ({ path, place: 'disk' as const })),
  ];
}

/** A user without an entry in the system's list has neither a name nor, without `HOME`, a folder. */
function known(read: () => string): string[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}
const homeFolder = (): string[] => known(homedir);
const mediaFolders = (): string[] =>
  known(() => userInfo().username).flatMap((name) => [`/media/${name}`, `/run/media/${name}`]);

function entryFile(entry: ProcessEntry): string {
  return fileURLToPath(new URL(`../${entry}${extname(import.meta.url)}`, import.meta.url));
}

/** A program of ours as a process of its own, by its path. */
export function startProgram(path: string): HostProcess {
  const child = fork(path, [], {
    execArgv: [],
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C in the terminal is for the host, which then ends its processes in order.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  return hostProcess(child);
}

function hostProcess(child: ChildProcess): HostProcess {
  const words = new StderrTail(child.stderr);
  const gone = new Promise<{ code: number | null; signal: string | null; refusal?: string }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // It could not be started.
    child.once('error', ({ message }) => resolve({ code: null, signal: null, refusal: message }));
  });
  const end = gone.then(async ({ code, signal, refusal }) => ({
    code,
    signal,
    lastWords: refusal ?? (await words.read()),
  }));
  return {
    post: (message) => {
      if (child.connected) child.send(message, () => {});
    },
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => void end.then(listener),
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
