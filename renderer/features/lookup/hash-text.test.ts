import { expect, test } from 'vitest';
import { brokenHash, onOneLine, readHashText } from './hash-text.ts';

const md5 = '25f4f5501a058ba518efc1a525f2e8cf';
const sha256 = 'bf5549086c3409123560ec00c6d17766fa0f601ae9266780e1e431dcd749a9e2';

test('a single hash in any text is recognized', () => {
  expect(readHashText(`  see MD5=${md5.toUpperCase()}, please `)).toEqual({
    kind: 'one',
    hash: { kind: 'md5', value: md5 },
    rejected: [],
  });
});

test('several hashes become a choice, and malformed runs are counted', () => {
  const verdict = readHashText(`${md5}\n${sha256}\n${md5}\n${'a'.repeat(31)}`);
  expect(verdict).toMatchObject({
    kind: 'several',
    found: [{ value: md5 }, { value: sha256 }],
    rejected: [{ text: 'a'.repeat(31), reason: { kind: 'wrong-length', length: 31 } }],
  });
});

test('empty input gives no error', () => {
  expect(readHashText(' \n ')).toEqual({ kind: 'empty' });
});

test('text without a hash is reported', () => {
  expect(readHashText('update_helper.dll')).toMatchObject({ kind: 'none', failure: { kind: 'no-hash' } });
});

test.each([[8], [31], [33], [63], [65], [200]])(
  'a lone run of %d hex digits is reported as a hash of the wrong length',
  (length) => {
    expect(readHashText('f'.repeat(length))).toMatchObject({
      kind: 'none',
      failure: { kind: 'hash-wrong-length', length },
    });
  },
);

test('lines pasted into the field stay separate', () => {
  expect(readHashText(onOneLine(`${md5}\r\n${sha256}\n`))).toMatchObject({ kind: 'several' });
});

test('a hash broken over lines is put into the field whole', () => {
  expect(onOneLine(`sha256: ${sha256.slice(0, 45)}\n  ${sha256.slice(45)}`)).toBe(sha256);
});

test('a run of one hash or two stays ambiguous when pasted, also beside another hash', () => {
  const halves = `x ${sha256.slice(0, 32)}\r\n${sha256.slice(32)} y`;
  expect(readHashText(onOneLine(halves))).toMatchObject({
    kind: 'none',
    rejected: [{ reason: { kind: 'unsure-wrap', lengths: [32, 32] } }],
  });
  expect(readHashText(onOneLine(`${md5}\n\nand ${halves}`))).toMatchObject({
    kind: 'one',
    hash: { value: md5 },
    rejected: [{ reason: { kind: 'unsure-wrap' } }],
  });
  expect(onOneLine(halves)).not.toMatch(/[\r\n]/);
});

test('rejected text is kept beside a hash broken over lines', () => {
  const text = onOneLine(`${sha256.slice(0, 45)}\n${sha256.slice(45)}\nto 0x52908400098527886e0f7030069857d2e4169ee7`);
  expect(readHashText(text)).toMatchObject({
    kind: 'one',
    hash: { value: sha256 },
    rejected: [{ reason: { kind: 'no-file-hash', name: 'wallet' } }],
  });
});

test.each([
  ['the address of a wallet', '0x52908400098527886e0f7030069857d2e4169ee7', 'no-file-hash'],
  ['an imphash', `imphash: ${md5}`, 'other-hash'],
  ['a placeholder', '0123456789abcdef0123456789abcdef', 'placeholder'],
])('%s is not looked up, and the reason is kept', (_what, text, kind) => {
  expect(readHashText(text)).toMatchObject({
    kind: 'none',
    failure: { kind: 'no-hash' },
    rejected: [{ reason: { kind } }],
  });
});

test('a broken hash counts only when it is alone and does not also occur whole', () => {
  expect(brokenHash(`SHA256: ${sha256.slice(0, 40)}-\n${sha256.slice(40)}`)).toBe(sha256);
  expect(brokenHash((sha256.match(/.{8}/g) ?? []).join('\u200b').toUpperCase())).toBe(sha256);
  for (const text of [
    md5,
    `tag:x ${md5.toUpperCase()}`,
    `${sha256.slice(0, 40)}-\n${sha256.slice(40)} ${md5}`,
    'emotet',
  ])
    expect(brokenHash(text)).toBeNull();
});
