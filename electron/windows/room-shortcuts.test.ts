import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import type { ShellCommand } from '../../shared/domain/shell-command.ts';
import { railRooms } from '../../shared/domain/rail-room.ts';
import { roomAmong } from './desktop-arguments.ts';
import { dockMenu, roomTasks } from './room-shortcuts.ts';

const names = railRooms.map(({ name }) => name);
const titles = railRooms.map(({ title }) => title);

test('each task of Windows starts the program with a room that is read again', () => {
  const tasks = roomTasks('C:\\Vitrine.exe');
  expect(tasks.map((task) => roomAmong([task.program, task.arguments]))).toEqual(names);
  expect(tasks.map(({ title }) => title)).toEqual(titles);
});

test('each item of the dock leads to a room', () => {
  const sent: ShellCommand[] = [];
  const items: MenuItemConstructorOptions[] = dockMenu((command) => sent.push(command));
  for (const { click } of items) Reflect.apply(click ?? (() => undefined), undefined, []);
  expect(items.map(({ label }) => label)).toEqual(titles);
  expect(sent).toEqual(names.map((room) => ({ kind: 'open-room', room })));
});
