import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { extractHashes } from './hash-extraction.ts';
import { hashLengths } from './hash.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';
const sha1 = '3395856ce81f2b7382dee72602f798b642f14140';
const sha256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
const others = [
  'f0df156fbaa8354c2a2ef2ce596cf3661d9bd7f998174d45e9846bfbb120a572',
  '21bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f275a0',
];
const sha512 = sha256 + sha256.split('').toReversed().join('');

const values = (text: string): string[] => extractHashes(text).found.map(({ value }) => value);
const reasons = (text: string) => extractHashes(text).rejected.map(({ reason }) => reason);
const broken = (hash: string, width: number, by: string): string =>
  (hash.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(by);

test.each([
  ['a hyphen, where both halves are as long as an MD5', `x ${broken(sha256, 32, '-\n')} y`, [sha256]],
  ['a hyphen, where the first half is as long as a SHA-1', `x ${broken(sha256, 40, '-\n')} y`, [sha256]],
  ['quoted-printable, where the first half is as long as a SHA-1', `x ${broken(sha256, 40, '=\r\n')} y`, [sha256]],
  ['quoted-printable behind a sentence', `SHA256 of the dropper: ${broken(sha256, 32, '=\r\n')}`, [sha256]],
  ['a soft hyphen', `x ${broken(sha256, 24, '\u00ad')} y`, [sha256]],
  ['a non-breaking hyphen', `x ${broken(sha256, 40, '\u2011\n')} y`, [sha256]],
  ['a zero-width space every four digits', broken(md5, 4, '\u200b'), [md5]],
  ['a zero-width space every eight digits', broken(sha256, 8, '\u200b'), [sha256]],
  ['a word joiner behind forty digits', `x ${broken(sha256, 40, '\u2060')} y`, [sha256]],
  ['a quoted mail', `> ${broken(sha256, 50, '\n> ')}\n`, [sha256]],
  [
    'a narrow column, three of them',
    [sha256, ...others].map((hash) => broken(hash, 40, '\n')).join('\n'),
    [sha256, ...others],
  ],
  [
    'a table of two columns in a PDF',
    `Stage 1 loader  ${broken(sha256, 40, '\n                ')}\nStage 2 payload ${sha1}\n`,
    [sha256, sha1],
  ],
  [
    'a narrow column, a SHA-256 and a SHA-1',
    `${broken(sha256, 40, '\n')}\n${broken(sha1, 30, '\n')}\n`,
    [sha256, sha1],
  ],
  ['a column of twenty, with a word behind it', `${broken(sha256, 20, '\n')}\nadded by hand`, [sha256]],
  ['a label that says what it is', `SHA-256: ${broken(sha256, 32, '\n         ')}`, [sha256]],
])('a hash broken by %s is joined', (_title, text, found) => {
  expect(extractHashes(text)).toMatchObject({ found: found.map((value) => ({ value })), rejected: [] });
});

test.each([
  ['one SHA-256 or two MD5s', `x ${broken(sha256, 32, '\n')} y`, [32, 32]],
  ['one SHA-1, or an MD5 and a checksum', `${md5}\nab12cd34`, [32, 8]],
  [
    'one SHA-256, or a run and a SHA-1',
    `the loader of the first stage: ${sha256.slice(0, 24)}\n${sha256.slice(24)}\n`,
    [24, 40],
  ],
  ['one SHA-256 or two MD5s of a narrow column', broken(sha256, 16, '\n'), [16, 16, 16, 16]],
])('a run of %s is uncertain, and no hash is found', (_title, text, lengths) => {
  expect(extractHashes(text)).toMatchObject({ found: [], rejected: [{ reason: { kind: 'unsure-wrap', lengths } }] });
});

test('a hash-long run is uncertain where others were broken at that length and a shorter run follows', () => {
  const text =
    `${broken(sha256, 40, '\n')}\n${broken(others[0]?.slice(0, 60) ?? '', 40, '\n')}\n` +
    `${broken(others[1] ?? '', 40, '\n')}\n`;
  expect(extractHashes(text)).toMatchObject({
    found: [{ value: sha256 }, { value: others[1] }],
    rejected: [{ line: 3, reason: { kind: 'unsure-wrap', lengths: [40] } }],
  });
});

test.each([
  ['a list, a line each', [md5, sha1.slice(0, 32), md5.split('').toReversed().join('')].join('\n')],
  ['a quoted list', `> ${md5}\n> ${sha1.slice(0, 32)}`],
  ['a list with dates between', `${md5}\n20261121\n${sha1.slice(0, 32)}\n20261122`],
  ['checksums before each', `3610a686\n${md5}\n${sha1.slice(0, 32)}`],
  ['cells of a table', `a,${md5}\n${sha1.slice(0, 32)},b`],
  ['rows with two of them', `${md5} or ${sha256.slice(0, 32)}\n${sha1.slice(0, 32)} or else`],
  ['a label that says MD5', `MD5s: ${md5}\n${sha1.slice(0, 32)}`],
  ['a short number before each', `commit 1a2b3c4d\n${md5}`],
  ['a date behind it', `seen ${md5}\n20261121 at noon`],
])('hashes are found one by one, without rejections, in %s', (_title, text) => {
  expect(values(text)).toEqual(text.match(/\b[0-9a-f]{32}\b/g) ?? []);
  expect(extractHashes(text).rejected).toEqual([]);
});

const id = (seed: number): string =>
  `${(0x507f1f77 + seed * 7919).toString(16)}bcf86cd7994390${(17 + seed).toString(16)}`;
const hashesOfRows = [sha1, sha256.slice(0, 40), others[0]?.slice(0, 40) ?? ''];
const md5s = [md5, sha256.slice(0, 32), sha256.slice(32)];
const rows = (row: (hash: string, at: number) => string, hashes = md5s): string => hashes.map(row).join('\n');

test.each([
  [
    'rows of a table with an id of 24 digits first',
    hashesOfRows,
    rows((hash, at) => `${id(at)},a.exe,${hash}`, hashesOfRows),
  ],
  [
    'lines that begin with an id of 24 digits',
    hashesOfRows,
    rows((hash, at) => `${id(at)} wrote a.exe ${hash}`, hashesOfRows),
  ],
  ['lines that begin with a number of eight digits', md5s, rows((hash, at) => `1a2b3c4${at} scanned ${hash}`)],
  ['names of eight digits behind each', md5s, rows((hash, at) => `${hash}  0a1b2c3${at}`)],
  ['checksums in the last column', md5s, rows((hash, at) => `${hash},a.exe,ab12cd3${at}`)],
  [
    'a name of eight digits before the second',
    md5s,
    rows((hash, at) => `${at === 0 ? 'setup' : `0a1b2c3${at}`};${hash}`),
  ],
  ['keys of a settings file', md5s, `${rows((hash) => `${hash}=`)}\n`],
  ['a zero-width space at the end of each line', md5s, rows((hash) => `${hash}\u200b`)],
  [
    'two files, of which the second begins with a byte order mark',
    [md5, sha1.slice(0, 32)],
    `${md5}\ufeff${sha1.slice(0, 32)}`,
  ],
])('hashes are found one by one in %s', (_title, hashes, text) => {
  expect(values(text)).toEqual(hashes);
});

test.each([
  ['numbers without a letter, a line each', '4111111111111111\n5500000000000004'],
  ['numbers of twenty digits', '20261121101500123456\n20261121101500654321'],
  ['times at both ends of lines', 'begun 1 end 1700000000123999\n1700000001123456 begun'],
  ['ids at both ends of lines', rows((_hash, at) => `4bf92f3577b34da${at} calls 00f067aa0ba902b${at}`)],
  ['words of eight bytes of a dump', rows((hash) => ` ${hash.slice(0, 16)} ${hash.slice(16)}`)],
  [
    'lines of thirty bytes of a dump, and a rest',
    `${sha256.slice(0, 60)}\n${others[0]?.slice(0, 60)}\n${others[1]?.slice(0, 60)}\n1d00`,
  ],
  ['a wallet that a zero-width space breaks', '0x5290840009852788\u200b6E0F7030069857D2E4169EE7'],
  ['a wallet that a line breaks', '0x5290840009852788\n6E0F7030069857D2E4169EE7'],
  ['a fraction with its exponent', 'x = 0.1234567890123456789012345678901e-3 + 0.987654321098765432109876543512e3'],
])('no hash is found in %s', (_title, text) => {
  expect(values(text)).toEqual([]);
});

describe('a hash of another kind, by its label or form', () => {
  it.each([
    ['serial number', `Serial Number: ${md5}`, { kind: 'no-file-hash', name: 'certificate' }],
    [
      'serial number on the line before',
      `        Serial Number:\n            ${sha1}`,
      { kind: 'no-file-hash', name: 'certificate' },
    ],
    ['thumbprint', `Thumbprint (SHA-1): ${sha1}`, { kind: 'no-file-hash', name: 'certificate' }],
    [
      'wallet that is broken',
      '0x5290840009852788\u200b6E0F7030069857D2E4169EE7',
      { kind: 'no-file-hash', name: 'wallet' },
    ],
    ['fingerprint', `SHA1 Fingerprint=${sha1}`, { kind: 'no-file-hash', name: 'certificate' }],
    ['wallet', `send to 0x52908400098527886E0F7030069857D2E4169EE7`, { kind: 'no-file-hash', name: 'wallet' }],
    ['UUID', `"uuid": "${md5}"`, { kind: 'no-file-hash', name: 'UUID' }],
    ['imphash', `"imphash":"${md5}"`, { kind: 'other-hash', length: 32, name: 'imphash' }],
    ['Authentihash', `Authentihash\n${sha256}`, { kind: 'other-hash', length: 64, name: 'Authentihash' }],
    ['Rich header', `Rich PE header hash\n${md5}`, { kind: 'other-hash', length: 32, name: 'Rich header hash' }],
    ['JA3', `JA3: ${md5}`, { kind: 'other-hash', length: 32, name: 'JA3' }],
    ['JA3S', `ja3s_hash=${md5}`, { kind: 'other-hash', length: 32, name: 'JA3S' }],
    ['ssdeep', `ssdeep: 3:a+JraNvsgzsVqSwHq9:tJuOgzsko`, { kind: 'other-hash', length: 30, name: 'ssdeep' }],
    ['TLSH', `tlsh ${sha256}abc123`, { kind: 'other-hash', length: 70, name: 'TLSH' }],
    ['SHA-512 that is broken', broken(sha512, 76, '=\n'), { kind: 'other-hash', length: 128, name: 'SHA-512' }],
    [
      'SHA-512 that is broken without a mark',
      `x ${broken(sha512, 88, '\n')}`,
      { kind: 'other-hash', length: 128, name: 'SHA-512' },
    ],
  ])('is rejected by its name: %s', (_title, text, reason) => {
    expect(extractHashes(text)).toMatchObject({ found: [], rejected: [{ reason }] });
  });

  it.each([
    ['a list that has a column for imphash', `md5,imphash\n${md5},`],
    ['a hash with another one’s label on its line', `imphash unknown, md5 ${md5}`],
    ['fields with colons between', `6:${md5}:${sha1}`],
    ['a label two lines before', `imphash\n\n${md5}`],
    ['a word that ends like a label', `unserial ${md5}`],
    ['the fingerprint of a file', `file fingerprint (MD5): ${md5}`],
  ])('is not assumed for a file hash with %s', (_title, text) => {
    expect(values(text)).toContain(md5);
  });
});

/** Hashes without a repetition. */
const digest = fc
  .constantFrom(...Object.values(hashLengths))
  .chain((length) =>
    fc.array(fc.constantFrom(...'0123456789abcdef'.split('')), { minLength: length, maxLength: length }),
  )
  .map((digits) => digits.join(''))
  .filter((value) => new Set(value.slice(0, 16)).size > 5 && value.slice(0, 16) !== value.slice(16, 32));
const mark = fc.constantFrom(
  '-\n',
  '=\r\n',
  '\u00ad',
  '\u200b',
  '\u2060',
  '\u2010\n',
  '=\n> ',
  '\u00ad\n  ',
  '-\r\n\t',
);
/** What parts two hashes in prose, CSV and JSON. */
const between = fc.constantFrom(
  ' and ',
  '","size":12,"md5":"',
  '", "',
  ' zip,\n',
  '\nThe host wrote ',
  ' |\n| ',
  '.\n\nIn log ',
  '\r\nname;',
  ' (see) ',
);

test('hashes broken by marks are found in prose, CSV and JSON: exactly these, in order', () => {
  const piece = fc.tuple(digest, fc.array(fc.tuple(fc.integer({ min: 1, max: 63 }), mark), { maxLength: 6 }), between);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (planted) => {
      const text = planted
        .map(([hash, breaks, behind]) => {
          const at = new Map(breaks.filter(([place]) => place < hash.length));
          return `${[...hash].map((digit, index) => (at.get(index) ?? '') + digit).join('')}${behind}`;
        })
        .join('');
      expect(extractHashes(`In ${text}`)).toMatchObject({
        found: [...new Set(planted.map(([hash]) => hash))].map((value) => ({ value })),
        rejected: [],
      });
    }),
  );
});

test('hashes of a column of any width from 17 on are found, or are uncertain, and nothing else is', () => {
  fc.assert(
    fc.property(
      fc.array(digest, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 17, max: 63 }),
      fc.constantFrom('', '  ', '> '),
      (hashes, width, indent) => {
        const text = hashes
          .map((hash) => broken(hash, width, '\n'))
          .join('\n')
          .replace(/^/gm, indent);
        const { found, rejected } = extractHashes(text);
        const isUnsure = rejected.length > 0;
        const taken = found.map(({ value }) => value);
        // Two lines of 32 digits, and one of 32 and one of 8, are a list as well.
        if (width !== 32) expect(taken.filter((value) => !hashes.includes(value))).toEqual([]);
        if (!isUnsure && width !== 32) expect(taken).toEqual([...new Set(hashes)]);
      },
    ),
  );
});

test('reasons of an uncertain hash name its first pieces only', () => {
  expect(reasons(`${md5.slice(0, 30)}-\n`.repeat(5000))[0]).toMatchObject({
    kind: 'unsure-wrap',
    lengths: [30, 30, 30, 30, 30, 30, 30, 30],
  });
});
