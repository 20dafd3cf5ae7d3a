import type { ExecFileOptions } from 'node:child_process';
import type { MenuItemConstructorOptions } from 'electron';
import { activityLines, type BackgroundWork } from './background-work.ts';

/** What this needs of Electron's `Tray`. */
interface TrayPort {
  setToolTip(text: string): void;
  on(event: 'click', listener: () => void): unknown;
  destroy(): void;
}

/** What this needs of Electron's `BrowserWindow`. */
interface HiddenWindow {
  hide(): void;
  minimize(): void;
  on(event: 'show', listener: () => void): unknown;
}

interface TrayPorts<T extends TrayPort> {
  hasTray(): Promise<boolean>;
  createTray(): T;
  setMenu(tray: T, template: MenuItemConstructorOptions[]): void;
  work(): BackgroundWork;
  /** Shows the window. */
  open(): void;
  /** As by the menu. */
  quit(): void;
}

/**
 * The program without its window: its icon in the tray, as long as the window is hidden. Where there is no tray, the
 * window is minimized, so that it can be reached.
 */
export class TrayPresence<T extends TrayPort> {
  readonly #ports: TrayPorts<T>;
  #tray: T | null = null;
  #shown = '';

  constructor(ports: TrayPorts<T>) {
    this.#ports = ports;
  }

  follow(window: HiddenWindow): void {
    window.on('show', () => this.end());
  }

  /** Rejects when the icon cannot be made; the window is minimized then. */
  async stay(window: HiddenWindow): Promise<void> {
    if (!(await this.#ports.hasTray())) return window.minimize();
    try {
      if (this.#tray === null) this.#enter();
    } catch (error) {
      this.end();
      window.minimize();
      throw error;
    }
    window.hide();
  }

  /** To be called after every event: running work is counted again. */
  update(): void {
    if (this.#tray === null) return;
    const lines = activityLines(this.#ports.work());
    const shown = lines.join('\n');
    // Jobs report ten times a second, and a menu that is replaced closes.
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#tray.setToolTip(['Vitrine', ...lines].join('\n'));
    this.#ports.setMenu(this.#tray, this.#menu(lines));
  }

  end(): void {
    this.#tray?.destroy();
    this.#tray = null;
    this.#shown = '';
  }

  #enter(): void {
    this.#tray = this.#ports.createTray();
    this.#tray.on('click', () => this.#ports.open());
    this.update();
  }

  #menu(lines: readonly string[]): MenuItemConstructorOptions[] {
    return [
      { label: 'Open Vitrine', click: () => this.#ports.open() },
      { type: 'separator' },
      ...lines.map((label) => ({ label, enabled: false })),
      { type: 'separator' },
      { label: 'Quit', click: () => this.#ports.quit() },
    ];
  }
}

/** Of `child_process`, with what it answered; rejects when it cannot be run, or fails. */
export type RunTool = (command: string, args: string[], options: ExecFileOptions) => Promise<string>;

const watcher = 'org.kde.StatusNotifierWatcher';
const asBusOwner = ['org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.NameHasOwner'] as const;
const busTools: readonly (readonly [command: string, args: string[]])[] = [
  [
    'gdbus',
    ['call', '--session', '--dest', asBusOwner[0], '--object-path', asBusOwner[1], '--method', asBusOwner[2], watcher],
  ],
  [
    'dbus-send',
    ['--session', '--print-reply', `--dest=${asBusOwner[0]}`, asBusOwner[1], asBusOwner[2], `string:${watcher}`],
  ],
];
const busAnswersWithinMs = 1_000;

/**
 * Whether an icon in the tray would be seen. Windows always has one. On Linux Electron does not report it: GNOME shows
 * none without an extension, so the session bus is asked whether a program shows them. No answer counts as no tray.
 */
export async function hasTray(system: NodeJS.Platform, run: RunTool): Promise<boolean> {
  if (system !== 'linux') return true;
  for (const [command, args] of busTools) {
    try {
      return /\btrue\b/.test(await run(command, args, { timeout: busAnswersWithinMs }));
    } catch {
      // Not installed, or there is no bus: the next one may know.
    }
  }
  return false;
}

/**
 * The program's icon for the tray, in 32 × 32 pixels: `build/icons/icon.png`, made smaller (ImageMagick: `-resize 32x32
 * -strip -colors 64 PNG8:`). Its file is no part of the packed program.
 */
export const trayIcon = `data:image/png;base64,${[
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAVFBMVEX///8OERMPEhQRFhkNDxAkOUU4XXJIepcdLDRrueVjq9RmsNohMz5eo8',
  'koQE5cn8QUGx9WlLcuS1wMDQ4zU2Y7YngZJStLgJ5DcYxRiqo/aoJNhKNeS3StAAAAAXRSTlMAQObYZgAAAPRJREFUOMutk4sOgyAMRUWeBdxE',
  'pHv9/3+O4VBRXJZsNzEBerwtUJrmTyKk3YiQIryIrsa1eKkvgfUKe38FsZpzIaXgdCkmAW0OKwmgDYBUeaWdgHfhtgN5UopLONsSmCa9M0NEmS',
  'ejcX0FEBCycwDhdwB1Heb6sXMpLV0DqC/Lbi4adw7KXF8GIbzquBpVA1IiRyNRAdgM8Jv1EWC1FBiscyMM/sDBDzDOQM3BjxmQOweaHOyN3++x',
  'hqNdsMila6wAtOdGIqLCJGl4vwEe8Zr1JKM1gHnQGUinHjullFga5qClD5qy5L5t+6b+++ZtfXx6P+kJSXMNsprYnVAAAAAASUVORK5CYII=',
].join('')}`;
