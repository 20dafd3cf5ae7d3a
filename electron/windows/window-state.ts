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
 * Where the window was, if enough of it would still be seen, and no larger than the display it lies on: a display may be gone
 * since or have become smaller, or the file be damaged. The first work area is the one where the system places new windows.
 */
export function readWindowState(file: string, workAreas: readonly Area[]): WindowState {
  const stored = storedState.safeParse(readJson(file));
  if (!stored.success) return { ...fittedSize(firstWindow, workAreas[0]), maximized: false };
  const { maximized, ...bounds } = stored.data;
  const [area] = workAreas.filter((one) => isReachable(bounds, one)).toSorted((one, other) => shownWidth(bounds, other) - shownWidth(bounds, one));
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

const shownWidth = (bounds: Area, area: Area): number => Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);

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

/** What this needs of Electron's `BrowserWindow`. */
export interface RememberedWindow {
  getNormalBounds(): Area;
  isMaximized(): boolean;
  on(event: 'close', listener: () => void): unknown;
}

/** Writes the window's place when it closes. A place that cannot be kept is told and otherwise without consequence. */
export function rememberWindowState(window: RememberedWindow, file: string, onFailure: (error: unknown) => void): void {
  window.on('close', () => {
    try {
      const { x, y, width, height } = window.getNormalBounds();
      writeFileSync(`${file}.new`, JSON.stringify({ x, y, width, height, maximized: window.isMaximized() }));
      renameSync(`${file}.new`, file);
    } catch (error) {
      onFailure(error);
    }
  });
}
