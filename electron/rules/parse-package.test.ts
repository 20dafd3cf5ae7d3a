import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FailureError } from '../../shared/failure.ts';
import { generatedRules, layout, writeRule } from './generated-rules.fixture.ts';
import { type PackageLimits, packageLimits, type RuleFile } from './package-files.ts';
import { parsePackage } from './parse-package.ts';
import type { ParsedPackage } from './parsed-package.ts';

const file = (path: string, text: string | Uint8Array): RuleFile => ({
  path,
  bytes: typeof text === 'string' ? Buffer.from(text) : text,
});
const nothingKnown = new Map<string, never>();
const rule = (name: string, condition = 'true'): string => `rule ${name} { condition: ${condition} }\n`;

/** With all that is made when it is asked for. */
const plain = ({ files, rules, broken }: Omit<ParsedPackage, 'readings' | 'namespaces'>) => ({
  files,
  broken,
  rules: rules.map(({ tags, meta, names, prints: { text, modifiers, strings, condition }, ...rest }) => ({
    ...rest,
    tags,
    meta,
    names,
    prints: [text, modifiers, strings, condition],
  })),
});

function failureOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof FailureError ? error.failure : error;
  }
}

test('the parser returns any rules with their tags, meta and places', () => {
  fc.assert(
    fc.property(generatedRules, layout, (rules, gap) => {
      const parsed = parsePackage([file('a.yar', rules.map((one) => writeRule(one, gap)).join(gap))]);
      expect(parsed.broken).toEqual([]);
      expect(
        parsed.rules.map(({ number, name, tags, meta, isGlobal, isPrivate }) => ({
          number,
          name,
          tags,
          meta,
          isGlobal,
          isPrivate,
        })),
      ).toEqual(
        rules.map(({ name, tags, meta, isGlobal, isPrivate }, number) => ({
          number,
          name,
          tags,
          meta: meta.map(({ key, value }) => ({ key, value })),
          isGlobal,
          isPrivate,
        })),
      );
      const [only] = parsed.files;
      expect(only?.rules).toEqual(parsed.rules);
      const written = rules.map(({ name }) => name);
      for (const { name, names } of parsed.rules) {
        const mentioned =
          rules
            .find((one) => one.name === name)
            ?.condition.join(' ')
            .match(/x_\w+/g) ?? [];
        expect(new Set(names.mentions.map((mention) => mention.name).filter((word) => written.includes(word)))).toEqual(
          new Set(mentioned.filter((word) => written.includes(word))),
        );
      }
    }),
  );
});

test('the parser gives a result for any bytes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'x/a'), fc.uint8Array({ maxLength: 40 })), { maxLength: 5 }),
      (files) => {
        const parsed = parsePackage(files.map(([path, bytes]) => file(path, bytes)));
        expect(new Set(parsed.files.map(({ path }) => path))).toEqual(new Set(files.map(([path]) => path)));
      },
    ),
  );
});

test('the parser keeps repeated keys, negative numbers, booleans and text values of meta', () => {
  const source = 'rule a { meta: x = "1\\"" x = -2 y=true z = /* c */ false w = 0x10 v = 1.5 condition: true }';
  expect(parsePackage([file('a', source)]).rules[0]?.meta).toEqual([
    { key: 'x', value: '1"' },
    { key: 'x', value: '-2' },
    { key: 'y', value: 'true' },
    { key: 'z', value: 'false' },
    { key: 'w', value: '0x10' },
    { key: 'v', value: '1.5' },
  ]);
});

test('the parser numbers rules by path and line, whatever the order of the files', () => {
  const { rules } = parsePackage([file('b', rule('c') + rule('d')), file('a', rule('b')), file('B', rule('a'))]);
  expect(rules.map(({ number, name, file: path, line }) => [number, name, path, line])).toEqual([
    [0, 'a', 'B', 1],
    [1, 'b', 'a', 1],
    [2, 'c', 'b', 1],
    [3, 'd', 'b', 2],
  ]);
});

test('the parser marks the later of two namesakes in a namespace as broken, but not across files', () => {
  const { rules, broken, namespaces } = parsePackage([
    file('b.yar', rule('a')),
    file('a.yar', rule('x') + rule('a') + rule('a')),
  ]);
  expect(rules).toHaveLength(4);
  expect(broken).toEqual([
    { rule: 'a', file: 'a.yar', line: 3, kind: 'duplicate', text: 'The name is already used in a.yar, line 2' },
  ]);
  expect(namespaces.map(({ root }) => root)).toEqual(['a.yar', 'b.yar']);
});

test('the parser marks an included rule as broken when its name is taken everywhere, else skips it by name', () => {
  const shared = file('shared.yar', rule('a'));
  const taking = (path: string): RuleFile => file(path, `${rule('a')}include "shared.yar"`);
  expect(parsePackage([shared, taking('x.yar'), taking('y.yar')]).broken).toEqual([
    { rule: 'a', file: 'shared.yar', line: 1, kind: 'duplicate', text: 'The name is already used in x.yar, line 1' },
  ]);
  expect(parsePackage([shared, taking('x.yar'), file('y.yar', 'include "shared.yar"')]).broken).toEqual([
    {
      rule: null,
      file: 'shared.yar',
      line: 1,
      kind: 'duplicate',
      text: 'a is skipped where x.yar includes it: The name is already used in x.yar, line 1',
    },
  ]);
});

test('the parser treats JavaScript’s own names as ordinary names', () => {
  const { broken, rules } = parsePackage([
    file('constructor', rule('constructor', '__proto__ or toString') + rule('__proto__')),
  ]);
  expect(broken).toEqual([]);
  expect(rules[0]?.names.mentions.map(({ name }) => name)).toEqual(['__proto__', 'toString']);
});

test('the parser names text outside rules with its line, and keeps the rules around it', () => {
  const { rules, broken } = parsePackage([file('a', `${rule('a')}stray\n${rule('b').replace('}', '')}${rule('c')}`)]);
  expect(rules.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(broken).toEqual([
    { rule: null, file: 'a', line: 2, kind: 'text', text: 'Text outside any rule' },
    { rule: 'b', file: 'a', line: 3, kind: 'text', text: 'It has no closing brace' },
  ]);
});

test('the parser marks the rule around invalid UTF-8 as broken, and ignores it outside rules', () => {
  const bytes = Buffer.concat([
    Buffer.from('// '),
    Buffer.from([0xe9, 0x0a]),
    Buffer.from(rule('a')),
    Buffer.from('rule b { meta: x = "'),
    Buffer.from([0xe9]),
    Buffer.from(`" condition: true }\n${rule('c', '"\ufffd" == "\ufffd"')}`),
  ]);
  expect(parsePackage([file('a', bytes)]).broken).toEqual([
    { rule: 'b', file: 'a', line: 3, kind: 'text', text: 'It is not valid UTF-8' },
  ]);
});

test('the parser keeps lines and names with a byte order mark and CRLF', () => {
  const parsed = parsePackage([file('a', `\ufeff${rule('a')}${rule('b')}`.replaceAll('\n', '\r\n'))]);
  expect(parsed.rules.map(({ name, line, start }) => [name, line, start])).toEqual([
    ['a', 1, 0],
    ['b', 2, 28],
  ]);
  expect(parsed.broken).toEqual([]);
});

describe('includes', () => {
  test('come before the file that includes them', () => {
    const { files, broken } = parsePackage([
      file('a/main.yar', 'include "../z.yar"\ninclude "part.yar"'),
      file('z.yar', ''),
      file('a/part.yar', 'include "z.yar"'),
      file('b.yar', ''),
    ]);
    expect(files.map(({ path, includes }) => [path, includes.map(({ target }) => target)])).toEqual([
      ['z.yar', []],
      ['a/part.yar', ['z.yar']],
      ['a/main.yar', ['z.yar', 'a/part.yar']],
      ['b.yar', []],
    ]);
    expect(broken).toEqual([]);
  });

  test('are broken lines when they lead nowhere', () => {
    const { files, broken } = parsePackage([file('a', 'include "b"\ninclude "../c"\n')]);
    expect(files[0]?.includes.map(({ target }) => target)).toEqual([null, null]);
    expect(broken).toEqual([
      { rule: null, file: 'a', line: 1, kind: 'include', text: 'Not in the package: b' },
      { rule: null, file: 'a', line: 2, kind: 'include', text: 'Outside the package: ../c' },
    ]);
  });

  test('name a circle once', () => {
    const { files, broken } = parsePackage([
      file('a', `include "b"\n${rule('a')}`),
      file('b', `\ninclude "a"\n${rule('b')}`),
    ]);
    expect(files.map(({ path }) => path)).toEqual(['b', 'a']);
    expect(broken).toEqual([{ rule: null, file: 'b', line: 2, kind: 'include', text: 'Circular include' }]);
  });
});

test('the parser reuses a cached file in another package and path, and gives it to that package', () => {
  const text = `import "pe"\ninclude "a"\nstray\n${rule('a', 'c')}rule b : t { meta: x = 1`;
  const before = parsePackage([file('old', text), file('a', rule('c'))]);
  const files = [file('x/new', text), file('x/copy', text), file('x/b', rule('c')), file('c', rule('d'))];
  const { readings, ...parsed } = parsePackage(files, before.readings);
  const { readings: own, ...alone } = parsePackage(files);
  expect(plain(parsed)).toEqual(plain(alone));
  expect([readings.size, own.size]).toEqual([3, 3]);
  expect([...readings.values()].filter((reading) => [...before.readings.values()].includes(reading))).toHaveLength(2);
});

test('the parser counts cached files towards the limits like others', () => {
  const files = [file('a', `${rule('a')}include "b"\nrule b : t { meta: x = 1 condition: true }`)];
  const { readings } = parsePackage(files);
  const refusal = (limits: Partial<PackageLimits>): unknown =>
    failureOf(() => parsePackage(files, readings, { ...packageLimits, ...limits }));
  expect(refusal({ rules: 1 })).toMatchObject({ kind: 'archive-limit', value: 1 });
  expect(refusal({ particulars: 4 })).toMatchObject({ kind: 'archive-limit', value: 4 });
  expect(refusal({ rules: 2, particulars: 5 })).toMatchObject({ rules: [{ name: 'a' }, { name: 'b' }] });
});

test('the parser uses the first of two files of one path', () => {
  const { files, broken } = parsePackage([file('a', rule('a')), file('a', rule('b'))]);
  expect(files.map(({ rules }) => rules.map(({ name }) => name))).toEqual([['a']]);
  expect(broken).toEqual([
    { rule: null, file: 'a', line: 1, kind: 'file', text: 'The package has another file with this name' },
  ]);
});

describe('the parser’s limits', () => {
  const refusal = (files: RuleFile[], limits: Partial<PackageLimits>): unknown =>
    failureOf(() => parsePackage(files, nothingKnown, { ...packageLimits, ...limits }));

  test('accept bytes up to the limit and refuse more', () => {
    const files = [file('a', rule('a')), file('b', rule('b'))];
    const bytes = 2 * rule('a').length;
    expect(parsePackage(files, nothingKnown, { ...packageLimits, bytes }).rules).toHaveLength(2);
    expect(refusal(files, { bytes: bytes - 1 })).toEqual({ kind: 'package-too-large', limitBytes: bytes - 1 });
  });

  test.each<['files' | 'rules' | 'particulars', string, RuleFile[], number]>([
    ['files', 'files', ['a', 'b', 'c'].map((path) => file(path, '')), 3],
    ['rules', 'rules', [file('a', rule('a') + rule('b')), file('b', rule('c'))], 3],
    ['rules', 'rules', [file('a', 'rule a { rule b rule c')], 3],
    [
      'particulars',
      'meta, tags and includes',
      [file('a', 'include "a" import "b" rule a : t u { meta: x = 1 y = -2 condition: true }')],
      7,
    ],
  ])('accept %s up to the limit and refuse more', (limit, what, files, count) => {
    expect(parsePackage(files, nothingKnown, { ...packageLimits, [limit]: count }).files).toHaveLength(files.length);
    expect(refusal(files, { [limit]: count - 1 })).toEqual({
      kind: 'archive-limit',
      name: `${what} of the package`,
      limit: 'members',
      value: count - 1,
    });
  });

  test('refuse a million rules before all are read', () => {
    expect(failureOf(() => parsePackage([file('a', 'rule a{'.repeat(1_000_000))]))).toMatchObject({
      kind: 'archive-limit',
      value: packageLimits.rules,
    });
  });
});

test('the parser reads a rule with ten megabytes of strings on one line as one rule', () => {
  const value = 'a'.repeat(9_000_000);
  const { rules, broken } = parsePackage([
    file(
      'a',
      `rule a { meta: x = "${value}${'\\x41\\"'.repeat(200_000)}" strings: $a = {${'0A '.repeat(300_000)}} ` +
        'condition: $a }',
    ),
  ]);
  expect(broken).toEqual([]);
  expect(rules[0]?.meta[0]?.value).toBe(value + 'A"'.repeat(200_000));
});
