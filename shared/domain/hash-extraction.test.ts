import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import { anyUnit } from '../testing/any-unit.ts';
import { longestPassMs, timeToRead } from '../testing/one-pass.ts';
import { extractHashes, mostRejectedKept } from './hash-extraction.ts';
import { HashExtractor } from './hash-extractor.ts';
import { type HashKind, hashLengths } from './hash.ts';
import { unitsOf } from './text-encoding.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';
const sha1 = '3395856ce81f2b7382dee72602f798b642f14140';
const sha256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
const sha512 = sha256 + sha256.split('').toReversed().join('');

const values = (text: string): string[] => extractHashes(text).found.map(({ value }) => value);
const reasons = (text: string) => extractHashes(text).rejected.map(({ reason }) => reason);

test.each([
  ['alone', md5],
  ['in upper case', md5.toUpperCase()],
  ['behind a label', `sha256:${md5}`],
  ['behind MD5=', `MD5=${md5}`],
  ['behind 0x', `0x${md5}`],
  ['in CSV', `"invoice.exe","${md5}",118784`],
  ['in JSON', `{"md5":"${md5}"}`],
  ['in JSON text, behind an escaped new line', `{"comment":"hashes:\\n${md5}\\n"}`],
  ['in JSON text, behind an escaped quote', `\\u0022${md5}\\u0022`],
  ['in backticks', `\`${md5}\``],
  ['in a defanged address', `hxxps://a[.]example[.]net/${md5}[.]exe`],
  ['in brackets', `[${md5}](x)`],
  ['behind a percent-encoded quote', `?q=%22${md5}%22`],
  ['behind a quote that was percent-encoded twice', `?q=%2522${md5}%2522`],
  ['behind the equals sign of quoted-printable', `MD5=3D${md5}`],
  ['in a file name', `VirusShare_${md5}.bin`],
  ['as the file name of a Windows path', `C:\\samples\\${md5}`],
  ['beside letters that are not ASCII', `哈希${md5}值`],
])('the extraction finds an MD5 %s', (_title, text) => {
  expect(values(text)).toEqual([md5]);
});

test('the extraction treats the hash of empty content as any other', () => {
  expect(values('d41d8cd98f00b204e9800998ecf8427e')).toEqual(['d41d8cd98f00b204e9800998ecf8427e']);
});

test('the extraction counts repeated hashes, gives their first position, and counts the lines', () => {
  expect(extractHashes(`a\r\n  - ${md5}\r\n${md5.toUpperCase()} ${sha1}\r\n`)).toEqual({
    found: [
      { kind: 'md5', value: md5, line: 2, column: 5 },
      { kind: 'sha1', value: sha1, line: 3, column: 34 },
    ],
    repeated: 1,
    rejected: [],
    rejectedCount: 0,
    lines: 3,
  });
});

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\n\nb', 3],
  ['a\rb', 2],
  ['a\r\n\r\n', 2],
])('the text %j has %i lines', (text, lines) => {
  expect(extractHashes(text).lines).toBe(lines);
});

test.each([
  ['a digit too few', md5.slice(1), { kind: 'wrong-length', length: 31, nearest: 'md5' }],
  ['a digit too many', `${sha256}0`, { kind: 'wrong-length', length: 65, nearest: 'sha256' }],
  ['a SHA-512', sha512, { kind: 'other-hash', length: 128, name: 'SHA-512' }],
  ['a SHA-384', sha512.slice(0, 96), { kind: 'other-hash', length: 96, name: 'SHA-384' }],
  ['a run of another length', sha512.slice(0, 100), { kind: 'too-long', length: 100 }],
  ['a TLSH', `T1${sha256}abc123`, { kind: 'other-hash', length: 70, name: 'TLSH' }],
  ['one digit over and over', '0'.repeat(40), { kind: 'placeholder', period: 1 }],
  ['counting up', '0123456789abcdef0123456789ABCDEF', { kind: 'placeholder', period: 16 }],
  ['an O for a 0', md5.replace('0', 'O'), { kind: 'not-hex', characters: 'O', nearest: 'md5' }],
  ['a letter beside it', `${md5}z`, { kind: 'glued', length: 32 }],
  [
    'a fingerprint of a certificate',
    (sha1.match(/../g) ?? []).join(':'),
    { kind: 'colons', length: 40, nearest: 'sha1' },
  ],
])('the extraction rejects %s, with the reason', (_title, text, reason) => {
  expect(extractHashes(`x\n${text} and`)).toMatchObject({
    found: [],
    rejected: [{ line: 2, reason }],
    rejectedCount: 1,
  });
});

test.each([
  'face cafe 20261121 deadbeef',
  '550e8400-e29b-41d4-a716-446655440000',
  '00:1a:2b:3c:4d:5e',
  '4d 5a 90 00 03 00 00 00 04 00 00 00 ff ff 00 00',
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJVadQssw5c',
])('the extraction takes %s neither as a hash nor as a malformed one', (text) => {
  expect(extractHashes(text)).toMatchObject({ found: [], rejectedCount: 0 });
});

test.each([
  ['a plain break', '\n'],
  ['CR LF and indentation', '\r\n    '],
  ['a quoted mail', '\n> > '],
  ['quoted-printable', '=\r\n'],
  ['a soft hyphen', '\u00ad\n'],
  ['a soft hyphen in the line', '\u00ad'],
  ['a zero-width space in the line', '\u200b'],
  ['a hyphen', '-\n'],
  ['blanks at the end of the line', '  \n'],
])('the extraction joins a hash broken by %s', (_title, breaking) => {
  const broken = (hash: string, at: number): string => `${hash.slice(0, at)}${breaking}${hash.slice(at)}`;
  const text = `see ${broken(sha256, 45)} and\n${broken(md5, 16)}`;
  expect(extractHashes(text)).toMatchObject({
    found: [{ value: sha256, line: 1, column: 5 }, { value: md5 }],
    rejectedCount: 0,
  });
});

test('the extraction joins every hash of a narrow column', () => {
  const column = [sha1, sha256, md5, sha1].map((hash) => (hash.match(/.{1,24}/g) ?? []).join('\n')).join('\n');
  expect(values(column)).toEqual([sha1, sha256, md5]);
});

test.each([
  ['a word begins the next line', `${md5.slice(0, 30)}\nbe careful`],
  ['a number ends the line', `in 2024\n${md5.slice(4)}`],
  ['an empty line is between', `${md5.slice(0, 20)}\n\n${md5.slice(20)}`],
  ['a bullet is between', `${md5.slice(0, 20)}\n- ${md5.slice(20)}`],
  ['their cases differ', `${md5.slice(0, 20)}\n${md5.slice(20).toUpperCase()}`],
  ['it is a list of numbers of 64 bits', `${md5.slice(0, 16)}\n${md5.slice(16)}\n${sha1.slice(0, 16)}`],
  ['it is a list of checksums of 32 bits', md5.match(/.{8}/g)?.join('\n') ?? ''],
  ['they are cells of a table', `a,${md5.slice(0, 16)}\n${md5.slice(16)},b`],
  ['together they are no hash', `${sha256.slice(0, 20)}\n${sha256.slice(20, 30)}`],
  [
    'the chain does not come out even',
    `${sha256.slice(0, 20)}\n${sha256.slice(20, 40)}\n${sha256.slice(40, 60)}\n${sha256.slice(60, 63)}`,
  ],
  ['it is a SHA-512 whose rest is as long as a SHA-1', `${sha512.slice(0, 88)}\n${sha512.slice(88)}`],
])('the extraction joins nothing where %s', (_title, text) => {
  expect(values(text)).toEqual([]);
});

test.each(['0x', '\\x', '\\u', '\\u0', '\\n'])(
  'an escape without a continuation, %j, is no piece of a hash',
  (escape) => {
    const marks: number[] = [];
    for (let length = 30; length < 72; length += 1) {
      const text = `${escape}=\n${sha512.slice(0, length)}`;
      const { found } = extractHashes(text, (start, end) => marks.push(end - start));
      expect(found.map(({ value }) => value)).toEqual([32, 40, 64].includes(length) ? [sha512.slice(0, length)] : []);
    }
    expect(Math.min(...marks)).toBeGreaterThan(0);
  },
);

test('a piece that is a hash by itself is never joined', () => {
  expect(values(`${md5}\n${sha1.slice(0, 32)}`)).toEqual([md5, sha1.slice(0, 32)]);
});

test('two runs of a possible hash with another possible meaning are reported, not dropped', () => {
  expect(reasons(`a,${md5.slice(0, 16)}\n${md5.slice(16)},b`)).toEqual([{ kind: 'unsure-wrap', lengths: [16, 16] }]);
});

describe('a run of many pairs with colons', () => {
  const pairs = (md5.match(/../g) ?? []).join(':');
  const marksOf = (text: string): [string, boolean][] => {
    const marks: [string, boolean][] = [];
    extractHashes(text, (start, end, isHash) => marks.push([text.slice(start, end), isHash]));
    return marks;
  };

  it.each(['=\n', '\n'])('is no piece of a hash broken by %j', (wrap) => {
    expect(marksOf(`${pairs.slice(0, -1)}e${wrap}${sha1.slice(0, 30)}`)).toEqual([
      [`${pairs.slice(0, -1)}e`, false],
      [sha1.slice(0, 30), false],
    ]);
    expect(marksOf(`${sha1.slice(0, 30)}${wrap}b${pairs.slice(1)}`)).toEqual([
      [sha1.slice(0, 30), false],
      [`b${pairs.slice(1)}`, false],
    ]);
  });

  it('is reported whole when the next line does not complete a hash', () => {
    expect(marksOf(`${pairs}\nadded 2026`)).toEqual([[pairs, false]]);
    expect(marksOf(`serial 123\n${pairs}`)).toEqual([[pairs, false]]);
  });
});

test('the extraction keeps ten thousand rejected runs, each truncated, and counts them all', () => {
  const extracted = extractHashes(`${'ab1'.repeat(1000)}\n`.repeat(mostRejectedKept + 5));
  expect(extracted).toMatchObject({ rejectedCount: mostRejectedKept + 5 });
  expect(extracted.rejected).toHaveLength(mostRejectedKept);
  expect(extracted.rejected[0]?.text).toHaveLength(80);
});

test('the extraction marks every run, repeated ones too, a wrapped one piece by piece', () => {
  const marks: [string, boolean][] = [];
  const text = `${md5} ${md5}\n${md5.slice(1)}\n\n${sha1.slice(0, 21)}\n${sha1.slice(21)}`;
  extractHashes(text, (start, end, isHash) => marks.push([text.slice(start, end), isHash]));
  expect(marks).toEqual([
    [md5, true],
    [md5, true],
    [md5.slice(1), false],
    [sha1.slice(0, 21), true],
    [sha1.slice(21), true],
  ]);
});

const hexDigit = fc.constantFrom(...'0123456789abcdef'.split(''));
const hexOf = (length: number) =>
  fc.array(hexDigit, { minLength: length, maxLength: length }).map((digits) => digits.join(''));
/** No digest: those that repeat themselves are placeholders. */
const digest = fc
  .constantFrom<HashKind>('md5', 'sha1', 'sha256')
  .chain((kind) => fc.tuple(fc.constant(kind), hexOf(hashLengths[kind])))
  .filter(([, value]) => new Set(value).size > 4 && !value.startsWith(value.slice(16)));
/** Words, numbers, signs and lines without a hexadecimal digit. */
const noise = fc
  .array(
    fc.constantFrom(
      'the',
      'host',
      'log',
      ' ',
      ' ',
      '\n',
      '\r\n',
      '>',
      ',',
      ';',
      '"',
      "'",
      '`',
      '/',
      'hxxp://',
      '[.]',
      '(',
      ')',
      '|',
      '\t',
      '%',
      '\\',
      'ü',
      '\u{1f600}',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const parted = fc
  .tuple(
    fc.constantFrom(' ', '\n', ',', '"', '|', '(', '/', '?'),
    noise,
    fc.constantFrom(' ', '\n', ',', '"', '|', ')', '/', ':'),
  )
  .map((parts) => parts.join(''));

test('planted hashes are found in any noise: all of them, nothing else, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(parted, digest, fc.boolean()), { maxLength: 12 }), parted, (planted, end) => {
      const text =
        planted.map(([before, [, hash], isUpper]) => before + (isUpper ? hash.toUpperCase() : hash)).join('') + end;
      // Two hashes with nothing except the end of a line between may be halves of one.
      fc.pre(!planted.some(([before]) => /^[\s>]*[\r\n][\s>]*$/.test(before)));
      const expected = [...new Map(planted.map(([, [kind, value]]) => [value, { kind, value }])).values()];
      const extracted = extractHashes(text);
      expect(extracted.found.map(({ kind, value }) => ({ kind, value }))).toEqual(expected);
      expect(extracted).toMatchObject({ rejectedCount: 0, repeated: planted.length - expected.length });
    }),
  );
});

test('a wrapped hash is found whole wherever it was broken', () => {
  fc.assert(
    fc.property(
      digest,
      fc.nat(),
      fc.constantFrom('\n', '\r\n  ', '\n> ', '=\n', '\u00ad\n'),
      ([kind, hash], seed, breaking) => {
        const at = 1 + (seed % (hash.length - 1));
        fc.pre(!Object.values(hashLengths).some((length) => length === at || length === hash.length - at));
        const extracted = extractHashes(`at\n${hash.slice(0, at)}${breaking}${hash.slice(at)}\n`);
        expect(extracted.found).toMatchObject([{ kind, value: hash }]);
      },
    ),
  );
});

test('the extraction never cuts a hash out of a longer run', () => {
  const other = fc
    .integer({ min: 1, max: 200 })
    .filter((length) => !Object.values<number>(hashLengths).includes(length));
  fc.assert(
    fc.property(other.chain(hexOf), noise, (run, before) => {
      expect(values(`${before} ${run} `)).toEqual([]);
    }),
  );
});

test('any string can be read, and found hashes are in it', () => {
  const pieces = fc.array(
    fc.oneof(
      hexDigit,
      fc.constantFrom('\n', '=', '\u00ad', ':', '%', '\\', 'x', '0x', '> ', md5, sha256.slice(0, 40)),
      fc.string({ unit: anyUnit, maxLength: 3 }),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      const bare = text.toLowerCase().replace(/[^0-9a-f]/g, '');
      for (const { kind, value } of extractHashes(text).found) {
        expect(value).toHaveLength(hashLengths[kind]);
        expect(bare).toContain(value);
      }
    }),
  );
});

describe('a hostile text', () => {
  const hostile = [
    'ab1\n',
    'a',
    'a:',
    'aa:',
    '25',
    '%25',
    '\\n',
    '0x',
    `${md5.slice(1)}\n`,
    `${md5}\n`,
    `${md5.slice(0, 16)}\n`,
    '\u00adab',
    'deadbeef\n',
    `${md5.slice(0, 20)}\n${md5.slice(20)}\n`,
    '=\n',
    '> ',
    'z',
    'az',
    '3:',
    '3:abcdef',
    'imphash: ',
    `x ${md5}\n`,
  ];

  test.each(hostile)('of %j repeated is read with few reads of each unit', (one) => {
    for (const other of ['', ...hostile.slice(0, 12)]) {
      const text = (one + other).repeat(1500 / (one + other).length);
      expect(readsOf(text), other).toBeLessThan(40 * text.length);
    }
  });

  test.each(hostile)('of %j repeated to 400,000 characters is read in one pass', { tags: ['long'] }, (one) => {
    expect(timeToRead(extractHashes, one, 400_000)).toBeLessThan(longestPassMs);
  });
});

/** How often an extractor reads a unit of a text, where a read of a range counts as one of each unit in it. */
function readsOf(text: string): number {
  const [units, Real] = [unitsOf(text, 0, text.length), Uint8Array];
  let reads = 0;
  const counted = (length: number): Uint8Array =>
    new Proxy(new Real(length), {
      get: (held, key): unknown => {
        const value: unknown = Reflect.get(held, key);
        reads += typeof value === 'function' ? held.length : 1;
        return typeof value === 'function' ? value.bind(held) : value;
      },
    });
  vi.stubGlobal(
    'Uint8Array',
    vi.fn(function make(length: number) {
      return counted(length);
    }),
  );
  try {
    const extractor = new HashExtractor({ hash: () => {}, rejected: () => {} });
    extractor.push(units);
    extractor.end();
    return reads;
  } finally {
    vi.unstubAllGlobals();
  }
}
