import { expect, test } from 'vitest';
import { brokenAt, packageOf, ruleText } from './package.fixture.ts';

test('the indexed package finds a broken rule by its name and any line in it', () => {
  const pack = packageOf({ 'a.yar': ruleText('a') + ruleText('b') }, [brokenAt('b', 'a.yar', 9)]);
  expect(pack.broken.map(({ rule }) => rule?.number)).toEqual([1]);
  expect(pack.brokenOf.get(1)).toMatchObject({ rule: 'b', line: 9 });
  expect([...pack.usable.keys()]).toEqual(['a']);
});

test('the indexed package finds a rule by a line outside it, or the namesake before that line', () => {
  const twice = { 'a.yar': `${ruleText('a')}\n\n${ruleText('a')}` };
  expect(packageOf({ 'a.yar': ruleText('a') }, [brokenAt('a', 'a.yar', 99)]).usable.size).toBe(0);
  expect(packageOf({ 'a.yar': `\n\n${ruleText('a')}` }, [brokenAt('a', 'a.yar', 1)]).usable.size).toBe(0);
  expect(packageOf(twice, [brokenAt('a', 'a.yar', 7)]).broken.map(({ rule }) => rule?.number)).toEqual([0, 1]);
});

test('the indexed package reports each broken rule of one name on one line once', () => {
  const pack = packageOf({ 'a.yar': 'rule a { condition: true } '.repeat(3) });
  expect(pack.broken.map(({ rule }) => rule?.number)).toEqual([2, 1]);
  expect([...pack.usable.values()].map(({ number }) => number)).toEqual([0]);
});

test('the indexed package reports a rule broken twice in two entries, and counts one rule less', () => {
  const pack = packageOf({ 'a.yar': ruleText('a') + ruleText('b') }, [
    brokenAt('b', 'a.yar', 6),
    brokenAt('b', 'a.yar', 9),
  ]);
  expect(pack.broken.map(({ rule }) => rule?.number)).toEqual([1, 1]);
  expect(pack.usable.size).toBe(1);
});

test('the indexed package removes no rule for an error of no rule or of a missing one', () => {
  const pack = packageOf({ 'b.yar': ruleText('a') }, [
    brokenAt(null, 'b.yar', 1),
    brokenAt('x', 'b.yar', 1),
    brokenAt('a', 'a.yar', 1),
    brokenAt('__proto__', 'b.yar', 1),
  ]);
  expect(pack.broken.map(({ broken, rule }) => [broken.file, rule])).toEqual([
    ['a.yar', null],
    ['b.yar', null],
    ['b.yar', null],
    ['b.yar', null],
  ]);
  expect(pack.usable.size).toBe(1);
});

test('the indexed package distinguishes thousands of broken rules of one name on one line', () => {
  const rules = 5_000;
  const pack = packageOf({ 'a.yar': 'rule a { condition: true } '.repeat(rules) });
  expect(pack.brokenOf.size).toBe(rules - 1);
  expect(pack.usable.size).toBe(1);
});
