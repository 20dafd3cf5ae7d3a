import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { applicationMenu, contextMenu } from './menu.ts';

function menu(platform: NodeJS.Platform, isPackaged: boolean, happened: string[] = []) {
  return applicationMenu({ platform, isPackaged, openDataFolder: () => happened.push('data'), openLog: () => happened.push('log') });
}
function itemsOf(template: MenuItemConstructorOptions[], label: string): MenuItemConstructorOptions[] {
  const submenu = template.find((item) => item.label === label)?.submenu;
  return Array.isArray(submenu) ? submenu : [];
}
const rolesOf = (items: MenuItemConstructorOptions[]) => items.flatMap(({ role }) => role ?? []);

test.each(['linux', 'win32', 'darwin'] as const)('on %s there is an Edit menu with copy and paste', (platform) => {
  expect(rolesOf(itemsOf(menu(platform, true), 'Edit'))).toEqual(
    expect.arrayContaining(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']),
  );
});

test('macOS gets its application menu; the others quit from File', () => {
  expect(rolesOf(menu('darwin', true))).toContain('appMenu');
  expect(rolesOf(menu('linux', true))).not.toContain('appMenu');
  expect(rolesOf(itemsOf(menu('linux', true), 'File'))).toEqual(['quit']);
  expect(rolesOf(itemsOf(menu('darwin', true), 'File'))).toEqual(['close']);
});

test('the data folder and the log are two items', () => {
  const happened: string[] = [];
  const file = itemsOf(menu('linux', true, happened), 'File');
  for (const label of ['Open data folder', 'Open log']) {
    const { click } = file.find((item) => item.label === label) ?? {};
    Reflect.apply(click ?? (() => undefined), undefined, []);
  }
  expect(happened).toEqual(['data', 'log']);
});

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
