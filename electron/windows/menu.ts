import type { MenuItemConstructorOptions, Task } from 'electron';
import { navigationViews, type ShellCommand } from '../../shared/domain/host.ts';
import { dataArgument, quotedForWindows, viewArgument } from './desktop-arguments.ts';
import { titleBarHeight } from './main-window.ts';

type Item = MenuItemConstructorOptions;
type Template = Item[];

interface MenuOptions {
  platform: NodeJS.Platform;
  /** Developer tools are for development only: they can run code in the page. */
  isPackaged: boolean;
  openDataFolder(): void;
  openLog(): void;
  /** Leads the page somewhere, before the person's eyes. */
  send(command: ShellCommand): void;
}

const separator: Item = { type: 'separator' };

/** The application's menu. An Edit menu on every system: without one macOS has no copy and paste, nor their keys. */
export function applicationMenu(options: MenuOptions): Template {
  const isMac = options.platform === 'darwin';
  const menu = (label: string, submenu: Template): Item => ({ label: isMac ? label : `&${label}`, submenu });
  return [
    ...(isMac ? [{ label: 'Vitrine', submenu: macMenu(options) }] : []),
    menu('File', fileMenu(options, isMac)),
    menu('Edit', editMenu(options)),
    menu('View', viewMenu(options)),
    menu('Go', goMenu(options)),
    { role: 'windowMenu' },
    { role: 'help', ...menu('Help', helpMenu(options, isMac)) },
  ];
}

/**
 * An item that leads the page somewhere. Its key belongs to the page, which knows whether it may act on it, such as
 * not while a dialog is open: the menu shows the key and does not take it. (On macOS the page comes first in any case.)
 */
const way = ({ send }: MenuOptions, label: string, command: ShellCommand, accelerator?: string): Item => ({
  label,
  click: () => send(command),
  ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
});

const settings = (options: MenuOptions): Item =>
  way(options, 'Settings…', { kind: 'open-view', view: 'settings' }, 'CmdOrCtrl+,');

function macMenu(options: MenuOptions): Template {
  return [
    { role: 'about' },
    separator,
    settings(options),
    separator,
    { role: 'services' },
    separator,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    separator,
    { role: 'quit' },
  ];
}

function fileMenu(options: MenuOptions, isMac: boolean): Template {
  return [
    { label: 'Open data folder', click: () => options.openDataFolder() },
    ...(isMac ? [] : [separator, settings(options)]),
    separator,
    isMac ? { role: 'close' } : { role: 'quit' },
  ];
}

function editMenu(options: MenuOptions): Template {
  return [
    { role: 'undo' },
    { role: 'redo' },
    separator,
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'pasteAndMatchStyle' },
    { role: 'delete' },
    { role: 'selectAll' },
    separator,
    way(options, 'Find or run a command', { kind: 'open-palette' }, 'CmdOrCtrl+K'),
  ];
}

function viewMenu(options: MenuOptions): Template {
  const forDevelopment: Template = [{ role: 'reload' }, { role: 'toggleDevTools' }, separator];
  return [
    ...(options.isPackaged ? [] : forDevelopment),
    way(options, 'Collapse or expand sidebar', { kind: 'fold-sidebar' }, 'CmdOrCtrl+B'),
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    separator,
    { role: 'togglefullscreen' },
  ];
}

function goMenu(options: MenuOptions): Template {
  return navigationViews.map(({ name, title }, at) =>
    way(options, title, { kind: 'open-view', view: name }, `CmdOrCtrl+${at + 1}`),
  );
}

/** About is in the application's menu on macOS, where the system puts it. */
function helpMenu(options: MenuOptions, isMac: boolean): Template {
  return [
    way(options, 'Keyboard shortcuts', { kind: 'show-keys' }),
    way(options, 'Licences', { kind: 'open-about' }),
    separator,
    way(options, 'Save diagnostics…', { kind: 'save-diagnostics' }),
    { label: 'Open log', click: () => options.openLog() },
    ...(isMac ? [] : [separator, way(options, 'About Vitrine', { kind: 'open-about' })]),
  ];
}

/** What was clicked on, of Electron's `ContextMenuParams`. */
interface ContextTarget {
  isEditable: boolean;
  selectionText: string;
  editFlags: { canCut: boolean; canCopy: boolean; canPaste: boolean; canSelectAll: boolean };
}

/** Cut and paste in a field, copy on a selection; empty where nothing can be done. */
export function contextMenu({ isEditable, selectionText, editFlags }: ContextTarget): Template {
  if (isEditable) {
    return [
      { role: 'cut', enabled: editFlags.canCut },
      { role: 'copy', enabled: editFlags.canCopy },
      { role: 'paste', enabled: editFlags.canPaste },
      separator,
      { role: 'selectAll', enabled: editFlags.canSelectAll },
    ];
  }
  return selectionText.trim() === '' ? [] : [{ role: 'copy', enabled: editFlags.canCopy }];
}

/** What this needs of Electron's `webContents`. */
interface KeyedPage {
  on(event: 'before-input-event', listener: (event: { preventDefault(): void }, input: KeyInput) => void): unknown;
}

interface KeyInput {
  type: string;
  key: string;
  control: boolean;
  shift: boolean;
  alt: boolean;
  meta: boolean;
}

/**
 * A window without a title bar has no menu bar on Windows and Linux. Its keys still work, and F10, which opened it,
 * shows the same menu.
 */
export function openMenuByKey(
  page: KeyedPage,
  system: NodeJS.Platform,
  show: (place: { x: number; y: number }) => void,
): void {
  if (system === 'darwin') return;
  page.on('before-input-event', (event, input) => {
    if (!isMenuKey(input)) return;
    event.preventDefault();
    show({ x: 0, y: titleBarHeight });
  });
}

const isMenuKey = ({ type, key, control, shift, alt, meta }: KeyInput): boolean =>
  type === 'keyDown' && key === 'F10' && !control && !shift && !alt && !meta;

/**
 * Shortcuts to the views in the taskbar of Windows (the dock of macOS has `dockMenu`, the desktop file of Linux is made
 * with the package). Views alone: what the system keeps of a program outlives it, is copied and is read by others, so
 * no hash, name or job is ever put there (docs/decisions/0019-the-system-shows-no-sample.md). `namedDirectory`:
 * the data directory, when the person named it, which each of them opens again.
 */
export function viewTasks(program: string, namedDirectory: string | null): Task[] {
  const data = namedDirectory === null ? '' : `${quotedForWindows(dataArgument(namedDirectory))} `;
  return navigationViews.map(({ name, title }) => ({
    program,
    title,
    arguments: `${data}${viewArgument(name)}`,
    description: `Open ${title}`,
    iconPath: program,
    iconIndex: 0,
  }));
}

/** The same for the dock of macOS, which speaks to the running program. */
export function dockMenu(send: (command: ShellCommand) => void): MenuItemConstructorOptions[] {
  return navigationViews.map(({ name, title }) => ({
    label: title,
    click: () => send({ kind: 'open-view', view: name }),
  }));
}
