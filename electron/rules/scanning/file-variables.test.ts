import { expect, test } from 'vitest';
import { mostSets, ruleFileType, unknownOf, variableSets } from './file-variables.ts';

const all = new Set(['filename', 'extension', 'filepath', 'owner', 'filetype']);
const named = (name: string | null): { name: string | null; path: null; owner: null } => ({
  name,
  path: null,
  owner: null,
});

test.each([
  ['a.tar.gz', '.gz'],
  ['Update.DLL', '.dll'],
  ['name', ''],
  ['trailing.', '.'],
  ['.htaccess', ''],
  ['.bashrc.bak', '.bak'],
  ['...', ''],
  ['..a.b', '.b'],
  ['lib.so.6', '.6'],
  ['', ''],
])('a file called "%s" has the extension "%s", with its dot as os.path.splitext gives it', (name, extension) => {
  expect(variableSets([named(name)], all).sets).toEqual([{ filename: name, extension }]);
});

test('names make one set of texts for each difference that rules use', () => {
  const files = [
    { name: 'a.exe', path: '/x/a.exe', owner: 'root' },
    { name: 'b.EXE', path: null, owner: null },
    named('c.dll'),
  ];
  expect(variableSets(files, new Set(['extension']))).toEqual({
    sets: [{ extension: '.exe' }, { extension: '.dll' }],
    leftOut: 0,
  });
  expect(variableSets(files, new Set(['filename', 'filepath'])).sets).toEqual([
    { filename: 'a.exe', filepath: '/x/a.exe' },
    { filename: 'b.EXE' },
    { filename: 'c.dll' },
  ]);
  expect(variableSets(files, new Set())).toEqual({ sets: [{}], leftOut: 0 });
});

test('names over the limit are counted, and not used', () => {
  const { sets, leftOut } = variableSets(
    Array.from({ length: 40 }, (_, index) => named(`${index}.bin`)),
    all,
  );
  expect([sets.length, leftOut]).toEqual([mostSets, 8]);
});

test('variables are unknown when one of the files has no text for them', () => {
  expect(unknownOf([{ name: 'a', path: '/a', owner: 'root' }])).toEqual([]);
  expect(unknownOf([{ name: 'a', path: '/a', owner: null }, named('b')])).toEqual(['filepath', 'owner']);
  expect(unknownOf([named(null)])).toEqual(['filename', 'extension', 'filepath', 'owner']);
});

test.each([
  ['PE32+ dll .NET', 'EXE'],
  ['MZ exe', 'EXE'],
  ['ELF', 'ELF'],
  ['ELF64 x86-64', 'ELF'],
  ['DOCX', 'Office'],
  ['XLS', 'OLE'],
  ['MSI', 'OLE'],
  ['OOXML encrypted', 'OLE'],
  ['JAR', 'JAR'],
  ['APK', 'ZIP'],
  ['7z', '7Zip'],
  ['CAB', 'CAB'],
  ['CAB InstallShield', 'UNKNOWN'],
  ['script (#!)', 'UNIX SCRIPT'],
  ['Java class', 'Class'],
  ['minidump', 'MDMP'],
  ['text', 'UNKNOWN'],
  ['text UTF-16', 'UNKNOWN'],
  ['Mach-O 64 ARM64', 'UNKNOWN'],
  ['data', 'UNKNOWN'],
  ['constructor', 'UNKNOWN'],
  [null, 'UNKNOWN'],
])('a file of type %j is %j for rules', (type, name) => {
  expect(ruleFileType(type)).toBe(name);
});
