import { expect, test } from 'vitest';
import { restoreCommand } from './backup.tsx';

test.each([
  ['/media/disk/desk', "'/media/disk/desk'"],
  ["/media/ana's disk/$(x)", String.raw`'/media/ana'\''s disk/$(x)'`],
  ['/-rf --data', "'/-rf --data'"],
  ['/a\nb\\', "'/a\nb\\'"],
  [String.raw`D:\my backups`, String.raw`"D:\my backups"`],
  ['D:\\', String.raw`"D:\\"`],
  [String.raw`\\server\share\\`, String.raw`"\\server\share\\\\"`],
  ['D:/-v', '"D:/-v"'],
  [String.raw`D:\$(calc)`, String.raw`'D:\$(calc)'`],
  ["D:\\`ana's", "'D:\\`ana''s'"],
  ['D:\\\u201cana\u2019s\u201d', "'D:\\\u201cana\u2019\u2019s\u201d'"],
])('the path %s is one word of the restore command', (path, word) => {
  expect(restoreCommand(path, { isPackaged: true })).toBe(`vitrine --restore ${word} --data NEW_FOLDER`);
  expect(restoreCommand(path, { isPackaged: false })).toBe(`npm run -s vitrine -- restore ${word} --data NEW_FOLDER`);
});
