import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { portableEngine } from './engine/portable-yara.ts';
import { encodingOf, utf8OfLatin1, utf8OfUtf16 } from './rule-encoding.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
const plain = 'rule a { strings: $a = "alpha" condition: $a }\n';

test.each([
  ['UTF-8', Buffer.from(plain), 'utf-8'],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${plain}`), 'utf-8'],
  ['UTF-16 LE with a mark', utf16(`\ufeff${plain}`, 'le'), 'utf-16le'],
  ['UTF-16 BE with a mark', utf16(`\ufeff${plain}`, 'be'), 'utf-16be'],
  ['UTF-16 LE without one', utf16(plain, 'le'), 'utf-16le-unmarked'],
  ['UTF-16 BE without one', utf16(plain, 'be'), 'utf-16be-unmarked'],
  ['Latin-1', latin1('// café\n'), 'latin1'],
  ['nothing', Buffer.alloc(0), 'utf-8'],
  ['a text with a few zeros', Buffer.from('rule a {\0\0 condition: true }'), 'utf-8'],
])('the encoding of %s is detected', (_, bytes, encoding) => {
  expect(encodingOf(bytes)).toBe(encoding);
});

test('UTF-16 of either order gives the same text, and invalid UTF-16 stays invalid', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom<'le' | 'be'>('le', 'be'), (text, order) => {
      expect(Buffer.from(utf8OfUtf16(utf16(text, order), order)).toString()).toBe(text.replace(/^\ufeff/, ''));
    }),
  );
  expect([
    ...utf8OfUtf16(
      Buffer.concat([utf16('a', 'le'), Buffer.from([0x00, 0xd8]), utf16('b', 'le'), Buffer.from([0x63])]),
      'le',
    ),
  ]).toEqual([0x61, 0xff, 0x62, 0xff]);
});

test('a Latin-1 file keeps the bytes of its strings as escapes, and has characters in comments and meta', () => {
  const source = [
    '// café\ninclude "é.yar"\nrule a : tag { meta: by = "René" /* é */ strings: // é\n  $a = "caf\xe9\\\\\xe9" nocase',
    '  $b = /caf\xe9[\xe0-\xff]\\\xe9\\\\\xe9/i  $c = { 01 /* é */ 02 }\n' +
      ' condition: any of them and filename == "\xe9" }',
  ].join('\n');
  const expected = [
    '// café\ninclude "é.yar"\nrule a : tag { meta: by = "René" /* é */ strings: // é\n' +
      '  $a = "caf\\xE9\\\\\\xE9" nocase',
    '  $b = /caf\\xE9[\\xE0-\\xFF]\\xE9\\\\\\xE9/i  $c = { 01 /* é */ 02 }\n' +
      ' condition: any of them and filename == "\\xE9" }',
  ].join('\n');
  expect(Buffer.from(utf8OfLatin1(latin1(source))).toString()).toBe(expected);
});

test('characters of Windows outside Latin-1 are those of Windows in meta, and bytes in strings', () => {
  const source = Buffer.concat([
    Buffer.from('rule a { meta: by = "'),
    Buffer.from([0x93]),
    Buffer.from('" strings: $a = "'),
    Buffer.from([0x93]),
    Buffer.from('" condition: $a }'),
  ]);
  expect(Buffer.from(utf8OfLatin1(source)).toString()).toBe(
    'rule a { meta: by = "“" strings: $a = "\\x93" condition: $a }',
  );
});

const yara = spawnSync('yara', ['--version']).status === 0;

test.skipIf(!yara)('a converted rule finds what YARA finds with the original file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-latin1-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const rules = latin1(
    [
      'rule text { strings: $a = "caf\xe9" condition: $a }',
      'rule in_any_case { strings: $a = "CAF\xe9" nocase condition: $a }',
      'rule two_bytes { strings: $a = "\xe9t\xe9" wide condition: $a }',
      'rule regex { strings: $a = /caf[\xe8-\xea]!/ condition: $a }',
      'rule escaped { strings: $a = /caf\\\xe9\\?/ condition: $a }',
      'rule dots { strings: $a = /\xe9{2}z/ condition: $a }',
    ].join('\n'),
  );
  const files = [
    'caf\xe9',
    'caf\u00c3\u00a9',
    'CAF\xc9',
    '\xe9\0t\0\xe9\0',
    'caf\xea!',
    'caf\xeb!',
    'caf\xe9?',
    '\xe9\xe9z',
    '\xe9z',
  ].map(latin1);
  const { compile } = await portableEngine();
  const compiled = compile(Buffer.from(utf8OfLatin1(rules)).toString(), []);
  await writeFile(join(folder, 'rules.yar'), rules);
  for (const [index, bytes] of files.entries()) {
    const path = join(folder, `${index}.bin`);
    await writeFile(path, bytes);
    const expected = execFileSync('yara', [join(folder, 'rules.yar'), path], { encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => line.split(' ')[0] || []);
    expect(
      compiled
        .scan(bytes, {})
        .map(({ rule }) => rule)
        .toSorted(),
      String(index),
    ).toEqual(expected.toSorted());
  }
});
