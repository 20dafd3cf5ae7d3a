import { readFileSync } from 'node:fs';
import type { MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';
import type { BackgroundWork } from './background-work.ts';
import { emitter } from './stand-ins.fixture.ts';
import { hasTray, type RunTool, trayIcon, TrayPresence } from './tray.ts';

function program({ isTrayThere = true, breaks = '' }: { isTrayThere?: boolean; breaks?: 'icon' | 'menu' | '' } = {}) {
  const happened: string[] = [];
  const work: BackgroundWork = { jobs: 0, watchedFolder: '/home/ana/Inbox', checksRules: false };
  const menus: MenuItemConstructorOptions[][] = [];
  const icon = emitter({
    setToolTip: (text: string) => void happened.push(text.replaceAll('\n', ' | ')),
    destroy: () => void happened.push('no icon'),
  });
  const presence = new TrayPresence<typeof icon>({
    hasTray: async () => isTrayThere,
    createTray: () => {
      if (breaks === 'icon') throw new Error('no icon');
      happened.push('icon');
      return icon;
    },
    setMenu: (_icon, template) => {
      if (breaks === 'menu') throw new Error('no menu');
      menus.push(template);
    },
    work: () => work,
    open: () => happened.push('open'),
    quit: () => happened.push('quit'),
  });
  const window = emitter({ hide: () => happened.push('hidden'), minimize: () => happened.push('minimized') });
  presence.follow(window);
  return { presence, window, icon, work, happened, menus };
}

test('a program kept without its window has an icon with the running work and no name', async () => {
  const { presence, window, happened, menus } = program();
  await presence.stay(window);
  expect(happened).toEqual(['icon', 'Vitrine | Watching a folder', 'hidden']);
  expect(
    menus
      .at(-1)
      ?.map(({ label, type, enabled }) =>
        label === undefined ? type : `${label}${enabled === false ? ' (off)' : ''}`,
      ),
  ).toEqual(['Open Vitrine', 'separator', 'Watching a folder (off)', 'separator', 'Quit']);
  expect(JSON.stringify([happened, menus])).not.toContain('Inbox');
});

test('the icon and its menu show the window and quit', async () => {
  const { presence, window, icon, happened, menus } = program();
  await presence.stay(window);
  happened.length = 0;
  icon.emit('click');
  for (const { click } of menus.at(-1) ?? []) if (click !== undefined) Reflect.apply(click, undefined, []);
  expect(happened).toEqual(['open', 'open', 'quit']);
});

test('the menu is rebuilt only when something changed', async () => {
  const { presence, window, work, menus } = program();
  await presence.stay(window);
  presence.update();
  expect(menus).toHaveLength(1);
  work.jobs = 3;
  presence.update();
  presence.update();
  expect(menus.map((items) => items[2]?.label)).toEqual(['Watching a folder', '3 jobs running']);
});

test('the icon is removed when the window is shown, and returns', async () => {
  const { presence, window, happened } = program();
  await presence.stay(window);
  await presence.stay(window);
  window.emit('show');
  presence.update();
  await presence.stay(window);
  expect(happened.filter((what) => what.endsWith('icon'))).toEqual(['icon', 'no icon', 'icon']);
});

test('an ending program removes its icon', async () => {
  const { presence, window, happened } = program();
  presence.end();
  await presence.stay(window);
  presence.end();
  expect(happened.at(-1)).toBe('no icon');
});

test('a window without a tray is minimized and remains reachable', async () => {
  const { presence, window, happened } = program({ isTrayThere: false });
  await presence.stay(window);
  expect(happened).toEqual(['minimized']);
});

test.each([
  ['icon', ['minimized']],
  ['menu', ['icon', 'Vitrine | Watching a folder', 'no icon', 'minimized']],
] as const)('the window is minimized and remains reachable when its %s cannot be created', async (breaks, expected) => {
  const { presence, window, happened } = program({ breaks });
  await expect(presence.stay(window)).rejects.toThrow(`no ${breaks}`);
  expect(happened).toEqual(expected);
});

const missing: RunTool = async (command) => {
  throw new Error(`${command}: not found`);
};

test.each<[string, NodeJS.Platform, RunTool, boolean]>([
  ['Windows', 'win32', missing, true],
  ['Linux whose bus knows somebody who shows icons', 'linux', async () => '(true,)', true],
  ['Linux whose bus knows nobody', 'linux', async () => '(false,)', false],
  [
    'Linux with dbus-send alone',
    'linux',
    async (command, args, options) => (command === 'gdbus' ? missing(command, args, options) : '   boolean true\n'),
    true,
  ],
  ['Linux with no bus, or none of the tools', 'linux', missing, false],
])('the tray is detected on %s', async (_where, system, run, isThere) => {
  expect(await hasTray(system, run)).toBe(isThere);
});

test('the D-Bus query looks up the icon watcher with a short timeout', async () => {
  const run = vi.fn<RunTool>(async () => '(true,)');
  await hasTray('linux', run);
  expect(run).toHaveBeenCalledExactlyOnceWith('gdbus', expect.arrayContaining(['org.kde.StatusNotifierWatcher']), {
    timeout: 1_000,
  });
});

test('the icon is a picture of 32 by 32 pixels', () => {
  const bytes = Buffer.from(trayIcon.replace('data:image/png;base64,', ''), 'base64');
  const real = readFileSync(new URL('../../build/icons/icon.png', import.meta.url));
  expect(bytes.subarray(0, 16)).toEqual(real.subarray(0, 16));
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([32, 32]);
});
