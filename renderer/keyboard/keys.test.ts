import { expect, test } from 'vitest';
import type { ViewName } from '../state/navigation.tsx';
import { everyKeyTable, keyTablesOf } from './keys.ts';

const keysIn = (currentView: ViewName): Record<string, string[]> =>
  Object.fromEntries(
    keyTablesOf({ currentView, publicationsTab: 'updates', shownScan: null, shownSample: null }).map(
      ({ title, rows }) => [title, rows.map(({ keys }) => keys)],
    ),
  );

test('the keys of a saved view are told where its list is', () => {
  expect(keysIn('library')['Saved views']).toEqual(['F2', 'Alt Up', 'Alt Down', 'Del']);
});

test('the welcome tells the way out of it', () => {
  expect(keysIn('welcome')['Welcome']).toEqual(['Esc']);
});

test('no place has a key twice for the same thing', () => {
  for (const { title, rows } of everyKeyTable)
    expect(new Set(rows.map(({ does }) => does)).size, title).toBe(rows.length);
});

test('E exports in every place that has it', () => {
  const rows = everyKeyTable.flatMap((table) => table.rows.filter(({ keys }) => keys === 'E'));
  expect(rows.length).toBeGreaterThan(2);
  for (const { does } of rows) expect(does).toMatch(/^Export/);
});
