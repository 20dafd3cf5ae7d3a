import { expect, test } from 'vitest';
import { differenceOf, matchesOf, matchTotals, shownHits } from './shown-hits.ts';
import { fileOf, hitOf, resultOf } from './open-results.fixture.tsx';

const strings = (offsets: readonly number[], data: string | null = '4142') => [
  { id: '$a', matches: offsets.map((offset) => ({ offset, length: null, data })), total: 200, isAtLeast: true },
];

test('a rule found by both engines is one hit, with the strings of the engine that knows them', () => {
  const [hit] = shownHits(
    fileOf(1, [
      resultOf('local', [hitOf('a', [], { strings: [], family: null })]),
      resultOf('service', [hitOf('a', [], { strings: strings([9, 3]), place: null })]),
    ]),
  );
  expect(hit).toMatchObject({
    rule: 'a',
    sides: ['local', 'service'],
    only: null,
    matches: 200,
    isAtLeast: true,
    family: 'ashveil',
    place: { line: 12 },
  });
  expect(hit && matchesOf(hit).map(({ offset, length, saidLength }) => [offset, length, saidLength])).toEqual([
    [3, 2, null],
    [9, 2, null],
  ]);
});

test('the only engine of a hit is shown when both have scanned', () => {
  const only = (results: Parameters<typeof fileOf>[1]) => shownHits(fileOf(1, results)).map((hit) => hit.only);
  expect(only([resultOf('local', [hitOf('a')]), resultOf('service', [])])).toEqual(['local']);
  expect(only([resultOf('local', [hitOf('a')])])).toEqual([null]);
  expect(only([resultOf('local', [hitOf('a')]), resultOf('service', [], { state: 'failed' })])).toEqual([null]);
});

test('hits are sorted: new, then lost, then known by name, then muted', () => {
  const file = fileOf(1, [resultOf('local', [hitOf('d'), hitOf('c'), hitOf('b'), hitOf('a')])], {
    added: ['d', 'a'],
    lost: ['z'],
    muted: [{ rule: 'a', reason: 'known', expires: null }],
  });
  expect(shownHits(file).map(({ rule, news }) => [rule, news])).toEqual([
    ['d', 'added'],
    ['z', 'lost'],
    ['b', null],
    ['c', null],
    ['a', 'added'],
  ]);
});

test('a hit of one engine alone is named; a failed engine differs from one without the hit', () => {
  const local = resultOf('local', [hitOf('a'), hitOf('b')]);
  expect(differenceOf([local, resultOf('service', [hitOf('b'), hitOf('c')])])).toEqual({
    onlyLocal: ['a'],
    onlyService: ['c'],
  });
  expect(differenceOf([local])).toBeNull();
  expect(differenceOf([local, resultOf('service', [], { state: 'not-understood' })])).toBeNull();
  expect(matchTotals([local, resultOf('service', [hitOf('b', [1, 2, 3])])], 'b')).toEqual({ local: 1, service: 3 });
  expect(matchTotals([local], 'b')).toBeNull();
});

test('a bare rule name of a service counts for each local rule of that name', () => {
  const results = [
    resultOf('local', [hitOf('a.yar:same'), hitOf('same'), hitOf('b.yar:other')]),
    resultOf('service', [hitOf('same', [1, 2, 3]), hitOf('other'), hitOf('third')]),
  ];
  expect(shownHits(fileOf(1, results)).map(({ rule, sides, only }) => [rule, sides, only])).toEqual([
    ['a.yar:same', ['local', 'service'], null],
    ['b.yar:other', ['local', 'service'], null],
    ['same', ['local', 'service'], null],
    ['third', ['service'], 'service'],
  ]);
  expect(differenceOf(results)).toEqual({ onlyLocal: [], onlyService: ['third'] });
  expect(matchTotals(results, 'a.yar:same')).toEqual({ local: 1, service: 3 });
});
