import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodedName,
  guessedEncoding,
  pathOfBytes,
  pathsLike,
  readableName,
  shownPath,
  systemPath,
  typedPath,
} from './name-bytes.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

/** Bytes of names as old tools wrote them, made with Python's codecs. */
const oldNames: [string, string, string[], string[]][] = [
  [
    'Shift-JIS',
    'shift_jis',
    ['90bf8b818f915f32303236944e2e657865', '975c955c8f5c2e747874'],
    ['請求書_2026年.exe', '予表十.txt'],
  ],
  [
    'GBK',
    'gb18030',
    ['b7a2c6b12e657865', 'd0c2bda8cec4bcfebcd02fd7cac1cf2e646f63'],
    ['发票.exe', '新建文件夹/资料.doc'],
  ],
  [
    'CP866',
    'ibm866',
    ['91e7f1e22e657865', '8daea2a0ef20afa0afaaa02fa4aeaae3aca5ade22e646f63', 'a2a8e0e3e12e657865'],
    ['Счёт.exe', 'Новая папка/документ.doc', 'вирус.exe'],
  ],
  [
    'CP1251',
    'windows-1251',
    ['d1f7b8f22e657865', 'cdeee2e0ff20efe0efeae02fe4eeeaf3ece5edf22e646f63', 'e2e8f0f3f12e657865'],
    ['Счёт.exe', 'Новая папка/документ.doc', 'вирус.exe'],
  ],
  [
    'CP437',
    'cp437',
    ['526563686e756e6720677294e1652e657865', '9a62657273696368742e646f63'],
    ['Rechnung größe.exe', 'Übersicht.doc'],
  ],
];

test.each(oldNames)('names in %s are recognised and decoded', async (_, encoding, hex, names) => {
  const raw = hex.map((digits) => Buffer.from(digits, 'hex'));
  const guessed = await guessedEncoding(raw);
  expect(guessed).toBe(encoding);
  expect(raw.map((name) => decodedName(name, guessed))).toEqual(names);
});

test('a backslash inside a two-byte character is not a separator', () => {
  expect(decodedName(Buffer.from('975c955c8f5c2e747874', 'hex'), 'shift_jis')).toBe('予表十.txt');
});

describe('file names on disk', () => {
  const anyName = fc.uint8Array({ minLength: 1, maxLength: 40 });
  const hard = fc
    .array(fc.constantFrom('a', 'é', '漢', '🦠', '\ufffd', '\uef80', '\uefff', '\ue000'), { maxLength: 10 })
    .map((parts) => Buffer.from(parts.join('')));

  test('have one well-formed text each that converts back to their bytes', () => {
    const texts = new Map<string, string>();
    fc.assert(
      fc.property(
        fc.oneof(
          anyName,
          hard,
          fc.tuple(anyName, hard).map(([one, other]) => Buffer.concat([one, other])),
        ),
        (bytes) => {
          const path = pathOfBytes(bytes);
          expect(path.isWellFormed()).toBe(true);
          expect(Buffer.from(systemPath(path)).equals(bytes)).toBe(true);
          const hex = Buffer.from(bytes).toString('hex');
          expect(texts.get(path) ?? hex).toBe(hex);
          texts.set(path, hex);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('in UTF-8 stay unchanged', () => {
    expect([
      pathOfBytes(Buffer.from('größe 🦠')),
      typedPath('/a/größe'),
      systemPath('/a/größe'),
      shownPath('/a/größe'),
    ]).toEqual(['größe 🦠', '/a/größe', '/a/größe', '/a/größe']);
    expect(Buffer.from(systemPath(typedPath('icon \uef81'))).toString()).toBe('icon \uef81');
  });

  test('that are not UTF-8 are shown by their bytes and decoded by a guess', async () => {
    const path = pathOfBytes(Buffer.from('90bf8b818f912e657865', 'hex'));
    expect(shownPath(path)).toBe('\\x90\\xbf\\x8b\\x81\\x8f\\x91.exe');
    expect(await readableName(path)).toBe('請求書.exe');
    expect(await readableName(typedPath('icon \uef81'))).toBe('icon \uef81');
    expect(await readableName('größe')).toBe('größe');
  });

  test.skipIf(platform !== 'linux')(
    'are found when their bytes were lost, even in folders with such names',
    async () => {
      const top = temporaryFolder();
      const at = (hex: string): Buffer => Buffer.concat([Buffer.from(`${top}/`), Buffer.from(hex, 'hex')]);
      await mkdir(at('ff'));
      await mkdir(at('fe'));
      await writeFile(at('ff2f61e9'), 'one');
      await writeFile(at('fe2f61ea'), 'two');
      await writeFile(join(top, 'is \ufffd'), 'itself');
      const found = await pathsLike(join(top, '\ufffd', 'a\ufffd'));
      expect(await Promise.all(found.toSorted().map((path) => readFile(systemPath(path), 'utf8')))).toEqual([
        'two',
        'one',
      ]);
      expect(await pathsLike(join(top, 'is \ufffd'))).toEqual([join(top, 'is \ufffd')]);
      expect(await pathsLike(join(top, 'none \ufffd'))).toEqual([]);
    },
  );
});
