import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../../shared/testing/any-unit.ts';
import { decodedName, guessedEncoding, memberPlace, NamesSeen, nameTraitOf, shownName } from './archive-names.ts';

test.each([
  ['/etc/passwd', 'absolute'], ['\\windows\\x', 'absolute'], ['\\\\server\\share', 'absolute'], ['C:\\x', 'absolute'], ['c:x', 'absolute'],
  ['../x', 'dotted'], ['a/../../x', 'dotted'], ['..\\x', 'dotted'], ['a/..', 'dotted'], ['...', 'dotted'], ['.. /x', 'dotted'], ['a/. ./x', 'dotted'],
  ['CON', 'reserved'], ['aux.txt', 'reserved'], ['a/COM1', 'reserved'], ['lpt9 .tar.gz', 'reserved'], ['nul:', 'reserved'], ['b\\prn', 'reserved'],
  ['a\0.exe', 'control'], ['a\nb', 'control'], ['invoice\u202exslx.exe', 'control'], ['a\u2066b', 'control'], ['\u0085', 'control'], ['\u200f', 'control'],
])('%j is worth a second look: %s', (name, reason) => {
  expect(nameTraitOf(name)).toBe(reason);
});

test.each(['a', 'a/b.c', './a', '.hidden', 'a..b', '.', ' . ', 'console', 'com10', 'comment', 'auxiliary.txt', 'Größe 漢字 🦠', 'd41d8cd98f00b204e9800998ecf8427e'])('%j is an ordinary name', (name) => {
  expect(nameTraitOf(name)).toBeNull();
});

test('a name is shown in at most 200 characters, with nothing hidden in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyUnit, maxLength: 400 }), (name) => {
      const shown = shownName(name);
      expect(shown.length).toBeLessThanOrEqual(200);
      expect(nameTraitOf(shown.replaceAll(/[/\\:.]/g, ' x '))).not.toBe('control');
    }),
    { numRuns: 50 },
  );
  expect(shownName('a\u202eb')).toBe('a\\u202eb');
});

test('the longest names the format knows are judged at once', () => {
  for (const part of ['.', '. ', ' ', '/', 'com1 ', 'x']) expect(nameTraitOf(`${part.repeat(65_535 / part.length)}x`)).toBe(part === '/' ? 'absolute' : null);
});

test('a name is known again, a long one too', () => {
  const seen = new NamesSeen();
  const long = 'x'.repeat(65_535);
  expect([seen.add('a'), seen.add('b'), seen.add('a'), seen.add(long), seen.add(`${long.slice(1)}y`), seen.add(long)]).toEqual([true, true, false, true, true, false]);
});

/** Bytes of names as old tools wrote them, made with Python's codecs. */
const oldNames: [string, string, string[], string[]][] = [
  ['Shift-JIS', 'shift_jis', ['90bf8b818f915f32303236944e2e657865', '975c955c8f5c2e747874'], ['請求書_2026年.exe', '予表十.txt']],
  ['GBK', 'gb18030', ['b7a2c6b12e657865', 'd0c2bda8cec4bcfebcd02fd7cac1cf2e646f63'], ['发票.exe', '新建文件夹/资料.doc']],
  ['CP866', 'ibm866', ['91e7f1e22e657865', '8daea2a0ef20afa0afaaa02fa4aeaae3aca5ade22e646f63', 'a2a8e0e3e12e657865'], ['Счёт.exe', 'Новая папка/документ.doc', 'вирус.exe']],
  ['CP1251', 'windows-1251', ['d1f7b8f22e657865', 'cdeee2e0ff20efe0efeae02fe4eeeaf3ece5edf22e646f63', 'e2e8f0f3f12e657865'], ['Счёт.exe', 'Новая папка/документ.doc', 'вирус.exe']],
  ['CP437', 'cp437', ['526563686e756e6720677294e1652e657865', '9a62657273696368742e646f63'], ['Rechnung größe.exe', 'Übersicht.doc']],
];

test.each(oldNames)('names in %s are recognised and read', async (_, encoding, hex, names) => {
  const raw = hex.map((digits) => Buffer.from(digits, 'hex'));
  const guessed = await guessedEncoding(raw);
  expect(guessed).toBe(encoding);
  expect(raw.map((name) => decodedName(name, guessed))).toEqual(names);
});

test('a backslash inside a character of two bytes begins no folder', () => {
  const name = decodedName(Buffer.from('975c955c8f5c2e747874', 'hex'), 'shift_jis');
  expect(memberPlace(name)).toEqual({ name: '予表十.txt', path: '' });
  expect(memberPlace('..\\..\\x.exe')).toEqual({ name: 'x.exe', path: '../..' });
});
