import { expect, test } from 'vitest';
import { restoreCommand } from './restore-command.ts';

test.each([
  ['/media/disk/desk', "vitrine --restore '/media/disk/desk' --data NEW_FOLDER"],
  ["/media/ana's disk/$(x)", String.raw`vitrine --restore '/media/ana'\''s disk/$(x)' --data NEW_FOLDER`],
  [String.raw`D:\my backups`, String.raw`vitrine --restore "D:\my backups" --data NEW_FOLDER`],
])('%s is one word of the command', (path, command) => {
  expect(restoreCommand(path, true)).toBe(command);
  expect(restoreCommand(path, false)).toBe(command.replace('vitrine --restore', 'npm run -s vitrine -- restore'));
});
