import '../../components/data-grid/layout.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LibraryRow } from '../../../shared/domain/library.ts';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import { LibraryHost } from './library-host.fixture.ts';
import { actions, expectRows, openLibrary, rows, table } from './open-library.fixture.tsx';

const md5 = '3'.padStart(32, '0');
const byMd5 = rowOf(3, { name: 'mail.eml', hash: md5, sha256: null, md5, sizeBytes: null, vault: 'none' });
const bySha256 = rowOf(3, { name: 'mail.eml', md5, sizeBytes: 300 });
const others = [rowOf(1, { name: 'one.exe' }), rowOf(2, { name: 'two.exe' })];
const names = ['one.exe', 'two.exe', 'mail.eml'];

/** A library in which the sample of which only the MD5 is known is ticked, and the current one. */
async function openAtMd5() {
  const page = await openLibrary(new LibraryHost([...others, byMd5]));
  await expectRows(names);
  rows()[2]?.focus();
  await page.user.keyboard('x');
  const change = (to: LibraryRow[]): void => {
    page.host.rows = to;
    act(() => page.bridge.emit('library.changed', {}));
  };
  return { ...page, change };
}
const row = (): HTMLElement => within(table()).getByRole('row', { name: /mail\.eml/ });

test('a sample whose SHA-256 becomes known stays ticked and current, wherever it moves', async () => {
  const { change, user, bridge } = await openAtMd5();
  change([bySha256, ...others]);
  await expectRows(['mail.eml', 'one.exe', 'two.exe']);
  await waitFor(() => expect(row().getAttribute('aria-selected')).toBe('true'));
  await waitFor(() => expect(row().getAttribute('aria-current')).toBe('true'));
  await waitFor(() => expect(document.activeElement).toBe(row()));
  expect(within(actions()).getByText('1 selected').parentElement?.textContent).toContain('300 bytes');
  const pane = screen.getByRole('complementary', { name: 'Selected sample' });
  expect(within(pane).getByText(bySha256.hash)).toBeDefined();
  await user.keyboard('l');
  await user.click(await screen.findByRole('menuitem', { name: 'RED' }));
  await waitFor(() =>
    expect(bridge.inputsOf('library.change')).toMatchObject([
      { selection: { kind: 'named', hashes: [bySha256.hash] } },
    ]),
  );
});

test('the pane beside the list shows the current details of the sample', async () => {
  const { change } = await openAtMd5();
  change([...others, bySha256]);
  const pane = screen.getByRole('complementary', { name: 'Selected sample' });
  expect(await within(pane).findByText(bySha256.hash)).toBeDefined();
});

test('another sample of the same MD5 takes over neither tick nor position', async () => {
  const { change, bridge } = await openAtMd5();
  change([bySha256, ...others, { ...byMd5, name: 'twin.eml' }]);
  await expectRows(['mail.eml', 'one.exe', 'two.exe', 'twin.eml']);
  await waitFor(() => expect(bridge.inputsOf('library.facts')).toHaveLength(1));
  expect(row().getAttribute('aria-selected')).toBe('false');
  expect(
    within(table())
      .getByRole('row', { name: /twin\.eml/ })
      .getAttribute('aria-selected'),
  ).toBe('true');
});
