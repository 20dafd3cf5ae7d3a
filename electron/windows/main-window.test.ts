import { expect, test } from 'vitest';
import { mainWindowOptions, titleBar } from './main-window.ts';

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

test('the command bar of the page is its title bar, as the system and the theme have it', () => {
  expect(mainWindowOptions(options)).toMatchObject(titleBar('linux', false));
  expect(mainWindowOptions({ ...options, system: 'darwin', isDark: true })).toMatchObject(titleBar('darwin', true));
});

test('developer tools are for development only', () => {
  expect(mainWindowOptions({ ...options, isPackaged: false }).webPreferences?.devTools).toBe(true);
});
