import '../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { latestFirst } from '../../shared/domain/library.ts';
import { sidebarViews } from '../state/navigation.tsx';
import { open } from '../test/open-page.fixture.tsx';

const rail = (): HTMLElement => screen.getByRole('navigation', { name: 'Views' });

test('the library comes first, with how many samples it holds, counted again when it changes', async () => {
  let samples = 0;
  const { bridge } = await open({ 'library.count': () => ({ samples, inVault: 0, vaultBytes: 0 }) });
  expect(within(rail()).getAllByRole('button')[0]?.textContent.trim()).toBe('Library');
  samples = 8214;
  act(() => bridge.tell('library.changed', {}));
  expect((await within(rail()).findByRole('button', { name: 'Library, 8,214 samples' })).textContent).toContain(
    '8,214',
  );
});

test('a folded sidebar takes the focus of what was in it to the view that is shown', async () => {
  const views = ['Large', 'Larger', 'Largest'].map((name, id) => ({
    id,
    name,
    query: 'size:>1MB',
    sort: latestFirst,
    columns: null,
  }));
  const { user } = await open({ 'views.list': () => ({ views }) });
  (await within(rail()).findByRole('button', { name: /^Larger/ })).focus();
  await user.keyboard('{Control>}b{/Control}');
  await waitFor(() => expect(document.activeElement).toBe(within(rail()).getByRole('button', { current: 'page' })));
});

test('Ctrl and a number lead to the view at that place of the sidebar', async () => {
  const { user } = await open();
  for (const [at, { title }] of sidebarViews.entries()) {
    await user.keyboard(`{Control>}${at + 1}{/Control}`);
    const current = await within(rail()).findByRole('button', { current: 'page', name: title });
    expect(current).toBe(within(rail()).getAllByRole('button')[at]);
  }
});
