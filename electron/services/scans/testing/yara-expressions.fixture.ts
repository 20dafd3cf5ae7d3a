import fc from 'fast-check';
import { regexOfCondition } from './yara-patterns.fixture.ts';

export const variableNames = ['filename', 'extension', 'filepath'] as const;
export type VariableName = (typeof variableNames)[number];
/** Put in its place later: the name, or the text that it has, where `yara -d` would take that text for a number. */
export const variable = (name: VariableName): string => `<<${name}>>`;
export const placeholder = /<<(filename|extension|filepath)>>/g;

export const comparison = fc.constantFrom('<', '<=', '>', '>=', '==', '!=');
export const few = fc.nat({ max: 6 });
export const offset = fc.oneof(fc.nat({ max: 8 }), fc.nat({ max: 90 }));

const reader = fc
  .tuple(fc.constantFrom('int', 'uint'), fc.constantFrom('8', '16', '32', '16be', '32be', '8be'))
  .map((parts) => parts.join(''));
export const ofBytes = fc.oneof(
  fc
    .tuple(comparison, fc.constantFrom('0', '5', '20', '64', '0x80', '1KB', '200'))
    .map(([sign, size]) => `filesize ${sign} ${size}`),
  fc
    .tuple(reader, offset, comparison, fc.constantFrom('0', '97', '0x6161', '-1', '0x61616161', '0'))
    .map(([read, at, sign, value]) => `${read}(${at}) ${sign} ${value}`),
  fc.tuple(reader, few).map(([read, back]) => `${read}(filesize - ${back}) & 0x2F == 0x21`),
  fc.tuple(reader, offset).map(([read, at]) => `not ${read}(${at})`),
  fc.tuple(reader, offset).map(([read, at]) => `defined ${read}(${at})`),
);

export const arithmetic = fc
  .tuple(
    fc.constantFrom(
      'filesize * 2 - 3',
      'filesize \\ 3',
      'filesize % 7',
      'filesize << 1',
      'filesize >> 2',
      '(filesize ^ 5) | 2',
      'filesize & 12',
      '~filesize',
      '-filesize + 40',
      '3 + filesize * 2 % 5',
      '-(filesize \\ 2)',
      'filesize << (filesize % 70)',
      '-filesize >> (filesize % 70)',
      'filesize \\ (filesize - 9)',
      'filesize % (filesize - 9)',
      'filesize * 1.5',
      'filesize - 0.5 * 30',
    ),
    comparison,
    fc.constantFrom('0', '5', '13', '-9', '64', '40.5', '(filesize - 9)'),
  )
  .map((parts) => parts.join(' '));
const text = fc
  .constantFrom('a', 'A', '.ex', '.EXE', 'exe', 'dump', '001', '1234', 'b', ' ', '', '\\"', '\\xc3\\xa9')
  .map((value) => `"${value}"`);
/** YARA orders bytes above 0x7f before all others: see the named differences. */
const order = fc.constantFrom('<', '>', '<=', '>=');
const textSign = fc.constantFrom(
  '==',
  '!=',
  'contains',
  'icontains',
  'startswith',
  'istartswith',
  'endswith',
  'iendswith',
  'iequals',
);
/** To YARA an empty text matches nothing: see the named differences. */
const matching = (name: VariableName, regex: string): string =>
  `(${variable(name)} != "" and ${variable(name)} matches ${regex})`;
export const ofVariables = fc.oneof(
  fc
    .tuple(fc.constantFrom(...variableNames), textSign, text)
    .map(([name, sign, value]) => `${variable(name)} ${sign} ${value}`),
  fc.tuple(fc.constantFrom(...variableNames), regexOfCondition).map(([name, regex]) => matching(name, regex)),
  fc
    .tuple(
      fc.constantFrom(...variableNames),
      fc.constantFrom('/^\\d+$/', '/\\.exe$/i', '/[a-z]+\\.\\d+/', '/./', '/^$/', '/\\//'),
    )
    .map(([name, regex]) => matching(name, regex)),
  fc.constantFrom(
    `${variable('filename')} endswith ${variable('extension')}`,
    `not ${variable('extension')} contains "."`,
    `${variable('filepath')} endswith ${variable('filename')}`,
    variable('filename'),
    `not ${variable('extension')}`,
  ),
);
export const ofTexts = fc.oneof(
  fc.tuple(fc.constantFrom('"abc"', '"Dump.EXE"', '"a b"'), textSign, text).map((parts) => parts.join(' ')),
  fc
    .tuple(fc.constantFrom('"abc"', '"Dump.EXE"', '"a b"'), order, fc.constantFrom('"abc"', '"ab"', '"b"', '"A"', '""'))
    .map((parts) => parts.join(' ')),
  fc
    .tuple(fc.constantFrom('"abc.-/"', '"aab0"', '"a\\nb"'), regexOfCondition)
    .map(([value, regex]) => `${value} matches ${regex}`),
);

/** Of bytes that begin in the file: see the named differences. */
const ofPart = (arbitrary: fc.Arbitrary<(part: string) => string>): fc.Arbitrary<string> =>
  fc
    .tuple(offset, offset, arbitrary)
    .map(([from, length, write]) => `(filesize > ${from} and ${write(`${from}, ${length}`)})`);
export const ofModules = fc.oneof(
  ofPart(
    fc
      .tuple(
        fc.constantFrom('entropy', 'mean', 'monte_carlo_pi'),
        comparison,
        fc.constantFrom('0.5', '1.9', '3.0', '80.0', '-0.1'),
      )
      .map(
        ([name, sign, value]) =>
          (part) =>
            `math.${name}(${part}) ${sign} ${value}`,
      ),
  ),
  ofPart(
    fc.tuple(comparison, fc.constantFrom('1.5', '20.0')).map(
      ([sign, value]) =>
        (part) =>
          `math.deviation(${part}, 97.0) ${sign} ${value}`,
    ),
  ),
  ofPart(
    fc
      .tuple(
        fc.constantFrom(['count', '2'], ['count', '0'], ['percentage', '0.25'], ['percentage', '0.02']),
        fc.constantFrom('0x61', '0x00', '98'),
        comparison,
      )
      .map(
        ([[name = '', value = ''], byte, sign]) =>
          (part) =>
            `math.${name}(${byte}, ${part}) ${sign} ${value}`,
      ),
  ),
  fc.constantFrom(
    'math.mode() == 0x61',
    'math.in_range(math.entropy(0, filesize), 1.0, 3.5)',
    'math.max(filesize, 40) > 40',
    'math.min(filesize, 40) < 20',
    'math.abs(filesize - 40) < 9',
    'math.to_number(filesize > 30) == 1',
    'math.count(0x61) > 4',
    'math.entropy("aab") < 1.0',
  ),
  // Of bytes that are there, and of one at least: see the named differences.
  fc
    .tuple(
      fc.constantFrom(
        ['md5', 'contains "a1"'],
        ['sha1', 'contains "a1"'],
        ['sha256', 'contains "a1"'],
        ['crc32', '% 2 == 0'],
        ['checksum32', '% 2 == 0'],
      ),
      offset,
      offset,
    )
    .map(
      ([[name = '', test = ''], from, length]) =>
        `(filesize > ${from + length} and hash.${name}(${from}, ${length + 1}) ${test})`,
    ),
  fc.constantFrom(
    'hash.md5(0, 1) == "0cc175b9c0f1b6a831c399e269772661"',
    'hash.md5(0, 1) == "0CC175B9C0F1B6A831C399E269772661"',
    '(filesize > 0 and hash.sha256(0, filesize) != "")',
    'hash.md5("a") == "0cc175b9c0f1b6a831c399e269772661"',
    'time.now() > 1000000000',
    'not defined hash.md5(filesize + 9, 2)',
  ),
  fc.constantFrom(
    'pe.is_pe',
    'not pe.is_pe',
    'defined pe.machine',
    'pe.machine == pe.MACHINE_AMD64',
    'pe.number_of_sections > 0',
    'pe.number_of_sections == 0',
    'pe.timestamp == 0x61626364',
    'pe.characteristics & pe.EXECUTABLE_IMAGE != 0',
    'pe.is_dll()',
    'not pe.is_32bit()',
    'pe.is_64bit()',
    'pe.subsystem == 3',
    'for any section in pe.sections : (section.name == ".text")',
    'for all i in (0..pe.number_of_sections - 1) : (pe.sections[i].raw_data_size > 9)',
    'pe.sections[0].name == ".text"',
    'pe.sections[7].name == ""',
    'pe.section_index(".text") == 0',
    'not defined pe.imphash()',
    'pe.linker_version.major == 14',
    '(pe.is_pe and not pe.exports("a"))',
  ),
  fc.constantFrom(
    'elf.type == elf.ET_EXEC',
    'defined elf.type',
    'elf.machine == elf.EM_X86_64',
    'elf.number_of_sections == 0',
    'not defined elf.entry_point',
    'elf.type != elf.ET_DYN',
    'elf.number_of_segments > 0',
  ),
);
