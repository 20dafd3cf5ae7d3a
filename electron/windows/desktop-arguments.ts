import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type NavigationView, navigationViews } from '../../shared/domain/host.ts';

/**
 * The data directory named by `--data DIR` or `--data=DIR`, or null. Read by hand: Electron and the system add
 * arguments of their own, so an unknown one is no mistake.
 */
export function namedDataDirectory(args: readonly string[]): string | null {
  const ours = beforeLinks(args);
  const at = ours.findIndex((text) => text === '--data' || text.startsWith('--data='));
  const found = ours[at];
  if (found === undefined) return null;
  const named = found === '--data' ? ours[at + 1] : found.slice('--data='.length);
  return named === undefined || named === '' || named.startsWith('--') ? null : resolve(named);
}

/** How a shortcut, or a restart, names the data directory again. */
export const dataArgument = (directory: string): string => `--data=${directory}`;

/**
 * One argument in a command line of Windows, which is a text: a quote ends at the next one, unless a backslash precedes
 * it. No path there holds a quote.
 */
export const quotedForWindows = (argument: string): string => `"${withoutEscape(argument)}"`;

/** The same for one that Electron or Windows puts into quotes as it is. */
export const withoutEscape = (argument: string): string => argument.replace(/\\+$/, '$&$&');

/** How a shortcut of the system names a view. */
export const viewArgument = (view: NavigationView): string => `--view=${view}`;

/** The view that a shortcut of the system names, or null. `--room=` is of shortcuts that 1.0.0 made. */
export function viewAmong(args: readonly string[]): NavigationView | null {
  const ours = beforeLinks(args);
  const names = (name: NavigationView): boolean => ours.includes(viewArgument(name)) || ours.includes(`--room=${name}`);
  return navigationViews.find(({ name }) => names(name))?.name ?? null;
}

/** Everything after `--` comes from a link, which any page on the web may hold: none of it is an argument. */
function beforeLinks(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

/**
 * Reads `vitrine:<MD5>`: exactly 32 hexadecimal characters and nothing else, so that a link on any web page can fill
 * the look-up field and do nothing more. `vitrine://<MD5>` and a closing slash are what browsers make of it.
 */
export function readDeepLink(text: string): string | null {
  const [, md5] = /^vitrine:(?:\/\/)?([0-9a-f]{32})\/?$/i.exec(text) ?? [];
  return md5?.toLowerCase() ?? null;
}

/** The link among the arguments of a start: Windows and Linux hand it over there. */
export function deepLinkAmong(args: readonly string[]): string | null {
  for (const text of args) {
    const md5 = readDeepLink(text);
    if (md5 !== null) return md5;
  }
  return null;
}

/**
 * The folder to which `--move-data-to DIR` moves the data, or null. Everything after `--` comes from a link and is no
 * argument.
 */
export const moveTarget = (args: readonly string[]): string | null => folderOf('move-data-to', args);

/** The same for the backup that `--restore DIR` restores. */
export const restoreSource = (args: readonly string[]): string | null => folderOf('restore', args);

function folderOf(option: string, args: readonly string[]): string | null {
  // Electron and the system add arguments of their own.
  const { values } = parseArgs({ args: [...args], strict: false, options: { [option]: { type: 'string' } } });
  const folder = values[option];
  return typeof folder === 'string' && folder !== '' && !folder.startsWith('--') ? resolve(folder) : null;
}

/** Of a start that the program itself made: the one before is still ending. */
const restartArgument = '--restarted';
/** An AppImage unmounts itself as its program ends, and may not be mounted again in that moment. */
const extractArgument = '--appimage-extract-and-run';

interface StartedBy {
  /** `process.argv`. */
  args: readonly string[];
  /** The AppImage that this program was started from, by the `APPIMAGE` of its environment. */
  appImage: string | undefined;
  isPackaged: boolean;
}

/** Takes `RelaunchOptions` of Electron. */
interface NextStart {
  args: string[];
  execPath?: string;
}

/**
 * How the program is started again with arguments more. Those it was started with stay, such as the folder of the
 * program in development and switches of the browser; what holds for one start only (a move, a restore, a view, a link)
 * is dropped.
 */
export function relaunchOptions({ args, appImage, isPackaged }: StartedBy, more: readonly string[]): NextStart {
  const next = [...withoutFolders(beforeLinks(args.slice(1)).filter(isOfEveryStart)), ...more, restartArgument];
  // A developer who works from within another AppImage has its variable too.
  if (!isPackaged || appImage === undefined || appImage === '') return { args: next };
  return { execPath: appImage, args: [extractArgument, ...next] };
}

export const isRestart = (args: readonly string[]): boolean => beforeLinks(args).includes(restartArgument);

const isOfEveryStart = (text: string): boolean =>
  text !== restartArgument &&
  text !== extractArgument &&
  !/^(?:--view=|--room=|--move-data-to=|--restore=|vitrine:)/i.test(text);

/** With the option goes the folder behind it. */
function withoutFolders(args: readonly string[]): string[] {
  const isOnce = (text: string | undefined): boolean => text === '--move-data-to' || text === '--restore';
  return args.filter((text, at) => !isOnce(text) && !(isOnce(args[at - 1]) && !text.startsWith('--')));
}
