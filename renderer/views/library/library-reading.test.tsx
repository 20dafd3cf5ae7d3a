import '../../components/data-grid/layout.fixture.ts';
import '../../test/page-surroundings.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { factsOf } from '../../features/library/sample-facts.fixture.ts';
import { actions, all, expectRows, openLibrary, rows, some } from './open-library.fixture.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** All four samples are ticked; of their facts, the host returns two and holds the others back. */
async function openHalfRead() {
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const page = await openLibrary(undefined, {
    'library.facts': async ({ after }) => {
      if (after > 0) await held;
      return { samples: some.slice(after, after + 2).map(factsOf), next: after === 0 ? 2 : null };
    },
  });
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await expectRows(all);
  rows()[0]?.focus();
  await page.user.keyboard('x{ArrowDown}x{ArrowDown}x{ArrowDown}x');
  return { ...page, written, letGo: () => act(async () => letGo()) };
}

const reading = (): HTMLElement => within(actions()).getByRole('status');
const expectReading = (): Promise<void> => waitFor(() => expect(reading().textContent).toMatch(/^Reading [02] of 4…$/));

test('the progress of reading for a copy is shown until it is copied', { tags: ['long'] }, async () => {
  const { user, written, letGo } = await openHalfRead();
  await user.keyboard('c');
  await user.click(await screen.findByRole('menuitem', { name: /^MD5 hashes/ }));
  await expectReading();
  expect(written).not.toHaveBeenCalled();
  await letGo();
  expect(await screen.findByText('Copied 4 MD5')).toBeDefined();
  expect(reading().textContent).toBe('');
  expect(within(actions()).getByText('4 selected')).toBeDefined();
});

test('a copy cancelled during reading copies nothing, and does not delay the next one', async () => {
  const { user, written, letGo } = await openHalfRead();
  await user.keyboard('c');
  await user.click(await screen.findByRole('menuitem', { name: /^MD5 hashes/ }));
  await expectReading();
  within(actions()).getByRole('button', { name: 'Cancel' }).focus();
  await user.keyboard('{Enter}');
  expect(reading().textContent).toBe('');
  expect(document.activeElement).toBe(within(actions()).getByRole('button', { name: /^Tag/ }));
  await letGo();
  expect(written).not.toHaveBeenCalled();
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(within(actions()).getByRole('button', { name: /^Copy/ }));
  await user.click(await screen.findByRole('menuitem', { name: /^MD5 hashes/ }));
  expect(await screen.findByText('Copied 4 MD5')).toBeDefined();
});

for (const { tags, cases } of longAfter(1, [
  ['e', /^Export/],
  ['s', null],
]))
  test.each(cases)(
    'reading started by the key %s is counted, and cancelled silently',
    { tags },
    async (key, dialog) => {
      const { user, bridge, letGo } = await openHalfRead();
      await user.keyboard(key);
      if (key === 'e') await user.click(await screen.findByRole('menuitem', { name: /^Password ZIP/ }));
      await expectReading();
      await user.click(within(actions()).getByRole('button', { name: 'Cancel' }));
      await letGo();
      await waitFor(() =>
        expect(within(actions()).getByRole('button', { name: /^Scan/ }).hasAttribute('disabled')).toBe(false),
      );
      if (dialog !== null) expect(screen.queryByRole('dialog', { name: dialog })).toBeNull();
      expect(bridge.inputsOf('scans.start')).toEqual([]);
      expect(screen.queryByText(/^Not done/)).toBeNull();
    },
  );
