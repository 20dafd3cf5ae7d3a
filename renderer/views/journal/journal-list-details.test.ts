import { expect, test } from 'vitest';
import { detailLine, fieldName, formatValue } from './journal-list.tsx';

test('the detail of a row is one line: enabled flags, short sizes, nothing unset', () => {
  expect(
    detailLine({
      job: 1234,
      sizeBytes: 49_662,
      virusTotal: true,
      sandbox: false,
      withComment: true,
      tags: 2,
      tlp: 'green',
      sha256: 'a'.repeat(64),
    }),
  ).toBe('job 1234, 48.5 KiB, VirusTotal, with a comment, tags 2, TLP green');
  expect(detailLine({ virusTotal: true, withComment: false, tags: null })).toBe('VirusTotal');
  expect(detailLine({ of: 'journal', to: 'browser', form: 'csv', rows: 1200 })).toBe(
    'of journal, to browser, format csv, entries 1,200',
  );
  expect(detailLine({ folder: '/b', made: '2026-11-20T08:00:00.000Z' })).toBe(
    'folder /b, backup of 2026-11-20 08:00:00Z',
  );
  expect(detailLine({ broken: 0, from: null })).toBe('broken rules 0');
  expect(detailLine({})).toBe('');
});

test('a known field has a label, and an unknown one keeps its name as written', () => {
  expect([fieldName('sizeBytes'), fieldName('attempt'), fieldName('toString'), fieldName('__proto__')]).toEqual([
    'size',
    'attempt',
    'toString',
    '__proto__',
  ]);
});

test('a single value is shown whole, with invisible characters spelled out', () => {
  expect([
    formatValue('a', null),
    formatValue('a', false),
    formatValue('bytes', 2048),
    formatValue('rows', 1200),
  ]).toEqual(['none', 'no', '2,048 bytes (2.00 KiB)', '1,200']);
  expect(formatValue('a', 'one\u202etwo')).not.toContain('\u202e');
});
