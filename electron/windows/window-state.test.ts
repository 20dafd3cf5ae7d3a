import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emitter } from './stand-ins.fixture.ts';
import { placeSettlesMs, readWindowState, rememberWindowState } from './window-state.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-window-'));
  file = join(folder, 'window.json');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const display = { x: 0, y: 0, width: 1920, height: 1040 };
const second = { x: 1920, y: -200, width: 1280, height: 1000 };
const place = { x: 100, y: 50, width: 1000, height: 700, maximized: false };

function rethrow(error: unknown): never {
  throw error;
}
/** A window that is looked after, as it is changed by a test. */
function opened(bounds: object = {}, onFailure: (error: unknown) => void = rethrow) {
  const now = { bounds: { ...place, ...bounds }, maximized: false, minimized: false, fullScreen: false };
  const window = emitter({
    getNormalBounds: () => now.bounds,
    isMaximized: () => now.maximized,
    isMinimized: () => now.minimized,
    isFullScreen: () => now.fullScreen,
  });
  rememberWindowState(window, file, onFailure);
  const change = (event: string, changes: Partial<typeof now>): void => {
    Object.assign(now, changes);
    window.emit(event);
  };
  return { window, change, moveTo: (x: number) => change('move', { bounds: { ...place, x } }) };
}
function closeAt(bounds: object, maximized = false, onFailure?: (error: unknown) => void): void {
  opened(bounds, onFailure).change('close', { maximized });
}
const written = (): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

test('a window returns to its earlier position', () => {
  closeAt({ x: 2000, y: -100 }, true);
  expect(readWindowState(file, [display, second])).toEqual({ ...place, x: 2000, y: -100, maximized: true });
  expect(readdirSync(folder)).toEqual(['window.json']);
});

test.each([
  ['its display is gone', { x: 2000, y: -100 }],
  ['only a sliver would be seen', { x: 1850 }],
  ['it would be left of everything', { x: -950 }],
  ['its title bar would be above the display', { y: -30 }],
  ['its title bar would be below the display', { y: 1030 }],
])('the system places the window when %s', (_why, bounds) => {
  closeAt(bounds);
  expect(readWindowState(file, [display])).toEqual({ width: 1000, height: 700, maximized: false });
});

const laptop = { x: 0, y: 0, width: 1366, height: 728 };

test.each([
  [
    'on the display it lies on',
    { x: 0, y: 0, width: 3840, height: 2100 },
    [laptop],
    { x: 0, y: 0, width: 1366, height: 728 },
  ],
  [
    'in one direction alone',
    { x: 60, y: 20, width: 1000, height: 2100 },
    [laptop],
    { x: 60, y: 0, width: 1000, height: 728 },
  ],
  [
    'on the display that shows most of it',
    { x: 1300, y: 0, width: 1500, height: 700 },
    [laptop, { ...second, x: 1366, y: 0 }],
    { x: 1366, y: 0, width: 1280, height: 700 },
  ],
  [
    'and is left where it is, partly beside the display, when it fits',
    { x: 900, y: 100 },
    [laptop],
    { x: 900, y: 100, width: 1000, height: 700 },
  ],
  [
    'where its place is gone, on the first display',
    { x: 5000, y: 0, width: 3840, height: 2100 },
    [laptop, display],
    { width: 1366, height: 728 },
  ],
  [
    'but never below what the page needs',
    { x: 0, y: 0 },
    [{ ...laptop, width: 800, height: 480 }],
    { x: 0, y: 0, width: 880, height: 560 },
  ],
])('a window larger than its display is fitted %s', (_how, bounds, areas, expected) => {
  closeAt(bounds);
  expect(readWindowState(file, areas)).toEqual({ ...expected, maximized: false });
});

test('the initial size fits, too', () => {
  expect(readWindowState(file, [laptop])).toEqual({ width: 1280, height: 728, maximized: false });
});

test.each([
  ['nothing', null],
  ['no JSON', '{"x":'],
  ['another shape', '{"x":"1"}'],
  ['an impossible size', JSON.stringify({ ...place, width: 3 })],
  ['no number at all', '{"x":null,"y":null,"width":null,"height":null,"maximized":false}'],
])('the initial size applies when the file contains %s', (_what, text) => {
  if (text !== null) writeFileSync(file, text);
  expect(readWindowState(file, [display])).toEqual({ width: 1280, height: 820, maximized: false });
});

test('a window state that cannot be written is reported, not thrown during closing', () => {
  file = join(folder, 'missing', 'window.json');
  const reported: unknown[] = [];
  closeAt({}, false, (error) => reported.push(error));
  expect(reported).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
});

test('a moved window has its position written half a second later, so that a kill loses nothing', () => {
  vi.useFakeTimers();
  const { moveTo } = opened();
  moveTo(200);
  vi.advanceTimersByTime(placeSettlesMs - 1);
  expect(written()).toBeNull();
  vi.advanceTimersByTime(1);
  expect([written(), readdirSync(folder)]).toEqual([{ ...place, x: 200 }, ['window.json']]);
});

test('a long drag writes the position repeatedly, but not for each step', () => {
  vi.useFakeTimers();
  const { moveTo } = opened();
  const places = new Set<unknown>();
  for (let x = 0; x < 1000; x += 1) {
    moveTo(x);
    vi.advanceTimersByTime(2);
    places.add(JSON.stringify(written()));
  }
  vi.advanceTimersByTime(placeSettlesMs);
  expect([written(), places.size]).toEqual([{ ...place, x: 999 }, 1 + 4]);
});

test.each(['move', 'resize', 'maximize', 'unmaximize', 'restore', 'leave-full-screen'])(
  'a window at its stored position is not written again for the event "%s"',
  (event) => {
    vi.useFakeTimers();
    closeAt({});
    const before = statSync(file).ino;
    const { change } = opened();
    change(event, {});
    vi.advanceTimersByTime(placeSettlesMs);
    change('close', {});
    expect([statSync(file).ino, vi.getTimerCount()]).toEqual([before, 0]);
  },
);

test('a maximized window stays maximized on return, also after being minimized or full screen', () => {
  vi.useFakeTimers();
  const { change } = opened();
  change('maximize', { maximized: true });
  vi.advanceTimersByTime(placeSettlesMs);
  change('resize', { maximized: false, fullScreen: true, bounds: { ...place, width: 1920 } });
  vi.advanceTimersByTime(placeSettlesMs);
  change('close', { fullScreen: false, minimized: true });
  expect(readWindowState(file, [display])).toEqual({ ...place, maximized: true });
});

test('a closed window is no longer queried', () => {
  vi.useFakeTimers();
  const { window, moveTo } = opened();
  moveTo(300);
  window.emit('closed');
  expect(vi.getTimerCount()).toBe(0);
});

test('a position whose write failed is written with the next change', () => {
  vi.useFakeTimers();
  const reported: unknown[] = [];
  file = join(folder, 'missing', 'window.json');
  const { moveTo } = opened({}, (error) => reported.push(error));
  moveTo(400);
  vi.advanceTimersByTime(placeSettlesMs);
  mkdirSync(join(folder, 'missing'));
  moveTo(400);
  vi.advanceTimersByTime(placeSettlesMs);
  expect([written(), reported.length]).toEqual([{ ...place, x: 400 }, 1]);
});
