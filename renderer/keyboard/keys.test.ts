import { expect, test } from 'vitest';
import { sidebarViews, type ViewName } from '../state/navigation.tsx';
import { everyKeyTable, globalShortcut, keyTablesOf } from './keys.ts';

const keysIn = (currentView: ViewName): Record<string, string[]> =>
  Object.fromEntries(
    keyTablesOf({ currentView, publicationsTab: 'updates', shownScan: null, shownSample: null }).map(
      ({ title, rows }) => [title, rows.map(({ keys }) => keys)],
    ),
  );

test('the keys of a saved view are shown with its list', () => {
  expect(keysIn('library')['Saved views']).toEqual(['F2', 'Alt Up', 'Alt Down', 'Del']);
});

test('the welcome shows the key that leaves it', () => {
  expect(keysIn('welcome')['Welcome']).toEqual(['Esc']);
});

test('no view lists an action twice among its keys', () => {
  for (const { title, rows } of everyKeyTable)
    expect(new Set(rows.map(({ does }) => does)).size, title).toBe(rows.length);
});

test('E exports in every view that has it', () => {
  const rows = everyKeyTable.flatMap((table) => table.rows.filter(({ keys }) => keys === 'E'));
  expect(rows.length).toBeGreaterThan(2);
  for (const { does } of rows) expect(does).toMatch(/^Export/);
});

const docs = import.meta.glob<string>(['../../README.md', '../../docs/*.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('the documentation names no Ctrl shortcut missing from the page', () => {
  const known = new Set(everyKeyTable.flatMap(({ rows }) => rows.map((row) => row.keys)));
  const named = Object.values(docs).flatMap((words) => words.match(/\bCtrl (?:[A-Z]\w+|[A-Z\d,])/g) ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((keys) => !known.has(keys))).toEqual([]);
});

test('the sidebar views have Ctrl and a digit, in their order', () => {
  const [everywhere] = everyKeyTable;
  expect(everywhere?.rows.slice(1, 10).map(({ keys, does }) => `${keys} ${does}`)).toEqual(
    sidebarViews.map(({ title }, at) => `Ctrl ${at + 1} Open ${title}`),
  );
  expect(sidebarViews.map((_, at) => globalShortcut(`${at + 1}`))).toEqual(sidebarViews.map(({ name }) => name));
});
