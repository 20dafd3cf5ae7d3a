import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Theme } from '../../shared/domain/settings.ts';
import { failed, success } from '../../shared/failure.ts';
import { followTheme } from './main-window.ts';

/** Of a system that is light; it tells when what it shows changes, as Electron's `nativeTheme` does. */
class LightSystem extends EventEmitter {
  #source: Theme = 'system';
  get themeSource(): Theme {
    return this.#source;
  }
  set themeSource(chosen: Theme) {
    this.#source = chosen;
    this.emit('updated');
  }
  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark';
  }
}

function desk({
  system = 'win32',
  answer = success({}),
}: { system?: NodeJS.Platform; answer?: Awaited<ReturnType<Call>> } = {}) {
  const native = new LightSystem();
  const dressed: unknown[] = [];
  const kept: { theme: Theme } = { theme: 'dark' };
  const window = {
    setBackgroundColor: (colour: string) => void dressed.push(colour),
    setTitleBarOverlay: (colours: object) => void dressed.push(colours),
  };
  const opened: { window: typeof window | null } = { window };
  const following = followTheme(native, { system, chosen: () => kept.theme, window: () => opened.window });
  const call = following(async () => answer);
  return { native, dressed, kept, opened, call };
}
type Call = Parameters<ReturnType<typeof followTheme>>[0];

const dark = { color: '#0f1214', symbolColor: '#b4bec6', height: 39 };
const light = { color: '#eef1f3', symbolColor: '#414d57', height: 39 };

test('the theme that was chosen is that of the system’s own parts, from the start', () => {
  const { native, dressed } = desk();
  expect([native.themeSource, dressed]).toEqual(['dark', ['#0f1214', dark]]);
});

test('one that is chosen in the page is followed at once', async () => {
  const { native, dressed, kept, call } = desk();
  kept.theme = 'system';
  expect(await call('settings.change', { theme: 'system' })).toEqual(success({}));
  expect([native.themeSource, dressed.slice(2)]).toEqual(['system', ['#eef1f3', light]]);
});

test('what the system changes to is followed, too, and without a window there is nothing to colour', () => {
  const { native, dressed, opened } = desk();
  native.emit('updated');
  opened.window = null;
  native.emit('updated');
  expect(dressed.length).toBe(4);
});

test.each([
  ['another call', 'settings.read', success({})],
  ['a change that failed', 'settings.change', failed({ kind: 'disk-full', path: '/' })],
])('%s changes no theme', async (_what, name, answer) => {
  const { native, kept, call } = desk({ answer });
  kept.theme = 'light';
  await call(name, {});
  expect(native.themeSource).toBe('dark');
});

test('the traffic lights of macOS have their own colours', () => {
  expect(desk({ system: 'darwin' }).dressed).toEqual(['#0f1214']);
});
