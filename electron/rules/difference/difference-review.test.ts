import { expect, test } from 'vitest';
import type { BrokenRule } from '../../../shared/domain/publication.ts';
import { firstReview, type ReviewItem, type ReviewQuery } from '../../../shared/domain/rule-review.ts';
import { textOfLeftOut, textOfUndefined, textOfUse } from '../broken-format.ts';
import type { IndexedPackage } from '../library/indexed-package.ts';
import { packageOf, ruleText } from '../library/package.fixture.ts';
import { DifferenceRows } from './difference-rows.ts';

const reviewOf = (from: IndexedPackage | null, to: IndexedPackage, query: Partial<ReviewQuery> = {}) =>
  new DifferenceRows(from, to).review.list({ ...firstReview, ...query });
const itemsOf = (from: IndexedPackage | null, to: IndexedPackage, query: Partial<ReviewQuery> = {}): string[] =>
  reviewOf(from, to, query).window(0, 1000).map(words);

function words(item: ReviewItem): string {
  if (item.kind === 'row') return `${item.row.kind} ${item.row.name}${item.part === null ? '' : ` ${item.part}`}`;
  if (item.kind === 'broken') return `# ${item.count} broken, ${item.causes} causes`;
  const sign = item.isOpen ? 'v' : '>';
  return item.kind === 'file'
    ? `${sign} ${item.file} ${item.count}`
    : `${sign} ${item.cause.kind} ${item.cause.subject} ${item.count}`;
}

const old = packageOf({
  'a.yar': ruleText('same') + ruleText('by_meta') + ruleText('by_condition') + ruleText('by_layout'),
  'b.yar':
    'rule by_tag : old { meta: author = "Ada Lovelace" condition: true }\nrule by_modifier { condition: true }\n' +
    ruleText('gone') +
    ruleText('wanders'),
});
const next = packageOf({
  'a.yar':
    ruleText('same') +
    ruleText('by_meta', { meta: '2' }) +
    ruleText('by_condition', { meta: '3', condition: 'false' }) +
    ruleText('by_layout').replace('condition: true', 'condition:  true'),
  'b.yar':
    'rule by_tag : new { meta: author = "Ada Lovelace" condition: true }\n' +
    'private rule by_modifier { condition: true }\n' +
    ruleText('fresh'),
  'c.yar': ruleText('wanders'),
});

test('the review groups rules by file, and counts but does not list a rule whose layout alone changed', () => {
  expect(itemsOf(old, next)).toEqual([
    'v a.yar 2',
    'changed by_meta meta',
    'changed by_condition condition',
    'v b.yar 4',
    'changed by_tag tags',
    'changed by_modifier modifiers',
    'added fresh',
    'removed gone',
    'v c.yar 1',
    'moved wanders',
  ]);
  const { facets, listed, firstRule } = reviewOf(old, next);
  expect(facets).toEqual({
    all: 8,
    changed: 5,
    added: 1,
    removed: 1,
    moved: 1,
    broken: 0,
    parts: { condition: 1, strings: 0, modifiers: 1, tags: 1, meta: 1, layout: 1 },
  });
  expect([listed, firstRule]).toEqual([7, 1]);
});

test('a kind of change and its parts filter the list, and the counts still cover everything found', () => {
  expect(itemsOf(old, next, { of: 'changed', parts: ['condition', 'layout'] })).toEqual([
    'v a.yar 2',
    'changed by_condition condition',
    'changed by_layout layout',
  ]);
  expect(itemsOf(old, next, { of: 'added' })).toEqual(['v b.yar 1', 'added fresh']);
  expect(reviewOf(old, next, { of: 'added' }).facets.changed).toBe(5);
});

test.each([
  ['by_t', ['v b.yar 1', 'changed by_tag tags']],
  ['C.YAR', ['v c.yar 1', 'moved wanders']],
  ['new ada', ['v b.yar 1', 'changed by_tag tags']],
  ['gone ada', []],
])('the search %j finds rules by name, file, tag and author', (find, found) => {
  expect(itemsOf(old, next, { find })).toEqual(found);
});

test('a closed group keeps its count and lists no rules', () => {
  const { listed, total } = reviewOf(old, next, { toggled: ['file b.yar'] });
  expect(itemsOf(old, next, { toggled: ['file b.yar'] })).toContain('> b.yar 4');
  expect([listed, total]).toEqual([7, 6]);
});

test('the review lists the rules in one list by name and by size of the change', () => {
  expect(itemsOf(old, next, { sort: 'name', of: 'changed' })).toEqual([
    'changed by_condition condition',
    'changed by_meta meta',
    'changed by_modifier modifiers',
    'changed by_tag tags',
  ]);
  expect(itemsOf(old, next, { sort: 'size' }).slice(0, 3)).toEqual([
    'added fresh',
    'removed gone',
    'changed by_condition condition',
  ]);
});

const brokenBy = (
  rule: string | null,
  line: number,
  text: string,
  kind: BrokenRule['kind'] = 'engine',
): BrokenRule => ({ rule, file: 'a.yar', line, kind, text });

test('broken rules are one row per cause, the most frequent first, listed when the row is opened', () => {
  const names = ['m1', 'm2', 'm3', 'uses_m1', 'escape', 'odd', 'odder'];
  const rules = names.map((name) => `rule ${name} { strings: $a = /a\\qb/ condition: $a }\n`);
  const text = `import "androguard"\n${rules.join('')}`;
  const unknown = (name: string): string => `unknown identifier \`${name}\`: this identifier has not been declared`;
  const to = packageOf({ 'a.yar': text }, [
    brokenBy(null, 1, 'unknown module `androguard`: module `androguard` not found'),
    ...['m1', 'm2', 'm3'].map((name, at) => brokenBy(name, at + 2, unknown('androguard'))),
    brokenBy('uses_m1', 5, unknown('m1')),
    brokenBy('escape', 6, 'invalid regular expression: unrecognized escape sequence: did you mean `…` instead of `…`?'),
    brokenBy('odd', 7, 'duplicate tag `a`: duplicate tag'),
    brokenBy('odder', 8, 'duplicate tag `b`: duplicate tag'),
  ]);
  const closed = itemsOf(null, to);
  expect(closed).toEqual([
    '# 8 broken, 4 causes',
    '> module androguard 4',
    '> engine duplicate tag `…`: duplicate tag 2',
    '> rule m1 1',
    '> strict  1',
  ]);
  const [, module] = reviewOf(null, to).window(0, 10);
  const key = module?.kind === 'cause' ? module.key : '';
  expect(itemsOf(null, to, { toggled: [key] }).slice(1, 6)).toEqual([
    'v module androguard 4',
    'broken ',
    'broken m1',
    'broken m2',
    'broken m3',
  ]);
});

test('users of a broken rule are one row per rule, also where only some namespaces omit them', () => {
  const base = { name: 'base', file: 'a.yar', line: 1 };
  const to = packageOf(
    {
      'a.yar': ['base', 'first', 'second', 'third', 'fourth']
        .map((name) => `rule ${name} { condition: true }\n`)
        .join(''),
    },
    [
      brokenBy('base', 1, 'duplicate tag `a`: duplicate tag'),
      brokenBy('first', 2, textOfUse(base), 'uses'),
      brokenBy('second', 3, textOfUse(base), 'uses'),
      brokenBy(null, 4, `${textOfLeftOut('third', { root: 'b.yar', times: 1 })}: ${textOfUse(base)}`, 'uses'),
      brokenBy('fourth', 5, textOfUndefined('nowhere'), 'uses'),
    ],
  );
  expect(itemsOf(null, to, { sort: 'file' }).filter((item) => item.startsWith('>'))).toEqual([
    '> rule base 3',
    '> engine duplicate tag `…`: duplicate tag 1',
    '> uses  1',
  ]);
});

test('a few broken rules are listed at once', () => {
  const to = packageOf({ 'a.yar': 'rule a { condition: x }' }, [brokenBy('a', 1, 'unknown identifier `x`')]);
  expect(itemsOf(null, to)).toEqual(['# 1 broken, 1 causes', 'v engine unknown identifier `…` 1', 'broken a']);
});

test('a regular expression that YARA refuses too is not reported as accepted in relaxed mode', () => {
  const text = 'invalid regular expression: unrecognized escape sequence';
  const causeOf = (regex: string) =>
    reviewOf(
      null,
      packageOf({ 'a.yar': `rule a { strings: $a = /${regex}/ condition: $a }` }, [brokenBy('a', 1, text)]),
    ).window(1, 1);
  expect(causeOf('a\\qb')).toMatchObject([{ cause: { kind: 'strict' } }]);
  expect(causeOf('a\\q\\1')).toMatchObject([{ cause: { kind: 'engine' } }]);
});

test('a rule that YARA accepts and YARA-X refuses is reported as such', () => {
  const to = packageOf({ 'a.yar': 'rule a { strings: $a = "ab" base64 condition: $a }' }, [
    brokenBy(
      'a',
      1,
      'invalid pattern `$a`: this pattern is too short: `base64` requires that pattern is at least 3 bytes long',
    ),
  ]);
  expect(reviewOf(null, to).window(1, 1)).toMatchObject([{ cause: { kind: 'engine', isTakenByYara: true } }]);
});

test('a list of ten thousand changed rules takes seconds at most, and a window of it is immediate', () => {
  const texts = (meta: string) =>
    Object.fromEntries(
      Array.from({ length: 100 }, (_, file) => [
        `f${file}.yar`,
        Array.from({ length: 100 }, (__, at) => ruleText(`r_${file}_${at}`, { meta })).join(''),
      ]),
    );
  const difference = new DifferenceRows(packageOf(texts('1')), packageOf(texts('2')));
  for (const query of [firstReview, { ...firstReview, find: 'r_99' }, { ...firstReview, sort: 'size' as const }]) {
    const began = performance.now();
    const list = difference.review.list(query);
    expect(performance.now() - began).toBeLessThan(5000);
    const windowed = performance.now();
    list.window(list.total - 100, 100);
    expect(performance.now() - windowed).toBeLessThan(200);
  }
});
