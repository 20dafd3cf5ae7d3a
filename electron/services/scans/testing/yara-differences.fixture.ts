/** Of a rule: it hits, it misses, or it does not compile. `fails`: the file is not scanned to its end. */
export type Said = 'hits' | 'misses' | 'refuses' | 'fails';

/** Something that YARA 4.2 and YARA-X understand in two ways, with the smallest example of it. */
export interface Difference {
  /** Behind `rule name`. */
  rule: string;
  /** The text before it, and other files by their paths. */
  front?: string;
  files?: Readonly<Record<string, string>>;
  /** Those of the other files that are namespaces. */
  roots?: readonly string[];
  bytes: string | Uint8Array;
  yara: Said;
  ours: Said;
}

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
/** Two patterns, of which one is in the file and one is not. */
const oneOfTwo = (condition: string, rest: Pick<Difference, 'yara' | 'ours'>): Difference => ({
  rule: `{ strings: $in = "abc" $no = "zzz" condition: ${condition} or (all of them and filesize > 1MB) }`,
  bytes: 'abc',
  ...rest,
});

/** docs/yara-differences.md has them in words. */
export const differences: Readonly<Record<string, Difference>> = {
  // What one of the two refuses
  'a byte that is not one': {
    rule: '{ strings: $a = { ~61 62 } condition: $a }',
    bytes: 'cb',
    yara: 'refuses',
    ours: 'hits',
  },
  'a place of a set': {
    rule: '{ strings: $a = "abc" condition: any of them at 0 }',
    bytes: 'abc',
    yara: 'refuses',
    ours: 'hits',
  },
  'a part of a set, in a loop': {
    rule: '{ strings: $a = "abc" condition: for 50% of them : (@ == 0) }',
    bytes: 'abc',
    yara: 'refuses',
    ours: 'hits',
  },
  'a pattern that nothing asks for, with an underscore': {
    rule: '{ strings: $_a = "abc" condition: true }',
    bytes: 'abc',
    yara: 'refuses',
    ours: 'hits',
  },
  'names for values': {
    rule: '{ condition: with size = filesize : (size == 3) }',
    bytes: 'abc',
    yara: 'refuses',
    ours: 'hits',
  },
  'the module string': {
    rule: '{ condition: string.length("ab") == 2 }',
    front: 'import "string"',
    bytes: 'abc',
    yara: 'refuses',
    ours: 'hits',
  },
  'a division by the number 0': {
    rule: '{ condition: 5 \\ 0 == 1 or true }',
    bytes: 'abc',
    yara: 'refuses',
    ours: 'hits',
  },
  'base64 of fewer than three characters': {
    rule: '{ strings: $a = "ab" base64 condition: $a }',
    bytes: 'YWI=',
    yara: 'hits',
    ours: 'refuses',
  },
  'a negative place': {
    rule: '{ strings: $a = "abc" condition: $a at -1 or $a }',
    bytes: 'abc',
    yara: 'hits',
    ours: 'refuses',
  },
  'a negative index': {
    rule: '{ strings: $a = "abc" condition: @a[-1] == 0 or $a }',
    bytes: 'abc',
    yara: 'hits',
    ours: 'refuses',
  },
  'a range that ends before it begins': {
    rule: '{ condition: not (for any i in (3..2) : (i > 0)) or true }',
    bytes: 'abc',
    yara: 'hits',
    ours: 'refuses',
  },
  'an escape that is none': {
    rule: '{ strings: $a = /a\\R/ condition: $a }',
    bytes: 'aR',
    yara: 'hits',
    ours: 'refuses',
  },
  'a brace that counts nothing': {
    rule: '{ strings: $a = /a{b/ condition: $a }',
    bytes: 'a{b',
    yara: 'hits',
    ours: 'refuses',
  },
  'a regex that an empty text matches': {
    rule: '{ strings: $a = /x*/ condition: not $a }',
    bytes: 'abc',
    yara: 'hits',
    ours: 'refuses',
  },
  'the entry point without a module': {
    rule: '{ strings: $a = "abc" condition: $a at entrypoint or $a }',
    bytes: 'abc',
    yara: 'hits',
    ours: 'refuses',
  },
  'a truth value as a number': {
    rule: '{ condition: pe.exports("a") & 1 == 1 or true }',
    front: 'import "pe"',
    bytes: 'abc',
    yara: 'hits',
    ours: 'refuses',
  },
  'a rule that asks for itself': {
    rule: '{ strings: $a = "abc" condition: $a or RULE }',
    bytes: 'abc',
    yara: 'hits',
    ours: 'refuses',
  },

  'a file that is included twice': {
    rule: '{ condition: twice }',
    front: 'include "twice.yar"\ninclude "twice.yar"\n',
    files: { 'twice.yar': 'rule twice { condition: true }\n' },
    bytes: 'abc',
    yara: 'refuses',
    ours: 'hits',
  },

  // Mistakes of YARA 4.2
  'none, in a loop': oneOfTwo('for none of them : (@ == 0)', { yara: 'hits', ours: 'misses' }),
  'a count in a range that does not begin at 0': oneOfTwo('#in in (1..2) == 0', { yara: 'fails', ours: 'hits' }),
  'a regex of an empty text': { rule: '{ condition: "" matches /^$/ }', bytes: 'abc', yara: 'misses', ours: 'hits' },
  'a byte above 0x7f, in the order of texts': {
    rule: '{ condition: "a" < "\\xe9" }',
    bytes: 'abc',
    yara: 'misses',
    ours: 'hits',
  },
  'a serial correlation': {
    rule: '{ condition: math.serial_correlation("abc") > 0.3 }',
    front: 'import "math"',
    bytes: 'abc',
    yara: 'hits',
    ours: 'misses',
  },
  'brackets inside of each other by the thousand': {
    rule: `{ strings: $a = "abc" condition: ${'('.repeat(1600)}$a${')'.repeat(1600)} }`,
    bytes: 'abc',
    yara: 'hits',
    ours: 'misses',
  },
  'both forms of a regex with many ways': {
    rule: '{ strings: $a = /c\\.?(0[a-c0-9]|a\\.|\\S)B(-\\w|\\Sa)-/ ascii wide condition: $a }',
    bytes: wide('c.a.Bca-'),
    yara: 'misses',
    ours: 'hits',
  },
  'an ELF file that ends with its header': {
    rule: '{ condition: elf.machine == elf.EM_X86_64 }',
    front: 'import "elf"',
    bytes: elfHeader(),
    yara: 'misses',
    ours: 'hits',
  },

  // What has no value
  'a place that has no value': oneOfTwo('not ($in at @no)', { yara: 'hits', ours: 'misses' }),
  'a set in a range that has no value': oneOfTwo('not (any of them in (0..@no))', { yara: 'misses', ours: 'hits' }),
  'a shift by less than 0': {
    rule: '{ condition: filesize << (filesize - 9) != 1 }',
    bytes: 'abc',
    yara: 'misses',
    ours: 'hits',
  },
  'a hash beyond the end of the file': {
    rule: '{ condition: hash.md5(0, 9) == "900150983cd24fb0d6963f7d28e17f72" }',
    front: 'import "hash"',
    bytes: 'abc',
    yara: 'hits',
    ours: 'misses',
  },
  'a hash of no bytes at the end of the file': {
    rule: '{ condition: hash.md5(3, 0) == "d41d8cd98f00b204e9800998ecf8427e" }',
    front: 'import "hash"',
    bytes: 'abc',
    yara: 'misses',
    ours: 'hits',
  },
  'the entropy of what begins at the end of the file': {
    rule: '{ condition: math.entropy(3, 4) == 0.0 }',
    front: 'import "math"',
    bytes: 'abc',
    yara: 'misses',
    ours: 'hits',
  },
  'a mean of what is not there': {
    rule: '{ condition: not (math.mean(16, 36) < 80.0) }',
    front: 'import "math"',
    bytes: 'abc',
    yara: 'hits',
    ours: 'misses',
  },
  'exports of what is no program': {
    rule: '{ condition: not pe.exports("a") }',
    front: 'import "pe"',
    bytes: 'abc',
    yara: 'misses',
    ours: 'hits',
  },

  // Where a pattern matches
  'a full word behind xor': {
    rule: '{ strings: $a = "a" xor fullword condition: #a == 3 }',
    bytes: '\0\0\0',
    yara: 'hits',
    ours: 'misses',
  },
  'an edge of a word at the end of the file': {
    rule: '{ strings: $a = /a\\.\\b/ condition: $a }',
    bytes: 'a.',
    yara: 'hits',
    ours: 'misses',
  },
  'an edge of a wide word': {
    rule: '{ strings: $a = /\\bb/ wide condition: $a }',
    bytes: 'ccb\0',
    yara: 'hits',
    ours: 'misses',
  },
  'the begin of a wide regex': {
    rule: '{ strings: $a = /^b/ wide condition: $a }',
    bytes: 'xb\0',
    yara: 'misses',
    ours: 'hits',
  },
  'the end of a wide regex': {
    rule: '{ strings: $a = /b$/ wide condition: $a }',
    bytes: 'b\0x',
    yara: 'misses',
    ours: 'hits',
  },
  'a jump over more than 4096 bytes between two bytes': {
    rule: '{ strings: $a = { 61 [-] 62 } condition: $a }',
    bytes: `a${'x'.repeat(9000)}b`,
    yara: 'hits',
    ours: 'misses',
  },
  'a jump over more than 4096 bytes beside one byte': {
    rule: '{ strings: $a = { 61 62 63 64 [-] 65 } condition: $a }',
    bytes: `abcd${'x'.repeat(9000)}e`,
    yara: 'hits',
    ours: 'misses',
  },
  'an edge of a wide word behind it': {
    rule: '{ strings: $a = /xb\\b/ wide condition: $a }',
    bytes: 'x\0b\0cc',
    yara: 'hits',
    ours: 'misses',
  },
};

/** Of packages whose files are namespaces. */
export const differencesOfNamespaces: Readonly<Record<string, Difference>> = {
  'a wildcard of rules, beside another namespace': {
    rule: '{ condition: 2 of (wild*) }',
    front: 'rule wild { condition: true }\n',
    files: { 'wild.yar': 'rule wild { condition: true }\n' },
    roots: ['wild.yar'],
    bytes: 'abc',
    yara: 'hits',
    ours: 'misses',
  },
};

function elfHeader(): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write('\x7fELF\x02\x01\x01', 'latin1');
  bytes.writeUInt16LE(2, 16);
  bytes.writeUInt16LE(62, 18);
  return bytes;
}
