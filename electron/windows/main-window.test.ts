import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Theme } from '../../shared/domain/settings.ts';
import { failed, success } from '../../shared/failure.ts';
import {
  chromeColour,
  followTheme,
  mainWindowOptions,
  PageInbox,
  SoleWindow,
  titleBar,
  titleBarColours,
} from './main-window.ts';
import { emitter } from './stand-ins.fixture.ts';

const options = {
  state: { width: 1000, height: 700, maximized: true },
  preload: '/host/preload.cjs',
  isDark: false,
  system: 'linux',
  isPackaged: true,
} as const;

test('the page is sandboxed, isolated from the preload, and without Node', () => {
  expect(mainWindowOptions(options).webPreferences).toMatchObject({
    preload: '/host/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: false,
  });
});

test('the page gets no other preference than these', () => {
  expect(Object.keys(mainWindowOptions(options).webPreferences ?? {}).toSorted()).toEqual([
    'allowRunningInsecureContent',
    'contextIsolation',
    'devTools',
    'navigateOnDragDrop',
    'nodeIntegration',
    'nodeIntegrationInSubFrames',
    'nodeIntegrationInWorker',
    'preload',
    'sandbox',
    'spellcheck',
    'webSecurity',
    'webviewTag',
  ]);
});

test('the window has the remembered size and does not flash', () => {
  const { width, height, show, backgroundColor } = mainWindowOptions(options);
  expect({ width, height, show }).toEqual({ width: 1000, height: 700, show: false });
  expect(mainWindowOptions({ ...options, isDark: true }).backgroundColor).not.toBe(backgroundColor);
});

test('the command bar of the page is its title bar, as the system and the theme define it', () => {
  expect(mainWindowOptions(options)).toMatchObject(titleBar('linux', false));
  expect(mainWindowOptions({ ...options, system: 'darwin', isDark: true })).toMatchObject(titleBar('darwin', true));
});

test('developer tools are for development only', () => {
  expect(mainWindowOptions({ ...options, isPackaged: false }).webPreferences?.devTools).toBe(true);
});

test.each(['win32', 'linux'] as const)(
  'on %s the command bar is the title bar: controls overlay it in its colours, above its lower line',
  (system) => {
    expect(titleBar(system, false)).toEqual({
      titleBarStyle: 'hidden',
      titleBarOverlay: { color: '#eef1f3', symbolColor: '#414d57', height: 39 },
    });
    expect(titleBar(system, true)).toMatchObject({ titleBarOverlay: { color: '#0f1214', symbolColor: '#b4bec6' } });
  },
);

test('macOS centres the traffic lights in the height of the command bar', () => {
  expect(titleBar('darwin', true)).toEqual({
    titleBarStyle: 'hidden',
    titleBarOverlay: { height: 40 },
    trafficLightPosition: { x: 13, y: 13 },
  });
});

test.each(['light', 'dark'] as const)('the window colours are those of the page in the %s theme', (theme) => {
  const css = readFileSync(new URL('../../renderer/styles/tokens.css', import.meta.url), 'utf8');
  const block = new RegExp(`:root\\[data-theme='${theme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  const token = (name: string): string | undefined => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(block)?.[1];
  const isDark = theme === 'dark';
  expect([chromeColour(isDark), titleBarColours(isDark)]).toEqual([
    token('chrome'),
    { color: token('chrome'), symbolColor: token('fg-2'), height: 39 },
  ]);
});

/** Simulates a light system; it emits `updated` when its theme changes, as Electron's `nativeTheme` does. */
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

function createTestThemeWindow({
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

test('the chosen theme applies to system controls from the start', () => {
  const { native, dressed } = createTestThemeWindow();
  expect([native.themeSource, dressed]).toEqual(['dark', ['#0f1214', dark]]);
});

test('a theme chosen in the page is followed at once', async () => {
  const { native, dressed, kept, call } = createTestThemeWindow();
  kept.theme = 'system';
  expect(await call('settings.change', { theme: 'system' })).toEqual(success({}));
  expect([native.themeSource, dressed.slice(2)]).toEqual(['system', ['#eef1f3', light]]);
});

test('a system theme change is followed, too, and without a window nothing is coloured', () => {
  const { native, dressed, opened } = createTestThemeWindow();
  native.emit('updated');
  opened.window = null;
  native.emit('updated');
  expect(dressed.length).toBe(4);
});

test.each([
  ['another call', 'settings.read', success({})],
  ['a change that failed', 'settings.change', failed({ kind: 'disk-full', path: '/' })],
])('%s changes no theme', async (_what, name, answer) => {
  const { native, kept, call } = createTestThemeWindow({ answer });
  kept.theme = 'light';
  await call(name, {});
  expect(native.themeSource).toBe('dark');
});

test('the traffic lights of macOS have their own colours', () => {
  expect(createTestThemeWindow({ system: 'darwin' }).dressed).toEqual(['#0f1214']);
});

function createTestSoleWindow() {
  const happened: string[] = [];
  const made = () => {
    happened.push('opened');
    return emitter({
      isMinimized: () => true,
      isFocused: () => true,
      restore: () => void happened.push('restored'),
      show: () => void happened.push('shown'),
      focus: () => void happened.push('focused'),
    });
  };
  return { happened, made, sole: new SoleWindow<ReturnType<typeof made>>() };
}

test('nothing is opened before the program is ready', () => {
  const { happened, sole } = createTestSoleWindow();
  sole.show();
  expect({ happened, current: sole.current, isFocused: sole.isFocused }).toEqual({
    happened: [],
    current: null,
    isFocused: false,
  });
});

test('an existing window is brought back from any hidden state', () => {
  const { happened, made, sole } = createTestSoleWindow();
  sole.begin(made);
  sole.show();
  expect(happened).toEqual(['opened', 'restored', 'shown', 'focused']);
  expect(sole.isFocused).toBe(true);
});

test('a closed window is opened again', () => {
  const { happened, made, sole } = createTestSoleWindow();
  sole.begin(made);
  sole.current?.emit('closed');
  expect([sole.current, sole.isFocused]).toEqual([null, false]);
  sole.show();
  expect(happened).toEqual(['opened', 'opened']);
});

test('a quitting program opens no window', () => {
  const { happened, made, sole } = createTestSoleWindow();
  sole.begin(made);
  sole.current?.emit('closed');
  sole.end();
  sole.show();
  expect(happened).toEqual(['opened']);
});

test('the last message is kept until the page is ready, and delivered once', () => {
  const inbox = new PageInbox<string>();
  const taken: string[] = [];
  inbox.put('first');
  inbox.put('second');
  inbox.open((message) => taken.push(message));
  inbox.open((message) => taken.push(message));
  expect(taken).toEqual(['second']);
});

test('a message is delivered at once while the page is open, and kept again when it is gone', () => {
  const inbox = new PageInbox<string>();
  const taken: string[] = [];
  inbox.open((message) => taken.push(message));
  inbox.put('first');
  inbox.close();
  inbox.put('second');
  expect(taken).toEqual(['first']);
  inbox.open((message) => taken.push(message));
  expect(taken).toEqual(['first', 'second']);
});
