import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { railRooms, type ShellCommand } from '../../shared/domain/host.ts';
import { applicationMenu, contextMenu } from './menu.ts';

type Item = MenuItemConstructorOptions;

const systems = ['linux', 'win32', 'darwin'] as const;

function menu(platform: NodeJS.Platform, isPackaged = true, happened: (string | ShellCommand)[] = []) {
  return applicationMenu({
    platform,
    isPackaged,
    openDataFolder: () => happened.push('data'),
    openLog: () => happened.push('log'),
    send: (command) => happened.push(command),
  });
}
const under = ({ submenu }: Item): Item[] => (Array.isArray(submenu) ? submenu : []);
const everyItem = (template: readonly Item[]): Item[] => template.flatMap((item) => [item, ...everyItem(under(item))]);
const named =
  (label: string) =>
  (item: Item): boolean =>
    item.label?.replace('&', '') === label;
const itemsOf = (template: readonly Item[], label: string): Item[] => under(template.find(named(label)) ?? {});
const rolesOf = (items: readonly Item[]) => items.flatMap(({ role }) => role ?? []);

function choose(template: readonly Item[], label: string): void {
  const { click } = everyItem(template).find(named(label)) ?? {};
  Reflect.apply(click ?? (() => undefined), undefined, []);
}

test.each(systems)('on %s there is an Edit menu with copy and paste', (platform) => {
  expect(rolesOf(itemsOf(menu(platform), 'Edit'))).toEqual(
    expect.arrayContaining(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']),
  );
});

test('macOS has what belongs to the program in a menu of its own; the others have it under File and Help', () => {
  const [mac, linux] = [menu('darwin'), menu('linux')];
  expect(rolesOf(itemsOf(mac, 'Vitrine'))).toEqual(['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit']);
  expect(rolesOf(itemsOf(mac, 'File'))).toEqual(['close']);
  expect(rolesOf(itemsOf(linux, 'File'))).toEqual(['quit']);
  const places = (template: Item[], label: string) =>
    template.filter((item) => under(item).some(named(label))).map((item) => item.label);
  expect([places(mac, 'Settings…'), places(linux, 'Settings…')]).toEqual([['Vitrine'], ['&File']]);
  expect([places(mac, 'About Vitrine'), places(linux, 'About Vitrine')]).toEqual([[], ['&Help']]);
});

test.each(systems)('on %s the menus stand in the order a person expects', (platform) => {
  const labels = menu(platform).map(({ role, label }) => label?.replace('&', '') ?? role);
  expect(labels).toEqual([
    ...(platform === 'darwin' ? ['Vitrine'] : []),
    'File',
    'Edit',
    'View',
    'Go',
    'windowMenu',
    'Help',
  ]);
});

test('a menu is opened by Alt and a letter, where there is that', () => {
  expect(menu('win32').flatMap(({ label }) => label ?? [])).toEqual(['&File', '&Edit', '&View', '&Go', '&Help']);
  expect(
    menu('darwin')
      .flatMap(({ label }) => label ?? [])
      .join(''),
  ).not.toContain('&');
});

describe('what an item does', () => {
  test('the data folder and the log are opened here', () => {
    const happened: (string | ShellCommand)[] = [];
    choose(menu('linux', true, happened), 'Open data folder');
    choose(menu('linux', true, happened), 'Open log');
    expect(happened).toEqual(['data', 'log']);
  });

  test('the rooms are there in the order of the rail, each with its key', () => {
    const happened: (string | ShellCommand)[] = [];
    const template = menu('linux', true, happened);
    const rooms = itemsOf(template, 'Go');
    expect(rooms.map(({ label, accelerator }) => [label, accelerator])).toEqual(
      railRooms.map(({ title }, at) => [title, `CmdOrCtrl+${at + 1}`]),
    );
    for (const { title } of railRooms) choose(template, title);
    expect(happened).toEqual(railRooms.map(({ name }) => ({ kind: 'open-room', room: name })));
  });

  test('the others lead the page', () => {
    const happened: (string | ShellCommand)[] = [];
    const template = menu('win32', true, happened);
    for (const label of [
      'Settings…',
      'Find or run a command',
      'Collapse or expand sidebar',
      'Keyboard shortcuts',
      'Licences',
      'Save diagnostics…',
      'About Vitrine',
    ])
      choose(template, label);
    expect(happened).toEqual([
      { kind: 'open-room', room: 'settings' },
      { kind: 'open-palette' },
      { kind: 'fold-rail' },
      { kind: 'show-keys' },
      { kind: 'open-about' },
      { kind: 'save-diagnostics' },
      { kind: 'open-about' },
    ]);
  });
});

test.each(systems)(
  'on %s a key that is shown belongs to the page, has Ctrl or Command, and is there once',
  (platform) => {
    const keyed = everyItem(menu(platform)).filter(({ accelerator }) => accelerator !== undefined);
    expect(keyed.every(({ registerAccelerator }) => registerAccelerator === false)).toBe(true);
    const keys = keyed.map(({ accelerator }) => accelerator);
    expect(keys.every((key) => /^CmdOrCtrl\+[0-9KB,]$/.test(key ?? ''))).toBe(true);
    expect(new Set(keys).size).toBe(railRooms.length + 3);
    expect(keys).toHaveLength(railRooms.length + 3);
  },
);

test('developer tools are not in a packaged program', () => {
  expect(rolesOf(itemsOf(menu('linux', true), 'View'))).not.toContain('toggleDevTools');
  expect(rolesOf(itemsOf(menu('linux', false), 'View'))).toContain('toggleDevTools');
});

const editFlags = { canCut: true, canCopy: true, canPaste: false, canSelectAll: true };

test('a field offers what can be done in it', () => {
  const items = contextMenu({ isEditable: true, selectionText: '', editFlags });
  expect(rolesOf(items)).toEqual(['cut', 'copy', 'paste', 'selectAll']);
  expect(items.find(({ role }) => role === 'paste')?.enabled).toBe(false);
});

test('a selection offers copy; nothing selected offers nothing', () => {
  expect(rolesOf(contextMenu({ isEditable: false, selectionText: 'text', editFlags }))).toEqual(['copy']);
  expect(contextMenu({ isEditable: false, selectionText: ' \n', editFlags })).toEqual([]);
});
