import { expect, test } from 'vitest';
import { LoadedPackages } from './loaded-packages.ts';
import { brokenAt, filesOf, ruleText, type Texts } from './package.fixture.ts';

const printsOf = (packages: LoadedPackages, texts: Texts) => packages.load('new', filesOf(texts), null).parsed.rules.map(({ prints }) => prints);

test('rules that a loaded package has are not read twice, in whatever file, and those that differ are', () => {
  const packages = new LoadedPackages();
  const [a, b] = packages.load('old', filesOf({ 'a.yar': ruleText('a') + ruleText('b') }), null).parsed.rules;
  const texts = { 'b.yar': ruleText('b', { meta: '2' }) + ruleText('a') };
  const [nextB, nextA] = printsOf(packages, texts);
  expect(nextA).toBe(a?.prints);
  expect(nextB).not.toEqual(b?.prints);
  expect([nextB, nextA]).toEqual(printsOf(new LoadedPackages(), texts));
});

test('a rule that is cut off does not take the prints of the whole one', () => {
  const texts = { 'a.yar': 'rule a { condition: true ' };
  const packages = new LoadedPackages();
  packages.load('old', filesOf({ 'a.yar': 'rule a { condition: true }' }), null);
  expect(printsOf(packages, texts)).toEqual(printsOf(new LoadedPackages(), texts));
});

test('a difference is kept while both packages are what they were', () => {
  const packages = new LoadedPackages();
  packages.load('a', filesOf({ 'a.yar': ruleText('a') }), null);
  packages.load('b', filesOf({ 'a.yar': ruleText('b') }), null);
  const known = packages.difference('a', 'b');
  expect(packages.difference('a', 'b')).toBe(known);
  expect(packages.difference('b', 'a')).not.toBe(known);
  expect(packages.difference(null, 'b')).not.toBe(known);
  packages.recall('b', [brokenAt('b', 'a.yar', 1)]);
  expect(packages.difference('a', 'b').counts).toMatchObject({ added: 0, removed: 1, broken: 1 });
});

test('a package whose gate ends after it was pushed out is in memory again', () => {
  const packages = new LoadedPackages();
  const { parsed } = packages.load('first', filesOf({ 'a.yar': ruleText('a') }), null);
  for (const key of ['b', 'c', 'd', 'e']) packages.load(key, [], null);
  expect(packages.keys()).toEqual(['b', 'c', 'd', 'e']);
  packages.judge('first', parsed, []);
  expect(packages.keys()).toEqual(['c', 'd', 'e', 'first']);
});
