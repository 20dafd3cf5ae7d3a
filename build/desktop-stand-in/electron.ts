import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ElectronRules } from './electron-rules.ts';
import { PreventableEvent, StandInWindow } from './stand-in-windows.ts';

/**
 * The module `electron` as far as `electron/main.ts` uses it, on plain Node: it shows nothing, keeps Electron's order
 * of events, and refuses what Electron refuses. Its types are Electron's where main.ts is checked; here it is what that
 * needs at run time.
 */
const rules = new ElectronRules();
const handlers = new Map<string, (event: unknown, message: unknown) => Promise<unknown>>();
const protocols = new Map<string, (request: Request) => Promise<Response>>();
const pageAddress = 'vitrine-page://vitrine/';
const workArea = { x: 0, y: 0, width: 1920, height: 1080 };

/** What the runner of the stand-in needs of it. */
export const standIn = {
  becomeReady: (): void => rules.becomeReady(),
  reported: (_what: string): void => {},
  sent: (_event: unknown): void => {},
  /** As the preload asks, from the main frame of the page. */
  invoke: (message: unknown): Promise<unknown> => {
    const handler = handlers.get('vitrine:call');
    if (handler === undefined) throw new Error('the page is not served');
    return handler({ sender: { id: 1 }, senderFrame: { url: pageAddress, parent: null } }, message);
  },
  /** As the page asks for its own parts. */
  load: async (address: string): Promise<Response> => {
    const protocolHandler = protocols.get('vitrine-page');
    if (protocolHandler === undefined) throw new Error('the scheme of the page is not served');
    return protocolHandler(new Request(address));
  },
};

class StandInApp extends EventEmitter {
  readonly isPackaged = true;
  readonly dock = undefined;
  readonly commandLine = { appendSwitch: (name: string): void => rules.onlyBefore(`appendSwitch ${name}`) };
  enableSandbox = (): void => rules.onlyBefore('enableSandbox');
  requestSingleInstanceLock = (): boolean => {
    // The lock is in that folder: if it were requested earlier, a start with another data directory would be passed to
    // the first.
    rules.onlyBehind('setPath', 'requestSingleInstanceLock');
    return true;
  };
  releaseSingleInstanceLock = (): void => {};
  whenReady = (): Promise<void> => rules.whenReady;
  setPath = (name: string, path: string): void => {
    rules.onlyBefore('setPath');
    if (!existsSync(path)) throw new Error(`the folder of ${name} is not there`);
  };
  setAppUserModelId = (): void => {};
  setAsDefaultProtocolClient = (): boolean => true;
  setUserTasks = (): boolean => true;
  relaunch = (options: unknown): void => standIn.reported(`relaunch ${JSON.stringify(options)}`);

  /** Windows close one by one; a listener that prevents it keeps the program running. */
  quit(): void {
    const event = new PreventableEvent();
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    for (const window of StandInWindow.open) if (!window.close()) return;
    this.emit('will-quit', new PreventableEvent());
    this.exit(0);
  }

  exit(code: number): void {
    this.emit('quit', new PreventableEvent(), code);
    process.exit(code);
  }
}

export const app = new StandInApp();

export class BrowserWindow extends StandInWindow {
  constructor(options: { webPreferences: { preload: string } }) {
    rules.onlyAfter('BrowserWindow');
    // Electron would show it, and every process of a page, frame or worker could be one without a sandbox.
    rules.onlyBehind('enableSandbox', 'BrowserWindow');
    super(options, standIn);
  }
}

export const dialog = {
  showErrorBox: (title: string, content: string): void => standIn.reported(`error box: ${title}. ${content}`),
  showMessageBox: async (...args: unknown[]): Promise<{ response: number }> => {
    standIn.reported(`message box: ${JSON.stringify(args.at(-1))}`);
    return { response: 1 };
  },
  /** What a person would pick: the folder that the environment names. */
  showOpenDialog: async (): Promise<{ canceled: boolean; filePaths: string[] }> => {
    const picked = process.env['VITRINE_PICKED_FOLDER'];
    return picked === undefined ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [picked] };
  },
};

export const ipcMain = {
  handle: (channel: string, handler: (event: unknown, message: unknown) => Promise<unknown>): void =>
    void handlers.set(channel, handler),
  removeHandler: (channel: string): void => void handlers.delete(channel),
};

export const Menu = {
  buildFromTemplate: (template: unknown[]): { template: unknown[]; popup(): void } => ({ template, popup: () => {} }),
  setApplicationMenu: (): void => rules.onlyAfter('setApplicationMenu'),
  getApplicationMenu: (): null => null,
};

export const nativeTheme = Object.assign(new EventEmitter(), { themeSource: 'system', shouldUseDarkColors: false });

export class Notification extends EventEmitter {
  static isSupported = (): boolean => true;
  show(): void {}
  close(): void {}
}

export class Tray extends EventEmitter {
  setToolTip(): void {}
  setContextMenu(): void {}
  destroy(): void {}
}

export const nativeImage = { createFromDataURL: (address: string): string => address };

export const powerSaveBlocker = { start: (): number => 1, stop: (): boolean => true };

export const protocol = {
  registerSchemesAsPrivileged: (): void => {
    rules.onlyBefore('registerSchemesAsPrivileged');
    rules.onlyOnce('registerSchemesAsPrivileged');
  },
  handle: (scheme: string, handler: (request: Request) => Promise<Response>): void => {
    rules.onlyAfter('protocol.handle');
    rules.onlyOnce(`protocol.handle of ${scheme}`);
    protocols.set(scheme, handler);
  },
};

export const safeStorage = {
  isAsyncEncryptionAvailable: async (): Promise<boolean> => {
    rules.onlyAfter('safeStorage');
    return true;
  },
  getSelectedStorageBackend: (): string => process.env['VITRINE_STORAGE_BACKEND'] ?? 'gnome_libsecret',
  encryptStringAsync: async (text: string): Promise<Buffer> => Buffer.from(text).reverse(),
  decryptStringAsync: async (sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> => ({
    result: Buffer.from(sealed).reverse().toString(),
    shouldReEncrypt: false,
  }),
};

export const screen = {
  getPrimaryDisplay: (): { workArea: typeof workArea } => {
    rules.onlyAfter('screen');
    return { workArea };
  },
  getAllDisplays: (): { workArea: typeof workArea }[] => [{ workArea }],
};

export const session = {
  get defaultSession() {
    rules.onlyAfter('defaultSession');
    return defaultSession;
  },
};
const defaultSession = {
  setPermissionRequestHandler: (): void => {},
  setPermissionCheckHandler: (): void => {},
  setDevicePermissionHandler: (): void => {},
  on: (): void => {},
  webRequest: { onBeforeRequest: (): void => {} },
  resolveProxy: async (): Promise<string> => 'DIRECT',
};

export const shell = { openPath: async (): Promise<string> => '', openExternal: async (): Promise<void> => {} };

export const utilityProcess = {
  fork: (modulePath: string, args: string[], { stdio }: { stdio: ('ignore' | 'pipe')[] }): EventEmitter => {
    rules.onlyAfter('utilityProcess.fork');
    const child = fork(modulePath, args, {
      execArgv: ['--import', fileURLToPath(new URL('utility-child.ts', import.meta.url))],
      stdio: [...stdio, 'ipc'],
    });
    const port = Object.assign(new EventEmitter(), {
      pid: child.pid,
      stderr: child.stderr,
      postMessage: (message: object) => void child.send(message),
      kill: () => child.kill(),
    });
    child.on('message', (message: unknown) => port.emit('message', message));
    child.on('exit', (code) => port.emit('exit', code ?? 0));
    return port;
  },
};
