import { expect, test } from 'vitest';
import { Manifest, type ManifestFile, type ManifestRow } from './export-manifest.ts';

const row = (name: string | null): ManifestRow => ({
  md5: 'd'.repeat(32),
  sha1: 'e'.repeat(40),
  sha256: 'f'.repeat(64),
  sizeBytes: 68,
  name,
  outcome: 'exported',
});

function filesOf(...rows: ManifestRow[]): { csv: ManifestFile; json: ManifestFile } {
  const manifest = new Manifest();
  for (const one of rows) manifest.add(one);
  return manifest.files();
}
const textOf = (file: ManifestFile): string => Buffer.concat([...file.open()]).toString('utf8');
const linesOf = (...names: (string | null)[]): string[] => textOf(filesOf(...names.map(row)).csv).split('\r\n');
const nameCell = (name: string): string =>
  linesOf(name)
    .slice(1, -1)
    .join('\r\n')
    .split('68,')
    .slice(1)
    .join('68,')
    .replace(/,exported$/, '');

test('the manifest has one header, SHA-256 first, and one terminated line per sample', () => {
  expect(linesOf('invoice.exe', null)).toEqual([
    '\ufeffsha256,sha1,md5,size_bytes,name,outcome',
    `${'f'.repeat(64)},${'e'.repeat(40)},${'d'.repeat(32)},68,invoice.exe,exported`,
    `${'f'.repeat(64)},${'e'.repeat(40)},${'d'.repeat(32)},68,,exported`,
    '',
  ]);
});

test('the manifest gives a reason for each omitted sample and leaves unknown values empty', () => {
  const lost = { sha256: 'f'.repeat(64), sha1: null, md5: null, sizeBytes: null, name: 'a', outcome: 'not-in-vault' };
  const { csv, json } = filesOf(row('b'), lost);
  expect(textOf(csv).split('\r\n')[2]).toBe(`${'f'.repeat(64)},,,,a,not-in-vault`);
  expect(JSON.parse(textOf(json))).toEqual([row('b'), lost]);
});

test('the manifest of an empty export is valid', () => {
  const { csv, json } = filesOf();
  expect(textOf(csv).split('\r\n')).toHaveLength(2);
  expect(JSON.parse(textOf(json))).toEqual([]);
});

test('the manifest sizes match the bytes for any number of rows', () => {
  const many = Array.from({ length: 3000 }, (_, at) => row(`Счёт №${at}.doc`));
  for (const file of Object.values(filesOf(...many)))
    expect(Buffer.concat([...file.open()]).length).toBe(file.sizeBytes);
  expect(JSON.parse(textOf(filesOf(...many).json))).toEqual(many);
});

test.each(['=cmd|calc', '+1', '-1', '@SUM(A1)', '＝1'])(
  'a name that a spreadsheet would execute is escaped: %j',
  (name) => {
    expect(nameCell(name).replace(/^"/, '')).toMatch(/^'/);
  },
);

test.each([
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\r\nlines', 'two\\u000d\\u000alines'],
  ['=1,"2"', '"\'=1,""2"""'],
  ['Счёт №1.doc', 'Счёт №1.doc'],
])('%j is written as %j', (name, cell) => expect(nameCell(name)).toBe(cell));

test('the table begins with a byte order mark, so that a spreadsheet reads UTF-8', () =>
  expect(textOf(filesOf().csv)).toMatch(/^\ufeffsha256,/));
