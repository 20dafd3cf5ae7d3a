import { resolve } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { navigationViews, type ShellCommand } from '../../shared/domain/host.ts';
import { namedDataDirectory, viewAmong } from './desktop-arguments.ts';
import { applicationMenu, contextMenu, dockMenu, openMenuByKey, viewTasks } from './menu.ts';
import { emitter, preventable } from './stand-ins.fixture.ts';

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

test('macOS has a program menu of its own, and the others have its items under File and Help', () => {
  const [mac, linux] = [menu('darwin'), menu('linux')];
  expect(rolesOf(itemsOf(mac, 'Vitrine'))).toEqual(['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit']);
  expect(rolesOf(itemsOf(mac, 'File'))).toEqual(['close']);
  expect(rolesOf(itemsOf(linux, 'File'))).toEqual(['quit']);
  const places = (template: Item[], label: string) =>
    template.filter((item) => under(item).some(named(label))).map((item) => item.label);
  expect([places(mac, 'Settings…'), places(linux, 'Settings…')]).toEqual([['Vitrine'], ['&File']]);
  expect([places(mac, 'About Vitrine'), places(linux, 'About Vitrine')]).toEqual([[], ['&Help']]);
});

test.each(systems)('on %s the menus have the usual order', (platform) => {
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

test('a menu opens by Alt and a letter where this exists', () => {
  expect(menu('win32').flatMap(({ label }) => label ?? [])).toEqual(['&File', '&Edit', '&View', '&Go', '&Help']);
  expect(
    menu('darwin')
      .flatMap(({ label }) => label ?? [])
      .join(''),
  ).not.toContain('&');
});

describe('the action of an item', () => {
  test('opens the data folder or the log here', () => {
    const happened: (string | ShellCommand)[] = [];
    choose(menu('linux', true, happened), 'Open data folder');
    choose(menu('linux', true, happened), 'Open log');
    expect(happened).toEqual(['data', 'log']);
  });

  test('opens the views in the order of the sidebar, each with its key', () => {
    const happened: (string | ShellCommand)[] = [];
    const template = menu('linux', true, happened);
    const views = itemsOf(template, 'Go');
    expect(views.map(({ label, accelerator }) => [label, accelerator])).toEqual(
      navigationViews.map(({ title }, at) => [title, `CmdOrCtrl+${at + 1}`]),
    );
    for (const { title } of navigationViews) choose(template, title);
    expect(happened).toEqual(navigationViews.map(({ name }) => ({ kind: 'open-view', view: name })));
  });

  test('controls the page for the others', () => {
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
      { kind: 'open-view', view: 'settings' },
      { kind: 'open-palette' },
      { kind: 'fold-sidebar' },
      { kind: 'show-keys' },
      { kind: 'open-about' },
      { kind: 'save-diagnostics' },
      { kind: 'open-about' },
    ]);
  });
});

test.each(systems)('on %s a shown shortcut is a page shortcut, has Ctrl or Command, and is unique', (platform) => {
  const keyed = everyItem(menu(platform)).filter(({ accelerator }) => accelerator !== undefined);
  expect(keyed.every(({ registerAccelerator }) => registerAccelerator === false)).toBe(true);
  const keys = keyed.map(({ accelerator }) => accelerator);
  expect(keys.every((key) => /^CmdOrCtrl\+[0-9KB,]$/.test(key ?? ''))).toBe(true);
  expect(new Set(keys).size).toBe(navigationViews.length + 3);
  expect(keys).toHaveLength(navigationViews.length + 3);
});

test('a packaged program has no developer tools', () => {
  expect(rolesOf(itemsOf(menu('linux', true), 'View'))).not.toContain('toggleDevTools');
  expect(rolesOf(itemsOf(menu('linux', false), 'View'))).toContain('toggleDevTools');
});

const editFlags = { canCut: true, canCopy: true, canPaste: false, canSelectAll: true };

test('a field offers its editing actions', () => {
  const items = contextMenu({ isEditable: true, selectionText: '', editFlags });
  expect(rolesOf(items)).toEqual(['cut', 'copy', 'paste', 'selectAll']);
  expect(items.find(({ role }) => role === 'paste')?.enabled).toBe(false);
});

test('a selection offers copy, and no selection offers nothing', () => {
  expect(rolesOf(contextMenu({ isEditable: false, selectionText: 'text', editFlags }))).toEqual(['copy']);
  expect(contextMenu({ isEditable: false, selectionText: ' \n', editFlags })).toEqual([]);
});

const f10 = { type: 'keyDown', key: 'F10', control: false, shift: false, alt: false, meta: false };

function press(input: Partial<typeof f10>, system: NodeJS.Platform = 'win32') {
  const shown: unknown[] = [];
  const page = emitter({});
  openMenuByKey(page, system, (place) => shown.push(place));
  const event = preventable({});
  page.emit('before-input-event', event, { ...f10, ...input });
  return { shown, wasPrevented: event.wasPrevented };
}

test.each(['win32', 'linux'] as const)(
  'on %s F10 shows the menu below the bar, and the page does not receive it',
  (system) => {
    expect(press({}, system)).toEqual({ shown: [{ x: 0, y: 40 }], wasPrevented: true });
  },
);

test.each([
  ['another key', { key: 'F1' }],
  ['the key let go', { type: 'keyUp' }],
  ['Shift F10, which is the menu of what has the focus', { shift: true }],
  ['Ctrl F10', { control: true }],
  ['Alt F10', { alt: true }],
  ['F10 with the key of the system', { meta: true }],
])('%s is left to the page', (_what, input) => {
  expect(press(input)).toEqual({ shown: [], wasPrevented: false });
});

test('macOS shows its menu at all times', () => {
  expect(press({}, 'darwin')).toEqual({ shown: [], wasPrevented: false });
});

const names = navigationViews.map(({ name }) => name);
const titles = navigationViews.map(({ title }) => title);

test('each Windows task starts the program with a readable view', () => {
  const tasks = viewTasks('C:\\Vitrine.exe', null);
  expect(tasks.map((task) => viewAmong([task.program, task.arguments]))).toEqual(names);
  expect(tasks.map(({ title }) => title)).toEqual(titles);
});

/** As Windows does it (CommandLineToArgvW): 2n backslashes before a quote are n, and the quote counts. */
function splitAsWindows(line: string): string[] {
  return [...line.matchAll(/(?:"((?:[^"\\]|\\(?!\\*")|(?:\\\\)+(?="))*)"|[^\s"]+)/g)].map(([text]) =>
    text.replace(/^"|"$/g, '').replace(/(\\\\)+$/, (backslashes) => backslashes.slice(backslashes.length / 2)),
  );
}

test.each(['D:\\case 7', 'D:\\', '\\\\server\\share\\my data', '/lab/case 7'])(
  'each task opens the data directory %s again when the person named it',
  (directory) => {
    for (const { program, arguments: line } of viewTasks('C:\\Vitrine.exe', directory)) {
      const args = [program, ...splitAsWindows(line)];
      expect(args[1]).toBe(`--data=${directory}`);
      expect(namedDataDirectory(args)).toBe(resolve(directory));
      expect(viewAmong(args)).not.toBeNull();
    }
  },
);

test('each dock item leads to a view', () => {
  const sent: ShellCommand[] = [];
  const items: MenuItemConstructorOptions[] = dockMenu((command) => sent.push(command));
  for (const { click } of items) Reflect.apply(click ?? (() => undefined), undefined, []);
  expect(items.map(({ label }) => label)).toEqual(titles);
  expect(sent).toEqual(names.map((view) => ({ kind: 'open-view', view })));
});
