import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DifferenceRow } from '../../../shared/domain/publication.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';
import { brokenAt, packageOf, ruleText } from '../library/package.fixture.ts';
import { DifferenceRows } from './difference-rows.ts';

const all = { offset: 0, limit: 1000 };
const rowsOf = (from: IndexedPackage | null, to: IndexedPackage): DifferenceRow[] =>
  new DifferenceRows(from, to).window(all);
const countsOf = (from: IndexedPackage | null, to: IndexedPackage) => new DifferenceRows(from, to).counts;
const reported = (rows: readonly DifferenceRow[]): string[] =>
  rows.map(
    ({ kind, name, file, line, addedLines, removedLines }) =>
      `${kind} ${name} ${file}:${line} +${addedLines} -${removedLines}`,
  );
const row: DifferenceRow = {
  kind: 'changed',
  name: 'a',
  file: 'a.yar',
  line: 1,
  old: 0,
  new: 0,
  movedFrom: null,
  parts: [],
  addedLines: 1,
  removedLines: 1,
  broken: null,
};

test('the rows are broken, changed, added, removed and moved rules, each by file and line', () => {
  const from = packageOf({
    'a.yar': ruleText('stays') + ruleText('was_old') + ruleText('later'),
    'b.yar': ruleText('changes') + ruleText('goes') + ruleText('wanders'),
  });
  const to = packageOf(
    {
      'a.yar': ruleText('stays') + ruleText('later', { meta: '2' }) + ruleText('comes') + ruleText('wanders'),
      'b.yar': `${ruleText('breaks')}${ruleText('changes', { condition: 'false' })}stray\n`,
      'c.yar': ruleText('comes_too'),
    },
    [brokenAt('breaks', 'b.yar', 4)],
  );
  expect(reported(rowsOf(from, to))).toEqual([
    'broken breaks b.yar:4 +0 -0',
    'broken  b.yar:11 +0 -0',
    'changed later a.yar:6 +1 -1',
    'changed changes b.yar:6 +1 -1',
    'added comes a.yar:11 +5 -0',
    'added comes_too c.yar:1 +5 -0',
    'removed was_old a.yar:6 +0 -5',
    'removed goes b.yar:6 +0 -5',
    'moved wanders a.yar:16 +0 -0',
  ]);
  expect(countsOf(from, to)).toEqual({ broken: 2, changed: 2, added: 2, removed: 2, moved: 1, same: 1 });
});

test.each<[string, string, DifferenceRow['parts']]>([
  ['rule a { condition: true }', 'private rule a { condition: true }', ['modifiers']],
  ['rule a : x { condition: true }', 'rule a : x y { condition: true }', ['tags']],
  ['rule a { condition: true }', 'rule a { meta: b = 1 condition: true }', ['meta']],
  ['rule a { strings: $a = "1" condition: $a }', 'rule a { strings: $a = "2" condition: $a }', ['strings']],
  ['rule a { condition: true }', 'rule a { condition: false }', ['condition']],
  [
    'rule a { meta: b = 1 condition: true }',
    'rule a : t { meta: b = 2 condition: false }',
    ['tags', 'meta', 'condition'],
  ],
  ['rule a { condition: true }', 'rule a { condition: /* so */ true }', ['layout']],
])('%s → %s differs in %j', (old, next, parts) => {
  expect(rowsOf(packageOf({ 'a.yar': old }), packageOf({ 'a.yar': next }))).toEqual([{ ...row, parts }]);
});

test('a changed and moved rule is one changed row with its former place', () => {
  const [found, ...others] = rowsOf(
    packageOf({ 'a.yar': ruleText('a') }),
    packageOf({ 'b.yar': ruleText('a', { meta: '2' }) }),
  );
  expect(found).toEqual({ ...row, file: 'b.yar', movedFrom: 'a.yar', parts: ['meta'] });
  expect(others).toEqual([]);
});

test('a rule with only another line or other line ends is the same', () => {
  const from = packageOf({ 'a.yar': ruleText('a') });
  expect(countsOf(from, packageOf({ 'a.yar': `// first\n${ruleText('a').replaceAll('\n', '\r\n')}` }))).toEqual({
    broken: 0,
    changed: 0,
    added: 0,
    removed: 0,
    moved: 0,
    same: 1,
  });
});

test('a used rule that is now broken is removed and listed as broken', () => {
  const text = ruleText('a');
  const [broken, removed] = rowsOf(
    packageOf({ 'a.yar': text }),
    packageOf({ 'b.yar': text }, [brokenAt('a', 'b.yar', 4)]),
  );
  expect(broken).toMatchObject({
    kind: 'broken',
    name: 'a',
    file: 'b.yar',
    line: 4,
    old: 0,
    new: 0,
    movedFrom: null,
    broken: { text: 'unknown identifier' },
  });
  expect(removed).toMatchObject({
    kind: 'removed',
    name: 'a',
    file: 'a.yar',
    line: 1,
    old: 0,
    new: 0,
    movedFrom: null,
    broken: { text: 'unknown identifier' },
  });
});

test('a broken rule that now compiles is added', () => {
  const text = ruleText('a');
  const rows = rowsOf(packageOf({ 'a.yar': text }, [brokenAt('a', 'a.yar', 1)]), packageOf({ 'a.yar': text }));
  expect(rows).toMatchObject([{ kind: 'added', old: null, new: 0, broken: null }]);
});

test('the first of two rules of one name counts, and the other is listed as broken', () => {
  const rows = rowsOf(
    packageOf({ 'a.yar': ruleText('a') }),
    packageOf({ 'a.yar': ruleText('a') + ruleText('a', { meta: '2' }) }),
  );
  expect(rows).toMatchObject([
    { kind: 'broken', name: 'a', line: 6, old: null, new: 1, broken: { kind: 'duplicate' } },
  ]);
});

test('every usable rule is added when there was no package before', () => {
  const to = packageOf({ 'a.yar': ruleText('a') + ruleText('b') }, [brokenAt('b', 'a.yar', 6)]);
  expect(countsOf(null, to)).toEqual({ broken: 1, changed: 0, added: 1, removed: 0, moved: 0, same: 0 });
});

test('a window holds only its rows', () => {
  const difference = new DifferenceRows(
    null,
    packageOf({ 'a.yar': ['a', 'b', 'c', 'd'].map((name) => ruleText(name)).join('') }),
  );
  expect(difference.total).toBe(4);
  expect(difference.window({ offset: 1, limit: 2 }).map(({ name }) => name)).toEqual(['b', 'c']);
  expect(difference.window({ offset: 9, limit: 2 })).toEqual([]);
});

const name = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor');
const rule = fc.record({
  name,
  file: fc.constantFrom('a.yar', 'b.yar'),
  condition: fc.constantFrom('true', 'false'),
  head: fc.constantFrom('', 'private ', 'stray '),
});
const somePackage = fc
  .record({
    rules: fc.array(rule, { maxLength: 12 }),
    broken: fc.array(fc.record({ name, line: fc.nat(60) }), { maxLength: 3 }),
  })
  .map(({ rules, broken }) => {
    const texts: Record<string, string> = {};
    for (const { file, name: each, ...how } of rules) texts[file] = (texts[file] ?? '') + ruleText(each, how);
    return packageOf(
      texts,
      broken.map((each) => brokenAt(each.name, 'a.yar', each.line)),
    );
  });

test('active + added − removed = new, and the counts are those of the rows', () => {
  fc.assert(
    fc.property(fc.option(somePackage), somePackage, (from, to) => {
      const { counts } = new DifferenceRows(from, to);
      const rows = rowsOf(from, to);
      expect((from?.usable.size ?? 0) + counts.added - counts.removed).toBe(to.usable.size);
      expect(counts.same + counts.changed + counts.added + counts.moved).toBe(to.usable.size);
      for (const kind of ['broken', 'changed', 'added', 'removed', 'moved'] as const)
        expect(counts[kind]).toBe(rows.filter((each) => each.kind === kind).length);
      for (const each of rows) {
        expect(each.parts.length > 0).toBe(each.kind === 'changed');
        if (each.kind !== 'removed' && each.new !== null)
          expect(to.parsed.rules[each.new]).toMatchObject({ name: each.name, file: each.file });
        if (each.kind === 'removed')
          expect(from?.parsed.rules[each.old ?? -1]).toMatchObject({
            name: each.name,
            file: each.file,
            line: each.line,
          });
      }
      expect(counts.broken).toBe(to.broken.length);
    }),
  );
});

test('a package does not differ from itself', () => {
  fc.assert(
    fc.property(somePackage, (pack) => {
      expect(new Set(rowsOf(pack, pack).map(({ kind }) => kind))).toEqual(new Set(pack.broken.map(() => 'broken')));
    }),
  );
});

test('rules of one name are compared within one file, and one with a new file is not removed', () => {
  const one = ruleText('same', { meta: '1' });
  const two = ruleText('same', { meta: '2' });
  const from = packageOf({ 'b.yar': one, 'c.yar': two });
  const to = packageOf({ 'a.yar': ruleText('same', { meta: '3' }), 'b.yar': one, 'c.yar': two });
  expect(rowsOf(from, to).map(({ kind, file }) => [kind, file])).toEqual([['added', 'a.yar']]);
  expect(
    rowsOf(from, packageOf({ 'b.yar': one, 'd.yar': two })).map(({ kind, file, movedFrom }) => [kind, file, movedFrom]),
  ).toEqual([['moved', 'd.yar', 'c.yar']]);
  expect(rowsOf(from, packageOf({ 'c.yar': two })).map(({ kind, file }) => [kind, file])).toEqual([
    ['removed', 'b.yar'],
  ]);
});
