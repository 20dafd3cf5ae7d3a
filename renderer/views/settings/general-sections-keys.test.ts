import { expect, test } from 'vitest';
import { everyKeyTable } from '../../keyboard/keys.ts';
import { keysFound } from './general-sections.tsx';

const tables = [
  {
    title: 'Everywhere',
    rows: [
      { keys: 'Ctrl K', does: 'Run a command' },
      { keys: 'Shift F6', does: 'Previous pane' },
    ],
  },
  {
    title: 'Rules',
    rows: [
      { keys: 'J, K', does: 'Down and up' },
      { keys: 'Enter', does: 'To the source' },
    ],
  },
];
const found = (find: string): string[] => keysFound(tables, find).flatMap(({ rows }) => rows.map(({ keys }) => keys));

test.each([
  ['', ['Ctrl K', 'Shift F6', 'J, K', 'Enter']],
  ['k', ['Ctrl K', 'J, K']],
  ['ctrl k', ['Ctrl K']],
  ['Ctrl', ['Ctrl K']],
  ['command', ['Ctrl K']],
  ['RULES down', ['J, K']],
  ['f6', ['Shift F6']],
  ['nothing does this', []],
])('the key search for %j finds %j', (find, keys) => {
  expect(found(find)).toEqual(keys);
});

test('the key search finds every key of every view by the key and by its action', () => {
  for (const { title, rows } of everyKeyTable) {
    for (const { keys, does } of rows) {
      const [word = ''] = keys.split(/[ ,]+/);
      for (const find of [word, does, title])
        expect(
          keysFound(everyKeyTable, find).some(
            (table) => table.title === title && table.rows.some((row) => row.does === does),
          ),
          `${find} in ${title}`,
        ).toBe(true);
    }
  }
});
