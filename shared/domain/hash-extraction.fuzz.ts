import fc from 'fast-check';
import { textOfWords } from '../testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../testing/fuzz-target.ts';
import { textForm } from '../testing/input-forms.ts';
import { extractHashes } from './hash-extraction.ts';
import { hashLengths } from './hash.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';
const sha1 = '3395856ce81f2b7382dee72602f798b642f14140';
const sha256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
const words = [
  md5,
  sha1,
  sha256,
  md5.toUpperCase(),
  md5.slice(1),
  `${sha256}${sha256}`,
  sha256.slice(0, 40),
  sha256.slice(40),
  md5.slice(0, 16),
  md5.slice(16),
  'a',
  'f',
  '0',
  '00',
  'ab:',
  ':',
  'z',
  'O',
  '0x',
  '%22',
  '%2522',
  '=3D',
  '\\n',
  '\\u0022',
  '\n',
  '\r\n',
  '\n> ',
  '=\n',
  '-\n',
  '\u00ad',
  '\u200b',
  '\u00ad\n',
  '\n\n',
  ' ',
  ',',
  '"',
  '|',
  '_',
  'MD5=',
  '0'.repeat(32),
  'deadbeef',
];

export const target = fuzzTarget({
  name: 'hash-extraction',
  reads: 'hashes in any text',
  holds:
    'each is in the text, once, with its kind; hashes appended to the text are found; marks are in order and ' +
    'never overlap; counts match',
  form: textForm(words),
  seeds: [
    `see ${sha256.slice(0, 45)}\n> ${sha256.slice(45)} and\n${md5}\n${sha1}=\n`,
    `"a.exe","${md5}",12\r\n0x${sha1}`,
    (sha1.match(/../g) ?? []).join(':'),
  ],
  made: fc.oneof(textOfWords(words), textOfWords(words, 400)),
  attack(text) {
    const marks: { start: number; end: number; isHash: boolean }[] = [];
    const extracted = extractHashes(text, (start, end, isHash) => marks.push({ start, end, isHash }));
    const withKnown = extractHashes(`${text}\n\nwith ${md5}, ${sha1.toUpperCase()}; ${sha256}\nbehind it`).found.map(
      ({ value }) => value,
    );
    mustHold(
      [md5, sha1, sha256].every((value) => withKnown.includes(value)),
      'a hash that stands alone is not found',
    );
    const bare = text.toLowerCase().replace(/[^0-9a-f]/g, '');
    for (const { kind, value } of extracted.found)
      mustHold(value.length === hashLengths[kind] && bare.includes(value), `${value} is not in the text`);
    mustHold(
      new Set(extracted.found.map(({ value }) => value)).size === extracted.found.length,
      'a hash is told twice',
    );
    for (const { start, end } of marks)
      mustHold(start >= 0 && start < end && end <= text.length, 'a mark is not in the text');
    const ordered = marks.toSorted((one, other) => one.start - other.start);
    for (const [index, { start }] of ordered.entries())
      mustHold(index === 0 || start >= (ordered[index - 1]?.end ?? 0), 'two marks overlap');
    mustHold(
      marks.filter(({ isHash }) => !isHash).length >= extracted.rejectedCount,
      'more is rejected than is marked',
    );
    mustHold(
      extracted.lines ===
        text.replace(/\r\n|\r|\n$/g, (end, at: number) => (at + end.length === text.length ? '' : '\n')).split('\n')
          .length -
          (text === '' ? 1 : 0),
      'the lines are miscounted',
    );
  },
});
