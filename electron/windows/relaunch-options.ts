import { beforeLinks } from './desktop-arguments.ts';

/** Of a start that the program itself made: the one before is still ending. */
const restartArgument = '--restarted';
/** An AppImage unmounts itself as its program ends, and may not be mounted again in that moment. */
const extractArgument = '--appimage-extract-and-run';

export interface StartedBy {
  /** `process.argv`. */
  args: readonly string[];
  /** The AppImage that this program was started from, by the `APPIMAGE` of its environment. */
  appImage: string | undefined;
  isPackaged: boolean;
}

/** Takes `RelaunchOptions` of Electron. */
export interface NextStart {
  args: string[];
  execPath?: string;
}

/**
 * How the program is started again with arguments more. Those it was started with stay, such as the folder of the
 * program in development and switches of the browser; what they asked for once (a move, a restore, a room, a link) is
 * not asked for again.
 */
export function relaunchOptions({ args, appImage, isPackaged }: StartedBy, more: readonly string[]): NextStart {
  const next = [...withoutFolders(beforeLinks(args.slice(1)).filter(isOfEveryStart)), ...more, restartArgument];
  // Whoever develops from within another AppImage has its variable too.
  if (!isPackaged || appImage === undefined || appImage === '') return { args: next };
  return { execPath: appImage, args: [extractArgument, ...next] };
}

export const isRestart = (args: readonly string[]): boolean => beforeLinks(args).includes(restartArgument);

const isOfEveryStart = (text: string): boolean =>
  text !== restartArgument &&
  text !== extractArgument &&
  !/^(?:--room=|--move-data-to=|--restore=|vitrine:)/i.test(text);

/** With the option goes the folder behind it. */
function withoutFolders(args: readonly string[]): string[] {
  const isOnce = (text: string | undefined): boolean => text === '--move-data-to' || text === '--restore';
  return args.filter((text, at) => !isOnce(text) && !(isOnce(args[at - 1]) && !text.startsWith('--')));
}
