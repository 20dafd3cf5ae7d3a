import { expect, test } from 'vitest';
import { packageOf, type Texts } from './library/package.fixture.ts';
import { usablePieces } from './library/usable-rules.ts';
import { parsePackage } from './parse-package.ts';
import { bindRules } from './rule-binding.ts';

const textsOf = (texts: Texts): string[] => usablePieces(packageOf(texts), 0).rules.map(({ text }) => text);
const rule = (name: string, condition = 'true', head = ''): string => `${head}rule ${name} { condition: ${condition} }`;

test('a package of one namespace is compiled as written', () => {
  const texts = { 'index.yar': `include "a.yar"\n${rule('b', 'a')}`, 'a.yar': rule('a', 'true', 'global ') };
  expect(textsOf(texts)).toEqual([rule('a', 'true', 'global '), rule('b', 'a')]);
});

test('rules of equal names get separate identifiers, and their users name the one of their namespace', () => {
  expect(
    textsOf({
      'a.yar': `${rule('same')}\n${rule('user_a', 'same')}`,
      'b.yar': `${rule('same', 'false')}\n${rule('user_b', 'not same')}`,
    }),
  ).toEqual([rule('same'), rule('user_a', 'same'), rule('same__2', 'false'), rule('user_b', 'not same__2')]);
});

test('a new identifier is no word with another meaning anywhere in the package', () => {
  const texts = {
    'a.yar': `${rule('only_a')}\n${rule('owner')}`,
    'b.yar':
      `${rule('b', 'only_a and owner == "x"')}\n${rule('c', 'for any only_a__2 in (1, 2) : (only_a__2 == 1)')}\n` +
      rule('pe'),
    'c.yar': `import "pe"\n${rule('d', 'pe.is_pe')}`,
  };
  expect(textsOf(texts)).toEqual([
    rule('only_a__3'),
    rule('owner__2'),
    rule('b', 'only_a and owner == "x"'),
    rule('c', 'for any only_a__2 in (1, 2) : (only_a__2 == 1)'),
    rule('pe__2'),
    rule('d', 'pe.is_pe'),
  ]);
});

test('a global rule is required only by the rules of its namespace', () => {
  expect(textsOf({ 'a.yar': `${rule('a')}\n${rule('g', 'filesize > 1', 'global ')}`, 'b.yar': rule('b') })).toEqual([
    rule('g', 'filesize > 1', '       '),
    'rule a { condition: (g) and ( true) }',
    rule('b'),
  ]);
});

test('global rules required together have a second copy, reported when all of them match', () => {
  const texts = {
    'a.yar':
      `${rule('g', 'h', 'global ').replace('h }', 'true }')}\n${rule('k', 'g', 'global ')}\n` +
      rule('p', 'true', 'private global '),
    'b.yar': rule('b'),
  };
  expect(textsOf(texts)).toEqual([
    '       private rule g { condition: true }',
    '       private rule k { condition: g }',
    'private        rule p { condition: true }',
    '       rule g__2 { condition: (g and k and p) and ( true) }',
    '       rule k__2 { condition: (g and k and p) and ( g) }',
    rule('b'),
  ]);
});

test('a rewritten rule keeps its lines, also after a comment at the end of a condition', () => {
  const texts = {
    'a.yar':
      'global rule g { condition: true }\nprivate rule a1 { condition: true }\nrule u\n{\n condition:\n' +
      '  any of (a1 /*\n*/ *) // )\n}',
    'b.yar': rule('a1'),
  };
  const user = textsOf(texts)[2];
  expect(user).toBe('rule u\n{\n condition: (g) and (\n  any of (a1\n)) // )\n}');
});

test('an included rule of one meaning in all namespaces is compiled once, else once per meaning', () => {
  const shared = `${rule('alone')}\n${rule('user', 'helper')}`;
  const texts = {
    'a.yar': `${rule('helper')}\ninclude "s.yar"`,
    'b.yar': `${rule('helper', 'false')}\ninclude "s.yar"`,
    'c.yar': 'include "s.yar"',
    's.yar': shared,
  };
  const { rules } = usablePieces(packageOf(texts), 0);
  expect(rules.map(({ name, text }) => [name, text])).toEqual([
    ['helper', rule('helper')],
    ['alone', rule('alone')],
    ['user', rule('user', 'helper')],
    ['b.yar:helper', rule('helper__2', 'false')],
    ['user', rule('user__2', 'helper__2')],
  ]);
});

test('a rule whose needs exist in only some namespaces is left out of the others, with a report', () => {
  const parsed = parsePackage(
    Object.entries({
      'a.yar': `${rule('helper')}\ninclude "s.yar"`,
      'b.yar': 'include "s.yar"',
      's.yar': rule('user', 'helper'),
    }).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
  );
  const { instances, broken } = bindRules(parsed, () => false);
  expect(instances.map(({ identifier }) => identifier)).toEqual(['helper', 'user']);
  expect(broken).toEqual([
    {
      rule: null,
      file: 's.yar',
      line: 1,
      kind: 'uses',
      text: 'user is skipped where b.yar includes it: Undefined: helper',
    },
  ]);
});

test('rules whose wildcards name each other endlessly are broken without a delay', () => {
  const many = Array.from({ length: 8000 }, (_, index) => rule(`r${index}`, 'any of (r*)')).join('\n');
  const { instances, broken } = bindRules(
    parsePackage([{ path: 'a.yar', bytes: Buffer.from(many) }]),
    ({ number }) => number === 0,
  );
  expect(instances.length + broken.length).toBe(7999);
  expect(broken.at(-1)?.kind).toMatch(/^uses|limit$/);
});

test('two thousand files of one rule each, all of one name, are bound quickly', () => {
  const files = Array.from({ length: 2000 }, (_, index) => ({
    path: `f${String(index).padStart(4, '0')}.yar`,
    bytes: Buffer.from(rule('same', 'filesize > 0')),
  }));
  const { instances } = bindRules(parsePackage(files), () => false);
  expect(new Set(instances.map(({ identifier }) => identifier)).size).toBe(2000);
});
