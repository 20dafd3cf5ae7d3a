import { expect, test } from 'vitest';
import { ruleFileType } from './rule-file-type.ts';

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
