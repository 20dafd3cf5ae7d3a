import '../../test/page-surroundings.ts';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { LibraryRow, LibrarySelection } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import { createQueryClient } from '../../bridge/query-client.ts';
import { type GivenAnswers, MemoryBridge } from '../../test/memory-bridge.ts';
import { TestProviders } from '../../test/test-providers.fixture.tsx';
import { rowOf } from '../library/library-row.fixture.ts';
import { factsOf } from '../library/sample-facts.fixture.ts';
import { hit } from '../sample/open-sample.fixture.tsx';
import { CompareDialog } from './compare-dialog.tsx';

const hostile = '<b>\u202Egpj.exe | `x`';
const rows = [
  rowOf(1, { name: 'one.exe', tags: ['case:1', 'packed'] }),
  rowOf(2, { name: hostile, tags: ['packed'], sizeBytes: 1001 }),
  rowOf(3, { name: 'three.exe', tags: ['packed'] }),
  rowOf(4, { name: 'four.exe', tags: ['case:1'] }),
];
const named = (...meant: readonly LibraryRow[]): LibrarySelection => ({
  kind: 'named',
  hashes: meant.map(({ hash }) => hash),
});

function show(selection: LibrarySelection, more: GivenAnswers = {}) {
  const user = userEvent.setup();
  const onClose = vi.fn();
  const bridge = new MemoryBridge({
    'library.sample': ({ hash }) => {
      const row = rows.find((each) => each.hash === hash) ?? fail({ kind: 'not-in-library', hash });
      return { row, note: null, tlps: [], names: [], records: [], sameMd5: [] };
    },
    'library.facts': () => ({ samples: rows.map(factsOf), next: null }),
    'samples.hits': () => ({ hits: [], known: null, lastScan: { rules: 1, time: null } }),
    ...more,
  });
  render(
    <TestProviders bridge={bridge} client={createQueryClient()} features={[]}>
      <CompareDialog selection={selection} onClose={onClose} />
    </TestProviders>,
  );
  return { user, bridge, onClose };
}
const rowNames = (): (string | null)[] => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);

test('two samples are compared by their differences, and the others are counted and shown on request', async () => {
  const [one, two] = rows;
  if (one === undefined || two === undefined) throw new TypeError('rows');
  const { user } = show(named(one, two));
  await screen.findByRole('dialog', { name: 'Compare 2 samples' });
  expect(rowNames()).toEqual(['Name differs', 'SHA-256 differs', 'MD5 differs', 'Local tags differs']);
  expect(screen.getByText('7 facts are the same, 8 have no value')).toBeDefined();
  expect(screen.getByRole('list', { name: 'In both' }).textContent).toBe('packed');
  expect(screen.getByRole('list', { name: 'Only here' }).textContent).toBe('case:1');
  await user.click(screen.getByRole('checkbox', { name: 'Differences only' }));
  expect(rowNames()).toContain('Size');
});

test('four samples of a query are columns, with what all share and what only one has', async () => {
  show({ kind: 'query', terms: [], except: [] });
  await screen.findByRole('dialog', { name: 'Compare 4 samples' });
  expect(screen.getAllByRole('columnheader')).toHaveLength(5);
  const table = screen.getByRole('table');
  expect(table.textContent).not.toContain('\u202E');
  expect(within(table).getAllByRole('list', { name: 'In some' })).toHaveLength(4);
});

test('the keyboard closes it, and copies the shown facts as Markdown', async () => {
  const [, two, three] = rows;
  if (two === undefined || three === undefined) throw new TypeError('rows');
  const { user, onClose } = show(named(two, three));
  await screen.findByRole('table');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' }));
  await user.tab({ shift: true });
  await user.keyboard('{Enter}');
  await screen.findByText('Copied');
  const copied = await navigator.clipboard.readText();
  expect(copied).toMatch(/^\| Fact \| `[^`]*\\u202egpj\.exe[^`|]*` \| `three\.exe` \|\n/);
  expect(copied).toMatch(/facts are the same, 8 have no value\.\n$/);
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalled();
});

test('a sample that has gone meanwhile is named, and the others are compared', async () => {
  const [one, two] = rows;
  const gone = rowOf(9);
  if (one === undefined || two === undefined) throw new TypeError('rows');
  show(named(one, gone, two));
  await screen.findByRole('dialog', { name: 'Compare 2 samples' });
  expect(screen.getByRole('alert').textContent).toBe('000000000000 is no longer in the library');
});

test('nothing is compared where fewer than two are left', async () => {
  const [one] = rows;
  if (one === undefined) throw new TypeError('rows');
  show(named(one, rowOf(9)));
  expect(await screen.findByText('Nothing left to compare')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
});

test('a failed read is shown, and tried again', async () => {
  const [one, two] = rows;
  if (one === undefined || two === undefined) throw new TypeError('rows');
  let works = false;
  const { user } = show(named(one, two), {
    'samples.hits': () =>
      works ? { hits: [], known: null, lastScan: { rules: 1, time: null } } : fail({ kind: 'host-gone' }),
  });
  const alert = await screen.findByRole('alert');
  expect(within(screen.getByRole('table')).queryByText('Not scanned')).toBeNull();
  works = true;
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('a list of thousands is drawn in part, and the rest on request', async () => {
  const [, two, three] = rows;
  if (two === undefined || three === undefined) throw new TypeError('rows');
  const hits = Array.from({ length: 3000 }, (_, at) => hit(`rule_${String(at).padStart(4, '0')}`));
  const { user } = show(named(two, three), {
    'samples.hits': ({ sha256 }) => ({
      hits: sha256 === three.sha256 ? hits : [],
      known: null,
      lastScan: { rules: 1, time: null },
    }),
  });
  const list = await screen.findByRole('list', { name: 'Only here' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(60);
  await user.click(screen.getByRole('button', { name: 'Show 2,940 more' }));
  expect(within(list).getAllByRole('listitem')).toHaveLength(3000);
});

test('a muted hit is marked in the sample that it is muted in', async () => {
  const [, two, three] = rows;
  if (two === undefined || three === undefined) throw new TypeError('rows');
  show(named(two, three), {
    'samples.hits': ({ sha256 }) => ({
      hits: sha256 === three.sha256 ? [hit('noisy', { mute: { reason: 'matches everything', expires: null } })] : [],
      known: null,
      lastScan: { rules: 1, time: null },
    }),
  });
  expect((await screen.findByRole('list', { name: 'Only here' })).textContent).toBe('noisymuted');
});
