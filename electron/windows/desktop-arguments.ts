import { resolve } from 'node:path';
import { type RailRoom, railRooms } from '../../shared/domain/host.ts';

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
 * One argument in a command line of Windows, which is a text: a quote ends at the next one, unless a backslash stands
 * before it. No path there holds a quote.
 */
export const quotedForWindows = (argument: string): string => `"${withoutEscape(argument)}"`;

/** The same for one that Electron or Windows puts into quotes as it is. */
export const withoutEscape = (argument: string): string => argument.replace(/\\+$/, '$&$&');

/** How a shortcut of the system asks for a room. */
export const roomArgument = (room: RailRoom): string => `--room=${room}`;

/** The room that a shortcut of the system asks for, or null. */
export function roomAmong(args: readonly string[]): RailRoom | null {
  const asked = beforeLinks(args);
  return railRooms.find(({ name }) => asked.includes(roomArgument(name)))?.name ?? null;
}

/** What stands behind `--` comes from a link, which any page on the web may hold: none of it is an argument. */
export function beforeLinks(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}
