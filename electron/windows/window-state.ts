import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

export const smallestWindow = { width: 880, height: 560 };
const firstWindow = { width: 1280, height: 820 };

const pixels = z.number().int();
const storedState = z.object({
  x: pixels,
  y: pixels,
  width: pixels.min(smallestWindow.width),
  height: pixels.min(smallestWindow.height),
  maximized: z.boolean(),
});

/** Device-independent pixels. Without a place the system chooses one. */
export type WindowState = { width: number; height: number; maximized: boolean; x?: number; y?: number };
interface Size {
  width: number;
  height: number;
}
export interface Area extends Size {
  x: number;
  y: number;
}

/**
 * Where the window was, if enough of it would still be seen, and no larger than the display it lies on: a display may
 * be gone since or have become smaller, or the file be damaged. The first work area is the one where the system places
 * new windows.
 */
export function readWindowState(file: string, workAreas: readonly Area[]): WindowState {
  const stored = storedState.safeParse(readJson(file));
  if (!stored.success) return { ...fittedSize(firstWindow, workAreas[0]), maximized: false };
  const { maximized, ...bounds } = stored.data;
  const [area] = workAreas
    .filter((one) => isReachable(bounds, one))
    .toSorted((one, other) => shownWidth(bounds, other) - shownWidth(bounds, one));
  return { ...(area === undefined ? fittedSize(bounds, workAreas[0]) : fitted(bounds, area)), maximized };
}

function fittedSize({ width, height }: Size, area: Size | undefined): Size {
  return {
    width: Math.max(smallestWindow.width, Math.min(width, area?.width ?? width)),
    height: Math.max(smallestWindow.height, Math.min(height, area?.height ?? height)),
  };
}

/** In a direction in which it does not fit, it begins where the area begins. */
function fitted(bounds: Area, area: Area): Area {
  return {
    x: bounds.width > area.width ? area.x : bounds.x,
    y: bounds.height > area.height ? area.y : bounds.y,
    ...fittedSize(bounds, area),
  };
}

const shownWidth = (bounds: Area, area: Area): number =>
  Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);

/** A hundred pixels of the title bar can be taken hold of. */
function isReachable(bounds: Area, area: Area): boolean {
  return shownWidth(bounds, area) >= 100 && bounds.y >= area.y && bounds.y <= area.y + area.height - 40;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Missing at the first start; damaged or unreadable is no reason not to show a window.
    return null;
  }
}

const movements = ['move', 'resize', 'maximize', 'unmaximize', 'restore', 'leave-full-screen'] as const;

/** What this needs of Electron's `BrowserWindow`. */
export interface RememberedWindow {
  getNormalBounds(): Area;
  isMaximized(): boolean;
  isMinimized(): boolean;
  isFullScreen(): boolean;
  on(event: (typeof movements)[number] | 'close' | 'closed', listener: () => void): unknown;
}

/** While a window is dragged it moves sixty times a second. */
export const placeSettlesMs = 500;

/**
 * Writes the window's place half a second after it changed, and when it closes: a program that is killed has lost
 * nothing older. A place that cannot be written is reported and otherwise without consequence.
 */
export function rememberWindowState(window: RememberedWindow, file: string, onFailure: (error: unknown) => void): void {
  const place = new RememberedPlace(window, file);
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      place.write();
    } catch (error) {
      onFailure(error);
    }
  };
  for (const movement of movements) window.on(movement, () => (timer ??= setTimeout(write, placeSettlesMs)));
  window.on('close', write);
  window.on('closed', () => clearTimeout(timer));
}

class RememberedPlace {
  readonly #window: RememberedWindow;
  readonly #file: string;
  #written: string;

  constructor(window: RememberedWindow, file: string) {
    this.#window = window;
    this.#file = file;
    this.#written = JSON.stringify(readJson(file));
  }

  /**
   * A window that is minimized or fills its screen does not say whether it was maximized before: its place is the one
   * from then.
   */
  write(): void {
    if (this.#window.isFullScreen() || this.#window.isMinimized()) return;
    const { x, y, width, height } = this.#window.getNormalBounds();
    const text = JSON.stringify({ x, y, width, height, maximized: this.#window.isMaximized() });
    if (text === this.#written) return;
    writeFileSync(`${this.#file}.new`, text, { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
    this.#written = text;
  }
}
