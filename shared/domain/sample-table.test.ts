import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { goldenSamples } from './sample-table.fixture.ts';
import {
  countWithout,
  type SampleFormat,
  sampleFormats,
  sampleTextPieces,
  type ReportedSample,
  reportedSample,
} from './sample-table.ts';
import { visibleText } from './visible-text.ts';

const sampleText = (samples: readonly ReportedSample[], format: SampleFormat): string =>
  [...sampleTextPieces(samples, format)].join('');

describe.each(Object.entries(goldenSamples))('samples: %s', (name, samples) => {
  test.each(sampleFormats)('the %s output matches the golden text', async (format) => {
    await expect(sampleText(samples, format)).toMatchFileSnapshot(`golden/${name}/${format}.txt`);
  });
});

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '|',
      '`',
      '<',
      '\\',
      '\n',
      '\r',
      '\0',
      '\u2028',
      '\u202e',
      '\ud800',
      '[',
      '](',
      'http://',
      'www.',
      '@',
      '=',
    ),
    fc.string({ unit: anyUnit, minLength: 1, maxLength: 1 }),
  ),
  maxLength: 40,
});
const anySample = fc
  .record({
    name: anyText,
    type: anyText,
    threat: anyText,
    serviceTags: fc.array(anyText, { maxLength: 2 }),
    hits: fc.array(anyText, { maxLength: 2 }),
  })
  .map((reported) => reportedSample(reported));
const anySamples = fc.array(anySample, { maxLength: 4 });

test('each sample is one line, whatever its name', () => {
  fc.assert(
    fc.property(anySamples, (samples) => {
      for (const [format, heads] of [
        ['json-lines', 0],
        ['markdown', 2],
        ['defanged', 0],
      ] as const) {
        expect(sampleText(samples, format).split(/[\n\v\f\r\u0085\u2028\u2029]/)).toHaveLength(
          heads + samples.length + 1,
        );
      }
    }),
  );
});

test('JSON is read back unchanged, and hides nothing', () => {
  fc.assert(
    fc.property(anySamples, (samples) => {
      const json = sampleText(samples, 'json');
      expect(JSON.parse(json)).toEqual(samples);
      expect(
        sampleText(samples, 'json-lines')
          .trimEnd()
          .split('\n')
          .filter((line) => line !== '')
          .map((line): unknown => JSON.parse(line)),
      ).toEqual(samples);
      expect(visibleText(json)).toBe(json);
    }),
  );
});

test('a Markdown row has its nine cells, in which a text is code and can begin nothing', () => {
  fc.assert(
    fc.property(anySamples, (samples) => {
      for (const row of sampleText(samples, 'markdown').trimEnd().split('\n').slice(2)) {
        const cells = row.slice(2, -2).split(' | ');
        expect(cells).toHaveLength(9);
        for (const cell of cells) expect(cell).toMatch(/^(?:[\dA-Z+]*|`[^`|<]+`(?:, `[^`|<]+`)*)$/);
      }
    }),
  );
});

test('human-readable text never has an address that a program would follow', () => {
  fc.assert(
    fc.property(fc.webUrl(), anyText, (url, around) => {
      const samples = [
        reportedSample({ name: `${around} ${url}`, threat: url, serviceTags: [url], hits: [url], type: url }),
      ];
      expect(`${sampleText(samples, 'markdown')}${sampleText(samples, 'defanged')}`).not.toMatch(
        /https?:\/\/|\bwww\.[a-z0-9-]/i,
      );
    }),
  );
});

test('CSV ends its lines by CR and LF, and no cell is a formula', () => {
  const csv = sampleText([reportedSample({ name: '=1+1', threat: '@SUM(A1)', serviceTags: ['-x'] })], 'csv');
  expect(csv.split('\r\n')).toHaveLength(3);
  expect(csv.split('\r\n')[1]).toBe(",,,'=1+1,,,,'@SUM(A1),,'-x,,,,");
});

test('every text is well-formed Unicode', () => {
  fc.assert(
    fc.property(anySamples, fc.constantFrom(...sampleFormats), (samples, format) => {
      expect(sampleText(samples, format).isWellFormed()).toBe(true);
    }),
  );
});

test('the number of samples without the requested hash is given for each format', () => {
  const counts = sampleFormats.map((format) => [format, countWithout(goldenSamples['unknown-hashes'], format)]);
  expect(Object.fromEntries(counts)).toEqual({
    sha256: 3,
    sha1: 2,
    md5: 1,
    hashes: 1,
    csv: 0,
    json: 0,
    'json-lines': 0,
    markdown: 0,
    defanged: 0,
    yara: 1,
  });
});

test('a rule has the same name for the same samples in any order, and another one for others', () => {
  const [name, ...others] = [
    ['a', 'b'],
    ['b', 'a', 'a'],
    ['a', 'c'],
  ].map(
    (digits) =>
      /rule (\w+)/.exec(
        sampleText(
          digits.map((digit) => reportedSample({ md5: digit.repeat(32) })),
          'yara',
        ),
      )?.[1],
  );
  expect(name).toMatch(/^vitrine_2_samples_[0-9a-f]{8}$/);
  expect(others[0]).toBe(name);
  expect(others[1]).not.toBe(name);
});

test('the pieces join to the text, and each is a small part of it', () => {
  const samples = Array.from({ length: 1001 }, (_, at) =>
    reportedSample({ sha256: at.toString(16).padStart(64, '0') }),
  );
  const pieces = [...sampleTextPieces(samples, 'json')];
  expect(JSON.parse(pieces.join(''))).toEqual(samples);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(sampleText(samples, 'json').length / 4);
});
