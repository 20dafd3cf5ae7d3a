import { resolve } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { railRooms, type ShellCommand } from '../../shared/domain/host.ts';
import { namedDataDirectory, roomAmong } from './desktop-arguments.ts';
import { dockMenu, roomTasks } from './room-shortcuts.ts';

const names = railRooms.map(({ name }) => name);
const titles = railRooms.map(({ title }) => title);

test('each task of Windows starts the program with a room that is read again', () => {
  const tasks = roomTasks('C:\\Vitrine.exe', null);
  expect(tasks.map((task) => roomAmong([task.program, task.arguments]))).toEqual(names);
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
    for (const { program, arguments: line } of roomTasks('C:\\Vitrine.exe', directory)) {
      const args = [program, ...splitAsWindows(line)];
      expect(args[1]).toBe(`--data=${directory}`);
      expect(namedDataDirectory(args)).toBe(resolve(directory));
      expect(roomAmong(args)).not.toBeNull();
    }
  },
);

test('each item of the dock leads to a room', () => {
  const sent: ShellCommand[] = [];
  const items: MenuItemConstructorOptions[] = dockMenu((command) => sent.push(command));
  for (const { click } of items) Reflect.apply(click ?? (() => undefined), undefined, []);
  expect(items.map(({ label }) => label)).toEqual(titles);
  expect(sent).toEqual(names.map((room) => ({ kind: 'open-room', room })));
});
