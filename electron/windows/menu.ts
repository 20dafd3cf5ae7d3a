import type { MenuItemConstructorOptions } from 'electron';

type Template = MenuItemConstructorOptions[];

export interface MenuOptions {
  platform: NodeJS.Platform;
  /** Developer tools are for development only: they can run code in the page. */
  isPackaged: boolean;
  openDataFolder(): void;
  openLog(): void;
}

const separator: MenuItemConstructorOptions = { type: 'separator' };

/** The application's menu. An Edit menu on every system: without one macOS has no copy and paste, nor their keys. */
export function applicationMenu(options: MenuOptions): Template {
  const isMac = options.platform === 'darwin';
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    { label: 'File', submenu: fileMenu(options, isMac) },
    { label: 'Edit', submenu: editMenu() },
    { label: 'View', submenu: viewMenu(options.isPackaged) },
    { role: 'windowMenu' },
  ];
}

function fileMenu({ openDataFolder, openLog }: MenuOptions, isMac: boolean): Template {
  return [
    { label: 'Open data folder', click: () => openDataFolder() },
    { label: 'Open log', click: () => openLog() },
    separator,
    isMac ? { role: 'close' } : { role: 'quit' },
  ];
}

function editMenu(): Template {
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
  ];
}

function viewMenu(isPackaged: boolean): Template {
  const forDevelopment: Template = [{ role: 'reload' }, { role: 'toggleDevTools' }, separator];
  return [
    ...(isPackaged ? [] : forDevelopment),
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    separator,
    { role: 'togglefullscreen' },
  ];
}

/** What was clicked on, of Electron's `ContextMenuParams`. */
export interface ContextTarget {
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
