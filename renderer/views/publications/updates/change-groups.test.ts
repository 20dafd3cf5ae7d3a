import { expect, test } from 'vitest';
import { groupsOf, itemAt, itemCount, placeOf } from './change-groups.ts';

const counts = { broken: 1, changed: 3, added: 0, removed: 2, moved: 1, same: 405 };

test('each kind that has lines stands under a heading, in the order of the lines', () => {
  const groups = groupsOf(counts);
  const shown = Array.from({ length: itemCount(groups) }, (_, place) => {
    const item = itemAt(groups, place);
    return item?.kind === 'line' ? item.index : item?.group.kind;
  });
  expect(shown).toEqual(['broken', 0, 'changed', 1, 2, 3, 'removed', 4, 5, 'moved', 6]);
});

test('the place of a line is where that line stands', () => {
  const groups = groupsOf(counts);
  for (let index = 0; index < 7; index += 1) expect(itemAt(groups, placeOf(groups, index))).toEqual({ kind: 'line', index });
});

test('without lines there is nothing', () => {
  const groups = groupsOf({ broken: 0, changed: 0, added: 0, removed: 0, moved: 0, same: 9 });
  expect(itemCount(groups)).toBe(0);
  expect(itemAt(groups, 0)).toBeNull();
});
