import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFileName, stemOfTitle } from './export-manifest.ts';

test.each([
  ['Gate 2026-114', 'Gate 2026-114'],
  ['Отчёт за ноябрь', 'Отчёт за ноябрь'],
  ['脅威レポート 11月', '脅威レポート 11月'],
  ['بدافزار می‌خواهد', 'بدافزار میخواهد'],
  ['Emotet: wave 2/3', 'Emotet- wave 2-3'],
  ['a <b> | "c"?', 'a-b-c'],
  ['..\\..\\evil', 'evil'],
  ['/etc/passwd', 'etc-passwd'],
  ['--force', 'force'],
  ['.hidden', 'hidden'],
  ['Case 1. ', 'Case 1'],
  ['CON', '_CON'],
  ['com1.notes', '_com1.notes'],
  ['???', 'case'],
  ['Cafe\u0301', 'Café'],
])('a case titled %j gets a file called %j', (title, stem) => {
  expect(stemOfTitle(title)).toBe(stem);
});

test('a file name is cut to a length that disks accept, between whole characters', () => {
  expect(stemOfTitle('x'.repeat(200))).toBe('x'.repeat(150));
  expect(stemOfTitle('脅'.repeat(200))).toBe('脅'.repeat(50));
  expect(stemOfTitle('👩‍🔬'.repeat(50))).not.toContain('\ufffd');
});

test('a case with any title gets a valid file name', () => {
  const piece = fc.constantFrom(
    'a',
    'é',
    'е',
    '脅',
    '👩‍🔬',
    ' ',
    '.',
    '-',
    '~',
    '/',
    '\\',
    ':',
    '\u202e',
    '\u200b',
    '\ud800',
    '\0',
    '\n',
    'con',
    'nul.',
    'LPT1',
    '%',
    "'",
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: piece, maxLength: 100 })),
      (title) => {
        const name = `${stemOfTitle(title)}.misp.json`;
        expect([name, isFileName(name)]).toEqual([name, true]);
      },
    ),
  );
});
