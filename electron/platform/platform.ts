import type { ProcessEnd } from '../../shared/domain/process-end.ts';
import type { FolderPlace } from '../../shared/domain/host.ts';
import type { Keychain } from '../storage/tokens/keychain.ts';

/**
 * What the host needs of the machine it runs on: plain Node (`node-platform.ts`) or Electron (`electron-platform.ts`).
 * Everything else is the same code on both.
 */
export interface Platform {
  readonly kind: 'desktop' | 'web';
  /** Whether it was installed, and is started by its own name; else it runs from its sources. */
  readonly isPackaged: boolean;
  readonly capabilities: {
    chooseFolder: boolean;
    openFolders: boolean;
    browserDownload: boolean;
    windowControls: boolean;
    notifications: boolean;
    /** Closing the window may leave the program running, by choice. */
    staysInTray: boolean;
    /** Whether `restart` is there. */
    restarts: boolean;
  };
  readonly dataDirectory: string;
  /** The data directory that the person named for this start, or null. */
  readonly namedDirectory: string | null;
  /** The operating system's keychain; null where there is no real one. */
  readonly keychain: Keychain | null;
  /** Starts one of our own plain-Node entries as a process of its own. */
  startProcess(entry: ProcessEntry): HostProcess;
  /** The folder the person picked, or null. Where there is no picker, the one for that purpose set at start. */
  chooseFolder(purpose: FolderPurpose): Promise<string | null>;
  /** Where the page may list folders to choose one; empty where there is a picker. Some may be missing. */
  readonly folderPlaces: readonly { path: string; place: FolderPlace }[];
  /** Shows a folder or the log in the system's file manager; only where `openFolders` is true. */
  openPath(path: string): Promise<void>;
  /** Keeps the machine awake until the returned function is called. */
  keepAwake(): () => void;
  /**
   * The proxy for an address as `scheme://[user:password@]host:port`, from the environment or the system; null for
   * none. It may be of a kind that is not supported, or unreadable: the client refuses these.
   */
  proxyFor(address: string): Promise<string | null>;
  /**
   * Ends the program as quitting does, without a question, and starts it with these additional arguments. Null where
   * this is impossible.
   */
  readonly restart: ((args: readonly string[]) => void) | null;
}

export type FolderPurpose = 'exports' | 'data' | 'backup' | 'watch' | 'diagnostics';

export type ProcessEntry = 'lab' | 'scanner';

/** A process of ours. Messages are JSON values. */
export interface HostProcess {
  post(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when it is gone and its last words are read. */
  onExit(listener: (end: ProcessEnd) => void): void;
  /** Asks it to end, and kills it after five seconds. Resolves when it is gone. */
  stop(): Promise<void>;
  /** At once, whatever it is doing. Resolves when it is gone. */
  kill(): Promise<void>;
}
