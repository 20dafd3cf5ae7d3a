import { expect, test } from 'vitest';
import { LoadedPackages } from './loaded-packages.ts';
import { brokenAt, filesOf, ruleText, type Texts } from './package.fixture.ts';

const loadNew = (packages: LoadedPackages, texts: Texts) => packages.load('new', filesOf(texts), null).parsed;

test('loaded packages keep a file they share in memory once, under whatever path', () => {
  const packages = new LoadedPackages();
  const old = packages.load('old', filesOf({ 'a.yar': ruleText('a'), 'b.yar': ruleText('b') }), null).parsed;
  const { rules } = loadNew(packages, { 'a.yar': ruleText('a', { meta: '2' }), 'z.yar': ruleText('b') });
  expect(rules[1]?.prints).toBe(old.rules[1]?.prints);
  expect(rules[0]?.prints.text).not.toBe(old.rules[0]?.prints.text);
  expect(packages.difference('old', 'new').counts).toMatchObject({ changed: 1, moved: 1, same: 0 });
});

test('loaded packages read a file again when its package was evicted', () => {
  const packages = new LoadedPackages();
  const texts = { 'a.yar': ruleText('a') };
  const old = packages.load('old', filesOf(texts), null).parsed;
  for (const key of ['b', 'c', 'd', 'e']) packages.load(key, [], null);
  const { rules } = loadNew(packages, texts);
  expect(rules[0]?.prints).not.toBe(old.rules[0]?.prints);
  expect(rules[0]?.prints.text).toBe(old.rules[0]?.prints.text);
});

test('loaded packages keep a difference while both packages are unchanged', () => {
  const packages = new LoadedPackages();
  packages.load('a', filesOf({ 'a.yar': ruleText('a') }), null);
  packages.load('b', filesOf({ 'a.yar': ruleText('b') }), null);
  const known = packages.difference('a', 'b');
  expect(packages.difference('a', 'b')).toBe(known);
  expect(packages.difference('b', 'a')).not.toBe(known);
  expect(packages.difference(null, 'b')).not.toBe(known);
  packages.recall('b', { broken: [brokenAt('b', 'a.yar', 1)], warnings: [] });
  expect(packages.difference('a', 'b').counts).toMatchObject({ added: 0, removed: 1, broken: 1 });
});

test('loaded packages return a package to memory when its gate ends after its eviction', () => {
  const packages = new LoadedPackages();
  const { parsed } = packages.load('first', filesOf({ 'a.yar': ruleText('a') }), null);
  for (const key of ['b', 'c', 'd', 'e']) packages.load(key, [], null);
  expect(packages.keys()).toEqual(['b', 'c', 'd', 'e']);
  packages.judge('first', parsed, { broken: [], warnings: [] });
  expect(packages.keys()).toEqual(['c', 'd', 'e', 'first']);
});
