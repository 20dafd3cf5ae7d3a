import { expect, test } from 'vitest';
import { manifestCsv, type ManifestRow } from './export-manifest.ts';

const row = (name: string | null): ManifestRow => ({ md5: 'd'.repeat(32), sha1: 'e'.repeat(40), sha256: 'f'.repeat(64), sizeBytes: 68, name });
const linesOf = (...names: (string | null)[]): string[] => Buffer.from(manifestCsv(names.map(row))).toString('utf8').split('\r\n');
const nameCell = (name: string): string => linesOf(name).slice(1, -1).join('\r\n').split('68,').slice(1).join('68,');

test('one header, SHA-256 first, one line a sample, each ended', () => {
  expect(linesOf('invoice.exe', null)).toEqual([
    'sha256,sha1,md5,size_bytes,name',
    `${'f'.repeat(64)},${'e'.repeat(40)},${'d'.repeat(32)},68,invoice.exe`,
    `${'f'.repeat(64)},${'e'.repeat(40)},${'d'.repeat(32)},68,`,
    '',
  ]);
});

test.each(['=cmd|calc', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx'])('a name that a spreadsheet would run is guarded: %j', (name) => {
  expect(nameCell(name).replace(/^"/, '')).toMatch(/^'/);
});

test.each([
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1,"2"', '"\'=1,""2"""'],
  ['Счёт №1.doc', 'Счёт №1.doc'],
])('%j is written as %j', (name, cell) => expect(nameCell(name)).toBe(cell));

test('there is no byte order mark', () => expect(manifestCsv([])[0]).toBe('s'.charCodeAt(0)));
