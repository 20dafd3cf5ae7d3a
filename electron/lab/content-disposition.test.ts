import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDisposition } from './multipart.ts';

/** As a parser of heads gives them: bytes, each a character. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
const nameOf = (quoted: string) => readDisposition([latin1(`form-data; name="files[]"; filename=${quoted}`)])?.fileName;

test.each([
  ['plain', '"a.exe"', 'a.exe'],
  ['without quotes', 'a.exe', 'a.exe'],
  ['empty', '""', ''],
  ['in UTF-8', '"отчёт-報告-\u202efdp-🦠.exe"', 'отчёт-報告-\u202efdp-🦠.exe'],
  ['with an escaped quote', String.raw`"a\"b"`, 'a"b'],
  ['with an escaped backslash', String.raw`"a\\b"`, String.raw`a\b`],
  ['with a path of Windows', String.raw`"C:\dir\a.exe"`, String.raw`C:\dir\a.exe`],
  ['that ends in a backslash nobody escaped', String.raw`"a\"`, 'a\\'],
  ['with semicolons', '"a;b; filename=c"', 'a;b; filename=c'],
  ['with a line break and a quote as the HTML Standard writes them', '"a%0D%0a%22b"', 'a\r\n"b'],
  ['with other percents', '"%41 %00 100%25 %2E%2f%"', '%41 %00 100%25 %2E%2f%'],
  ['with a triplet that its sender kept apart', '"%250A %2522 %252525 %25250d"', '%0A %22 %2525 %250d'],
  ['with slashes and dots', '"../../etc/passwd"', '../../etc/passwd'],
  ['of 1,024 characters that take 12 KiB', `"${'%0D%0A'.repeat(512)}"`, '\r\n'.repeat(512)],
])('the disposition reader reads a file name %s', (_title, quoted, expected) => {
  expect(nameOf(quoted)).toBe(expected);
});

test('the disposition reader treats a part without a file name as a field, whatever its name', () => {
  expect(readDisposition(['form-data; name="files[]"'])).toEqual({ name: 'files[]', fileName: null });
  expect(readDisposition(['FORM-DATA;NAME = tags[] ; FileName = "x"'])).toEqual({ name: 'tags[]', fileName: 'x' });
});

test('the disposition reader keeps a name in another encoding', () => {
  expect(readDisposition(['form-data; name="f"; filename="caf\xe9"'])?.fileName).toBe('caf\ufffd');
});

test.each([
  [[]],
  [['form-data; name="a"', 'form-data; name="b"']],
  [['attachment; name="a"']],
  [['form-data']],
  [['form-data; filename="a"']],
  [['form-data; name="a']],
  [['form-data; name="a"; name="b"']],
  [['form-data; name="a" filename="b"']],
  [['form-data; name="a"; ; filename="b"']],
  [['form-data; name="a"; filename="b"c"']],
])('the disposition reader does not guess at %j', (values) => {
  expect(readDisposition(values)).toBeNull();
});

test('the disposition reader restores any name written by the rules', () => {
  const quoted = (name: string): string =>
    name
      .replace(/%(?=0a|0d|22|25)/gi, '%25')
      .replaceAll('\r', '%0D')
      .replaceAll('\n', '%0A')
      .replace(/["\\]/g, '\\$&');
  const name = fc.string({
    unit: fc.oneof(
      fc.constantFrom('%', '0', 'A', 'a', 'd', '2', '5', '"', '\\', '\r', '\n', ';', '=', ' '),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(name, (text) => {
      expect(nameOf(`"${quoted(text)}"`)).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('the disposition reader answers any input quickly', () => {
  const piece = fc.constantFrom(
    'form-data',
    ';',
    ' ',
    '=',
    '"',
    '\\',
    'name',
    'filename',
    '*',
    '\xff',
    '\0',
    "''",
    '\t',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const found = readDisposition([pieces.join('')]);
      if (found !== null) expect(found.name).toEqual(expect.any(String));
    }),
    { numRuns: 2000 },
  );
  for (const hostile of [
    'form-data; name="' + '\\'.repeat(60_000),
    'form-data' + '; name= '.repeat(9000),
    `form-data; name=${' '.repeat(60_000)}`,
  ])
    readDisposition([hostile]);
});
