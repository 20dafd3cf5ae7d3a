import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { ExtractedText } from './extracted-text.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';
const sha1 = '3395856ce81f2b7382dee72602f798b642f14140';

test('the extract shows lines with found and rejected hashes, wrapped and repeated runs too', () => {
  const extracted = new ExtractedText(
    `a ${md5} b\r\n${md5}\n${sha1.slice(0, 25)}\n${sha1.slice(25)},${'ab1'.repeat(9)}\n`,
  );
  expect(extracted.summary).toMatchObject({ lines: 4, found: 2, repeated: 1, rejectedCount: 1 });
  expect(extracted.lines(0, 99)).toEqual([
    {
      number: 1,
      isCut: false,
      parts: [
        { text: 'a ', mark: 'none' },
        { text: md5, mark: 'hash' },
        { text: ' b', mark: 'none' },
      ],
    },
    { number: 2, isCut: false, parts: [{ text: md5, mark: 'hash' }] },
    { number: 3, isCut: false, parts: [{ text: sha1.slice(0, 25), mark: 'hash' }] },
    {
      number: 4,
      isCut: false,
      parts: [
        { text: sha1.slice(25), mark: 'hash' },
        { text: ',', mark: 'none' },
        { text: 'ab1'.repeat(9), mark: 'rejected' },
      ],
    },
  ]);
  expect(extracted.found(1, 5)).toEqual([{ kind: 'sha1', value: sha1, line: 3, column: 1 }]);
});

test('the extract of a line of megabytes shows the part with its first hash', () => {
  const extracted = new ExtractedText(`${'- '.repeat(1_000_000)}${md5}${' -'.repeat(1_000)}`);
  const [line] = extracted.lines(0, 1);
  expect(line?.isCut).toBe(true);
  expect(line?.parts.map(({ text }) => text).join('')).toHaveLength(400);
  expect(line?.parts[1]).toEqual({ text: md5, mark: 'hash' });
});

test('the lines of any text contain the whole text', () => {
  const part = fc.oneof(
    fc.constantFrom('\n', '\r', '\r\n', md5, `${md5}0`),
    fc.string({ unit: anyUnit, maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const text = parts.join('');
      const extracted = new ExtractedText(text);
      const shown = extracted
        .lines(0, 999)
        .filter(({ isCut }) => !isCut)
        .map(({ parts: pieces }) => pieces.map((piece) => piece.text).join(''));
      const whole = text.split(/\r\n|\n|\r/);
      if (whole.at(-1) === '') whole.pop();
      expect(extracted.summary.lines).toBe(whole.length);
      expect(shown).toEqual(whole.filter((line) => line.length <= 400));
    }),
  );
});
