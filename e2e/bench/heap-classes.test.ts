import { expect, test } from 'vitest';
import { classesIn, growingClasses } from './heap-classes.ts';

/** As V8 writes it: its description of itself, and then only numbers. */
function snapshotOf(nodes: readonly (readonly [kind: string, name: string])[]): string {
  const kinds = ['hidden', 'array', 'string', 'object', 'code', 'closure'];
  const strings = [...new Set(nodes.map(([, name]) => name))];
  return JSON.stringify({
    snapshot: {
      meta: { node_fields: ['type', 'name', 'id', 'self_size'], node_types: [kinds, 'string', 'number', 'number'] },
    },
    nodes: nodes.flatMap(([kind, name], at) => [kinds.indexOf(kind), strings.indexOf(name), at, 16]),
    strings,
  });
}

test('the heap summary counts objects by class and strings and lists by kind, without engine internals', () => {
  const text = snapshotOf([
    ['object', 'Batch'],
    ['object', 'Batch'],
    ['closure', 'add'],
    ['string', 'one'],
    ['string', 'other'],
    ['code', 'add'],
    ['hidden', 'map'],
    ['array', ''],
  ]);
  expect(Object.fromEntries(classesIn(text))).toEqual({ Batch: 2, 'add()': 1, '(string)': 2, '(array)': 1 });
});

test('the heap comparison lists classes that grow beyond the limit, largest first', () => {
  const before = new Map([
    ['Batch', 10],
    ['Map', 5],
    ['Gone', 100],
  ]);
  const after = new Map([
    ['Batch', 40],
    ['Map', 25],
    ['New', 31],
  ]);
  expect(growingClasses(before, after, 20)).toEqual([
    { name: 'New', more: 31 },
    { name: 'Batch', more: 30 },
  ]);
});
