import { expect, test } from 'vitest';
import { filesOf, ruleText, type Texts } from './library/package.fixture.ts';
import { parsePackage } from './parse-package.ts';

const dividedOf = (texts: Texts): Record<string, string[]> =>
  Object.fromEntries(
    parsePackage(filesOf(texts)).namespaces.map(({ root, rules }) => [root, rules.map(({ name }) => name)]),
  );

test('each file that no other one includes is a namespace', () => {
  expect(dividedOf({ 'b.yar': ruleText('b'), 'a.yar': ruleText('a'), 'none.yar': '// nothing' })).toEqual({
    'a.yar': ['a'],
    'b.yar': ['b'],
  });
});

test('an included file is at the place of its include, and once in a namespace', () => {
  const texts = {
    'index.yar': `${ruleText('first')}include "./parts/one.yar"\ninclude "parts/two.yar"\n${ruleText('last')}`,
    'parts/one.yar': ruleText('one'),
    'parts/two.yar': `include "one.yar"\n${ruleText('two')}`,
  };
  expect(dividedOf(texts)).toEqual({ 'index.yar': ['first', 'one', 'two', 'last'] });
});

test('a file included by two is in both namespaces', () => {
  expect(
    dividedOf({ 'a.yar': 'include "s.yar"', 'b.yar': `include "s.yar"\n${ruleText('b')}`, 's.yar': ruleText('s') }),
  ).toEqual({ 'a.yar': ['s'], 'b.yar': ['s', 'b'] });
});

test('the root of files that include each other is the first by path, unless another file includes them', () => {
  const circle = { 'b.yar': `include "c.yar"\n${ruleText('b')}`, 'c.yar': `include "b.yar"\n${ruleText('c')}` };
  expect(dividedOf({ ...circle, 'self.yar': `include "self.yar"\n${ruleText('self')}` })).toEqual({
    'b.yar': ['c', 'b'],
    'self.yar': ['self'],
  });
  expect(dividedOf({ ...circle, 'z.yar': 'include "c.yar"' })).toEqual({ 'z.yar': ['b', 'c'] });
});

test('a chain of ten thousand files is one namespace', () => {
  const texts = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [
      `f${index}.yar`,
      `${index < 9_999 ? `include "f${index + 1}.yar"\n` : ''}rule r${index} { condition: true }`,
    ]),
  );
  expect(parsePackage(filesOf(texts)).namespaces.map(({ root, rules }) => [root, rules.length])).toEqual([
    ['f0.yar', 10_000],
  ]);
});

test('a package that includes the same files over and over is refused', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 2500 }, (_, index) => [`c${index}.yar`, index < 2499 ? `include "c${index + 1}.yar"` : '']),
  );
  const roots = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`r${index}.yar`, 'include "c0.yar"']));
  expect(() => parsePackage(filesOf({ ...chain, ...roots }))).toThrow(
    expect.objectContaining({
      failure: {
        kind: 'archive-limit',
        name: 'meta, tags and includes of the package',
        limit: 'members',
        value: 3_000_000,
      },
    }),
  );
});
