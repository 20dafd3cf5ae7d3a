import type { MenuItemConstructorOptions, Task } from 'electron';
import { railRooms, type ShellCommand } from '../../shared/domain/host.ts';
import { dataArgument, quotedForWindows, roomArgument } from './desktop-arguments.ts';

/**
 * Ways into the rooms from the taskbar of Windows (the dock of macOS has `dockMenu`, the desktop file of Linux is made
 * with the package). Rooms alone: what the system keeps of a program outlives it, is copied and is read by others, so
 * no hash, name or job is ever put there (docs/decisions/0019-the-system-shows-no-sample.md). `namedDirectory`:
 * the data directory, when the person named it, which each of them opens again.
 */
export function roomTasks(program: string, namedDirectory: string | null): Task[] {
  const data = namedDirectory === null ? '' : `${quotedForWindows(dataArgument(namedDirectory))} `;
  return railRooms.map(({ name, title }) => ({
    program,
    title,
    arguments: `${data}${roomArgument(name)}`,
    description: `Open ${title}`,
    iconPath: program,
    iconIndex: 0,
  }));
}

/** The same for the dock of macOS, which speaks to the running program. */
export function dockMenu(send: (command: ShellCommand) => void): MenuItemConstructorOptions[] {
  return railRooms.map(({ name, title }) => ({ label: title, click: () => send({ kind: 'open-room', room: name }) }));
}
