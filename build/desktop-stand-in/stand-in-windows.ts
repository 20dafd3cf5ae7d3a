import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';

const place = { x: 0, y: 0, width: 1280, height: 820 };

/** Electron's `Event`: a listener may prevent what follows. */
export class PreventableEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

export interface WindowPorts {
  /** What the protocol of an address answers. */
  load(address: string): Promise<{ status: number }>;
  /** Sent to the page. */
  sent(event: unknown): void;
  reported(what: string): void;
}

class StandInContents extends EventEmitter {
  readonly id = 1;
  readonly #ports: WindowPorts;
  constructor(ports: WindowPorts) {
    super();
    this.#ports = ports;
  }
  send(_channel: string, event: unknown): void {
    this.#ports.sent(structuredClone(event));
  }
  setWindowOpenHandler(): void {}
  reload(): void {}
  forcefullyCrashRenderer(): void {}
}

/** A window that shows nothing, with the events of one that does, in their order. */
export class StandInWindow extends EventEmitter {
  static readonly open = new Set<StandInWindow>();
  readonly webContents: StandInContents;
  readonly #ports: WindowPorts;
  #isVisible = false;

  constructor(options: { webPreferences: { preload: string } }, ports: WindowPorts) {
    super();
    if (!existsSync(options.webPreferences.preload))
      throw new Error(`there is no preload at ${options.webPreferences.preload}`);
    this.#ports = ports;
    this.webContents = new StandInContents(ports);
    StandInWindow.open.add(this);
  }

  async loadURL(address: string): Promise<void> {
    const { status } = await this.#ports.load(address);
    if (status !== 200) throw new Error(`${address} answered ${status}`);
    this.webContents.emit('did-finish-load');
    this.emit('ready-to-show');
  }

  show(): void {
    this.#isVisible = true;
    this.emit('show');
    this.#ports.reported('shown');
  }

  /** @returns whether it closed */
  close(): boolean {
    const event = new PreventableEvent();
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    StandInWindow.open.delete(this);
    this.webContents.emit('destroyed');
    this.emit('closed');
    return true;
  }

  isVisible = (): boolean => this.#isVisible;
  isFocused = (): boolean => true;
  isMinimized = (): boolean => false;
  isMaximized = (): boolean => false;
  isFullScreen = (): boolean => false;
  getNormalBounds = (): typeof place => place;
  maximize(): void {}
  restore(): void {}
  hide(): void {}
  minimize(): void {}
  focus(): void {}
  setProgressBar(): void {}
  setBackgroundColor(): void {}
  setTitleBarOverlay(): void {}
}
