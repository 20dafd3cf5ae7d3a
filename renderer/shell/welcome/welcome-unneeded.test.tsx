import '../../test/page-surroundings.ts';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openPage } from '../../test/open-page.fixture.tsx';
import { usedSettings } from '../../test/quiet-host.ts';

test('the look-up opens first after the welcome, and neither is shown until that is known', async () => {
  const known = Promise.withResolvers<void>();
  const shown = new Set<string>();
  const noted = new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('main h1')) shown.add(textContent);
  });
  noted.observe(document.body, { childList: true, subtree: true });
  await openPage({ 'settings.read': async () => (await known.promise, { values: usedSettings, damaged: [] }) });
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
  await act(async () => known.resolve());
  expect(await screen.findByRole('textbox', { name: 'Hash, or text with hashes' })).toBe(document.activeElement);
  expect([...shown]).toEqual(['Look up']);
  noted.disconnect();
});
