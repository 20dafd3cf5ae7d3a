import { expect, test } from 'vitest';
import { mostMatchData, mostMatchesShown } from '../../../shared/domain/scan.ts';
import type { EngineHit } from '../engine/scan-engine.ts';
import { foundIn, mostFound } from './scan-verdict.ts';

test('an engine reports as much of a string as Vitrine shows', () => {
  expect(mostFound).toMatchObject({ matchesOfOne: mostMatchesShown, data: mostMatchData });
});

const bytes = Buffer.alloc(100_000, 'ab');
const hit = (rule: string, ids: readonly string[], count: number): EngineHit => ({
  rule,
  matches: ids.flatMap((identifier) =>
    Array.from({ length: count }, (_, offset) => ({ identifier, offset, length: 2 })),
  ),
});
const shown = (hits: readonly EngineHit[]): number[][] =>
  foundIn(hits, bytes, null).found.map(({ strings }) => strings.map(({ matches }) => matches.length));

test('found rules are sorted by name, strings by id and matches by offset, whatever the engine’s order', () => {
  const matches = [
    { identifier: '$b', offset: 4, length: 1 },
    { identifier: '$a', offset: 9, length: 2 },
    { identifier: '$b', offset: 2, length: 3 },
    { identifier: '$b', offset: 2, length: 1 },
  ];
  expect(
    foundIn(
      [
        { rule: 'z', matches },
        { rule: 'a', matches: [] },
      ],
      bytes,
      null,
    ),
  ).toEqual({
    found: [
      { rule: 'a', strings: [] },
      {
        rule: 'z',
        strings: [
          { id: '$a', total: 1, isAtLeast: false, matches: [{ offset: 9, length: 2, data: '6261' }] },
          {
            id: '$b',
            total: 3,
            isAtLeast: false,
            matches: [
              { offset: 2, length: 1, data: '61' },
              { offset: 2, length: 3, data: '616261' },
              { offset: 4, length: 1, data: '61' },
            ],
          },
        ],
      },
    ],
    isCut: false,
  });
});

test('found rules have the first 64 bytes of a long match, also from shared memory', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(200)).fill(0xfe);
  const { found } = foundIn([{ rule: 'a', matches: [{ identifier: '$a', offset: 100, length: 100 }] }], shared, null);
  expect(found[0]?.strings[0]?.matches[0]).toEqual({ offset: 100, length: 100, data: 'fe'.repeat(64) });
});

test('found rules keep space for others beside a string that matches everywhere', () => {
  expect(shown([hit('a', ['$a', '$b', '$c', '$d', '$e', '$f'], 3000), hit('b', ['$x'], 7)])).toEqual([
    [832, 832, 832, 832, 832, 832],
    [7],
  ]);
  expect(foundIn([hit('a', ['$a'], 1001)], bytes, null)).toMatchObject({
    isCut: true,
    found: [{ strings: [{ total: 1001 }] }],
  });
  expect(foundIn([hit('a', ['$a', '$b'], 1000)], bytes, null).isCut).toBe(false);
});

test('found rules are limited to the first of very many strings and rules', () => {
  const strings = Array.from({ length: 5001 }, (_, index) => `$${index}`);
  const many = foundIn([hit('a', strings, 1), hit('b', ['$a'], 1)], bytes, null);
  expect([many.isCut, many.found.map((rule) => rule.strings.length)]).toEqual([true, [5000, 0]]);
  const rules = foundIn(
    Array.from({ length: 10_001 }, (_, index) => hit(`r${index}`, [], 0)),
    bytes,
    null,
  );
  expect([rules.isCut, rules.found.length]).toEqual([true, 10_000]);
});

test('found rules omit rules that were not requested', () => {
  expect(foundIn([hit('a', [], 0), hit('b', [], 0)], bytes, new Set(['b'])).found.map(({ rule }) => rule)).toEqual([
    'b',
  ]);
});
