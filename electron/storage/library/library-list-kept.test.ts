import { expect, test } from 'vitest';
import { type KeptList, KeptLists } from './library-list.ts';

const listOf = (ids: number): KeptList => ({ ids: new Float64Array(ids), total: ids });
const million = 1_000_000;

test('the four most recently used lists are kept', () => {
  const lists = new KeptLists();
  for (const key of ['a', 'b', 'c', 'd']) lists.keep(key, listOf(1));
  lists.get('a');
  lists.keep('e', listOf(1));
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => lists.get(key) !== null)).toEqual(['a', 'c', 'd', 'e']);
});

test('long lists except the last are dropped at eight million numbers', () => {
  const lists = new KeptLists();
  lists.keep('a', listOf(3 * million));
  lists.keep('b', listOf(5 * million));
  expect(lists.get('a')).not.toBeNull();
  lists.keep('c', listOf(1));
  expect(['a', 'b', 'c'].filter((key) => lists.get(key) !== null)).toEqual(['a', 'c']);
  lists.keep('d', listOf(9 * million));
  expect(['a', 'c', 'd'].filter((key) => lists.get(key) !== null)).toEqual(['d']);
});
