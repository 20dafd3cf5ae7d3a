import { expect, test } from 'vitest';
import { sidebarViews, type ViewName } from '../state/navigation.tsx';
import { everyKeyTable, globalShortcut, keyTablesOf } from './keys.ts';

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

const docs = import.meta.glob<string>(['../../README.md', '../../docs/*.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('the documentation names no Ctrl shortcut that the page does not have', () => {
  const known = new Set(everyKeyTable.flatMap(({ rows }) => rows.map((row) => row.keys)));
  const named = Object.values(docs).flatMap((words) => words.match(/\bCtrl (?:[A-Z]\w+|[A-Z\d,])/g) ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((keys) => !known.has(keys))).toEqual([]);
});

test('the views of the sidebar have Ctrl and a digit, in its order', () => {
  const [everywhere] = everyKeyTable;
  expect(everywhere?.rows.slice(1, 10).map(({ keys, does }) => `${keys} ${does}`)).toEqual(
    sidebarViews.map(({ title }, at) => `Ctrl ${at + 1} Open ${title}`),
  );
  expect(sidebarViews.map((_, at) => globalShortcut(`${at + 1}`))).toEqual(sidebarViews.map(({ name }) => name));
});
