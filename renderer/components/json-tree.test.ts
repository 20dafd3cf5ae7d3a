import { expect, test } from 'vitest';
import type { Json } from '../../shared/domain/sample.ts';
import { childrenShown, deepestShown, jsonRows, moveInTree } from './json-tree.tsx';

const names = (value: { [key: string]: Json }, ...open: string[]): string[] =>
  jsonRows(value, new Set(open)).map(({ path }) => path);

test('the tree draws open nodes in order and omits the contents of closed ones', () => {
  const value = { a: 1, b: { c: [true, null] }, d: {} };
  expect(names(value)).toEqual(['/a', '/b', '/d']);
  expect(names(value, '/b', '/b/c')).toEqual(['/a', '/b', '/b/c', '/b/c/0', '/b/c/1', '/d']);
});

test('an empty object is a leaf that cannot be opened', () => {
  expect(jsonRows({ d: {}, e: [] }, new Set()).map(({ kind }) => kind)).toEqual(['leaf', 'leaf']);
});

test('the tree draws a million entries two hundred at a time and counts the rest', () => {
  const value = { many: Array.from({ length: 1_000_000 }, (_, index) => index) };
  const rows = jsonRows(value, new Set(['/many']));
  expect(rows).toHaveLength(1 + childrenShown + 1);
  expect(rows.at(-1)).toMatchObject({ kind: 'more', size: 1_000_000 - childrenShown, name: '/many' });
  expect(jsonRows(value, new Set(['/many']), new Map([['/many', 400]]))).toHaveLength(1 + 400 + 1);
});

test('a thousand levels end at a depth limit without a stack overflow', () => {
  let value: { [key: string]: Json } = { end: true };
  for (let level = 0; level < 1000; level += 1) value = { d: value };
  const open = new Set(Array.from({ length: 1000 }, (_, level) => '/d'.repeat(level + 1)));
  const rows = jsonRows(value, open);
  expect(rows).toHaveLength(deepestShown);
  expect(rows.at(-1)?.kind).toBe('leaf');
});

test('names with slashes, tildes or three hundred characters stay distinct', () => {
  const long = 'n'.repeat(300);
  expect(new Set(names({ 'a/b': { c: 1 }, a: { 'b/c': 1 }, '~more': 1, [long]: 1 }, '/a~1b', '/a')).size).toBe(6);
});

test('the arrow keys move, open and close as in any tree', () => {
  const closed = jsonRows({ a: { b: 1 }, c: 2 }, new Set());
  const open = jsonRows({ a: { b: 1 }, c: 2 }, new Set(['/a']));
  expect(moveInTree(closed, 0, 'ArrowDown')).toEqual({ to: 1, acts: false });
  expect(moveInTree(closed, 1, 'ArrowDown')).toEqual({ to: 1, acts: false });
  expect(moveInTree(closed, 0, 'ArrowRight')).toEqual({ to: 0, acts: true });
  expect(moveInTree(open, 0, 'ArrowRight')).toEqual({ to: 1, acts: false });
  expect(moveInTree(open, 1, 'ArrowLeft')).toEqual({ to: 0, acts: false });
  expect(moveInTree(open, 0, 'ArrowLeft')).toEqual({ to: 0, acts: true });
  expect(moveInTree(open, 0, 'End')).toEqual({ to: 2, acts: false });
  expect(moveInTree(open, 0, 'd')).toBeNull();
});
