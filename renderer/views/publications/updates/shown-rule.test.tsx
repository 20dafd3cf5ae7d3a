import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openUpdates } from './package-host.fixture.tsx';

const changes = (): Promise<HTMLElement> => screen.findByRole('treegrid', { name: 'Changes' });

test('W wraps the lines of a changed rule and of a new one, and scrolls to them again', async () => {
  const { user } = await openUpdates();
  const line = async (): Promise<HTMLElement> =>
    within(await changes()).findByRole('row', { name: /ashveil_overlay_key/ });
  await user.click(await line());
  const wrap = await screen.findByRole('button', { name: 'Wrap lines' });
  expect([wrap.getAttribute('aria-keyshortcuts'), wrap.getAttribute('aria-pressed')]).toEqual(['W', 'false']);
  await user.keyboard('w');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Wrap lines' }).getAttribute('aria-pressed')).toBe('true'),
  );
  await user.click(await within(await changes()).findByRole('row', { name: /ashveil_config_xor/ }));
  expect(screen.getByRole('button', { name: 'Wrap lines' }).getAttribute('aria-pressed')).toBe('true');
  await user.keyboard('w');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Wrap lines' }).getAttribute('aria-pressed')).toBe('false'),
  );
});
