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

/** All four samples are ticked; of what they are, the host tells two and waits with the others. */
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

test('how far reading for a copy is, is said until it is copied', { tags: ['long'] }, async () => {
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

test('a copy that was called off while it was read copies nothing, and the next one is not held up', async () => {
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
  test.each(cases)('what the key %s reads is counted, and called off without a word', { tags }, async (key, dialog) => {
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
  });
