import { expect, test } from 'vitest';
import { decodeText, readTextFile, textLimitBytes } from './text-file.ts';

const utf16 = (text: string, isBig: boolean): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), !isBig);
  return bytes;
};
const utf32 = (text: string, isBig: boolean): Uint8Array<ArrayBuffer> => {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const bytes = new Uint8Array(codes.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [at, code] of codes.entries()) view.setUint32(at * 4, code, !isBig);
  return bytes;
};
const plain = (text: string) => new TextEncoder().encode(text);

test.each([
  ['UTF-8', plain('Straße')],
  ['UTF-8 with a mark', plain('\ufeffStraße')],
  ['UTF-16 with a mark, little end first', utf16('\ufeffStraße', false)],
  ['UTF-16 with a mark, big end first', utf16('\ufeffStraße', true)],
  ['UTF-16 without a mark', utf16('Straße', false)],
  ['UTF-16 without a mark, big end first', utf16('Straße', true)],
  ['UTF-32 with a mark', utf32('\ufeffStraße', false)],
  ['UTF-32 with a mark, big end first', utf32('\ufeffStraße', true)],
  ['UTF-32 without a mark', utf32('Straße', false)],
])('the text reader reads %s', (_title, bytes) => {
  expect(decodeText(bytes)).toBe('Straße');
});

test('the text reader reads a file that is not UTF-8 as Windows-1252', () => {
  expect(decodeText(Uint8Array.from([0x53, 0x74, 0x72, 0x61, 0xdf, 0x65]))).toBe('Straße');
});

test.each([
  ['a PDF', plain('%PDF-1.7\nx'), 'PDF'],
  ['a ZIP', plain('PK\u0003\u0004abc'), 'ZIP or Office document'],
  ['bytes with zeros', Uint8Array.from([0x41, 0, 0, 0x41, 0x42]), null],
  ['bytes with a zero far behind', Uint8Array.from([...plain('a'.repeat(70_000)), 0]), null],
  ['bytes full of controls', Uint8Array.from([1, 2, 3, 0x41]), null],
])('the text reader refuses %s', (_title, bytes, format) => {
  expect(decodeText(bytes)).toEqual({ kind: 'binary', format });
});

test('the text reader refuses a file over the limit without reading it', async () => {
  const file: Pick<Blob, 'size'> = { size: textLimitBytes + 1 };
  expect(await readTextFile(file as Blob)).toEqual({
    kind: 'too-large',
    sizeBytes: textLimitBytes + 1,
    limitBytes: textLimitBytes,
  });
});
