import { beforeAll, describe, expect, test } from 'vitest';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { compileNative, loadNative } from './native-yara.ts';
import { compilePortable } from './portable-yara.ts';
import { type CompiledRules, RefusedValueError } from './scan-engine.ts';
import { namesIn, withLiterals } from './variable-literals.ts';
import { loadEngine } from './yara-compiler.ts';
import { yaraXModule } from './yara-x.ts';

type Compile = (source: string, variables: readonly RuleVariable[]) => CompiledRules;
const nothing = Buffer.from('x');
const hits = (rules: CompiledRules, values: Record<string, string> = {}): string[] =>
  rules
    .scan(nothing, values)
    .map(({ rule }) => rule)
    .toSorted();
function foundOrRefused(rules: CompiledRules, filename: string): boolean {
  try {
    return hits(rules, { filename }).length === 1;
  } catch (error) {
    return error instanceof RefusedValueError;
  }
}

/** What a name of a file may be, and be taken for. */
const names = [
  'a.exe',
  '123',
  '7',
  '1.5',
  '1e5',
  'inf',
  'nan',
  'NaN',
  'infinity',
  'true',
  'false',
  'True',
  'FALSE',
  'tRuE',
  '0x10',
  '-1',
  '+3',
  ' 12',
  '12 ',
  '1_000',
  '.5',
  '00123',
  '-',
  '+',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '99999999999999999999',
  '４２',
  'truе',
  'true ',
  '',
  '🦀',
  'a\u0000b',
  '7\n',
];

beforeAll(async () => loadEngine(await yaraXModule()));

const engines: readonly (readonly [string, () => Compile])[] = [
  [
    'native',
    () => {
      const native = loadNative();
      return (source, variables) => compileNative(native, source, variables);
    },
  ],
  ['portable', () => compilePortable],
];

describe.each(engines)('the %s engine', (_name, engine) => {
  const compile: Compile = (source, variables) => engine()(source, variables);

  test.each([
    [{ name: 'v', type: 'integer', value: 5 }, 'v & 1 == 1 and v == 5'],
    [{ name: 'v', type: 'integer', value: -7 }, 'v == -7 and v + 8 == 1'],
    [{ name: 'v', type: 'integer', value: Number.MAX_SAFE_INTEGER }, 'v == 9007199254740991'],
    [{ name: 'v', type: 'float', value: 2 }, 'v \\ 4 == 0.5'],
    [{ name: 'v', type: 'float', value: -2 }, 'v \\ 4 == -0.5'],
    [{ name: 'v', type: 'float', value: 1.5 }, 'v == 1.5'],
    [{ name: 'v', type: 'float', value: 1e-7 }, 'v > 0.0000000999 and v < 0.000000101'],
    [{ name: 'v', type: 'float', value: 1e21 }, 'v \\ 2 > 1.0'],
    [{ name: 'v', type: 'boolean', value: true }, 'v'],
    [{ name: 'v', type: 'boolean', value: false }, 'not v'],
    [{ name: 'v', type: 'text', value: 'lab "b" \\ ü\n' }, 'v == "lab \\"b\\" \\\\ \\xc3\\xbc\\n"'],
    [{ name: 'v', type: 'text', value: '123' }, 'v == "123" and v contains "2"'],
    [{ name: 'v', type: 'text', value: 'True' }, 'v icontains "true"'],
  ] satisfies [RuleVariable, string][])('treats %j as its type', (variable, condition) => {
    expect(hits(compile(`rule typed { condition: ${condition} }`, [variable]))).toEqual(['typed']);
  });

  test.each(names)('matches a file called %j by its name, or reports that it cannot set the name', (name) => {
    const text = `"${Array.from(Buffer.from(name), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
    const rules = compile(`rule named { condition: filename == ${text} }`, [
      { name: 'filename', type: 'text', value: '?' },
    ]);
    if (rules.takes({ filename: name })) expect(hits(rules, { filename: name })).toEqual(['named']);
    else expect(foundOrRefused(rules, name)).toBe(true);
    expect(hits(rules, { filename: 'after.it' })).toEqual([]);
  });

  test('uses the compiled value of a variable in a scan without it, whatever an earlier scan set', () => {
    const rules = compile('rule default { condition: filename == "d" and owner == "o" }', [
      { name: 'filename', type: 'text', value: 'd' },
      { name: 'owner', type: 'text', value: '' },
    ]);
    expect(
      [{ owner: 'o' }, { owner: 'o', filename: 'x' }, { filename: 'd' }, { owner: 'o' }].map((values) =>
        hits(rules, values),
      ),
    ).toEqual([['default'], [], [], ['default']]);
  });
});

test('the native engine names a text that it refuses, and remains usable', () => {
  const rules = compileNative(loadNative(), 'rule named { condition: filename == "a" }', [
    { name: 'filename', type: 'text', value: '' },
  ]);
  expect(() => rules.scan(nothing, { filename: '42' })).toThrow(RefusedValueError);
  expect(hits(rules, { filename: 'a' })).toEqual(['named']);
});

describe('names of variables', () => {
  const source =
    'import "pe"\nrule filename_rule : filename { meta: filename = "x" strings: $filename = "filename" ' +
    'condition: /* filename */ pe.filename == 1 or owner == "filename" // filepath\n}\n' +
    'rule b { condition: filepath == "" }';

  test('are found only in conditions', () => {
    expect(namesIn(source, ['filename', 'filepath', 'owner', 'filetype'])).toEqual(['filepath', 'owner']);
  });

  test('are replaced only in conditions, on the same number of lines', () => {
    expect(
      withLiterals(source, [
        { name: 'owner', type: 'float', value: 2 },
        { name: 'filename', type: 'text', value: '1' },
      ]),
    ).toBe(source.replace('owner ==', '2.0 =='));
  });
});
