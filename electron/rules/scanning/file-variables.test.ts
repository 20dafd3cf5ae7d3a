import { expect, test } from 'vitest';
import { fileVariables } from './file-variables.ts';

test.each([
  ['a.tar.gz', 'gz'],
  ['Update.DLL', 'dll'],
  ['name', ''],
  ['trailing.', ''],
  ['.htaccess', ''],
  ['.bashrc.bak', 'bak'],
  ['', ''],
])('a file called "%s" has the extension "%s"', (name, extension) => {
  expect(fileVariables(name)).toEqual({ filename: name, extension });
});
