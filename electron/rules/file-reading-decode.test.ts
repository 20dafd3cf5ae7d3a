import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeRules } from './file-reading.ts';

const replacement = '\ufffd';

test('the decoder drops a byte order mark and does not report valid UTF-8 as damaged', () => {
  const { text, damageIn } = decodeRules(Buffer.from(`\ufeffa${replacement}é`));
  expect(text).toBe(`a${replacement}é`);
  expect(damageIn(0, text.length)).toBe(null);
});

test('the decoder distinguishes invalid UTF-8 from a written replacement character', () => {
  const written = fc.constant({ bytes: Buffer.from(replacement), isDamage: false });
  const whole = fc
    .constantFrom('a', 'é', '\ufffc', '汉', '😀', '\n', '\0')
    .map((text) => ({ bytes: Buffer.from(text), isDamage: false }));
  const wrong = fc
    .constantFrom([0xff], [0xe9], [0xef, 0xbf], [0xf0, 0x9f, 0x98], [0xc0], [0x80])
    .map((bytes) => ({ bytes: Buffer.from(bytes), isDamage: true }));
  // A line of its own each: the wrong ones would take what follows for their own
  fc.assert(
    fc.property(fc.array(fc.oneof(written, whole, wrong), { maxLength: 30 }), (pieces) => {
      const { text, damageIn } = decodeRules(Buffer.concat(pieces.flatMap(({ bytes }) => [Buffer.from('\t'), bytes])));
      const starts = [...text.matchAll(/\t/g)].map(({ index }) => index);
      expect(starts.map((start, index) => damageIn(start, starts[index + 1] ?? text.length))).toEqual(
        pieces.map(({ isDamage }, index) => (isDamage ? (starts[index] ?? 0) + 1 : null)),
      );
    }),
  );
});

test('the decoder reads any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const { text, damageIn } = decodeRules(bytes);
      expect(text).toBe(new TextDecoder().decode(bytes));
      if (damageIn(0, text.length) !== null) expect(text).toContain(replacement);
    }),
  );
});
