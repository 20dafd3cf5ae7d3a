import '../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { latestFirst } from '../../shared/domain/library.ts';
import { sidebarViews } from '../state/navigation.tsx';
import { open } from '../test/open-page.fixture.tsx';

const sidebar = (): HTMLElement => screen.getByRole('navigation', { name: 'Views' });

test('the library comes first with its number of samples, counted again when it changes', async () => {
  let samples = 0;
  const { bridge } = await open({ 'library.count': () => ({ samples, inVault: 0, vaultBytes: 0 }) });
  expect(within(sidebar()).getAllByRole('button')[0]?.textContent.trim()).toBe('Library');
  samples = 8214;
  act(() => bridge.emit('library.changed', {}));
  expect((await within(sidebar()).findByRole('button', { name: 'Library, 8,214 samples' })).textContent).toContain(
    '8,214',
  );
});

test('collapsing the sidebar moves the focus from inside it to the shown view', async () => {
  const views = ['Large', 'Larger', 'Largest'].map((name, id) => ({
    id,
    name,
    query: 'size:>1MB',
    sort: latestFirst,
    columns: null,
  }));
  const { user } = await open({ 'views.list': () => ({ views }) });
  (await within(sidebar()).findByRole('button', { name: /^Larger/ })).focus();
  await user.keyboard('{Control>}b{/Control}');
  await waitFor(() => expect(document.activeElement).toBe(within(sidebar()).getByRole('button', { current: 'page' })));
});

test('Ctrl and a number lead to the view at that position of the sidebar', async () => {
  const { user } = await open();
  for (const [at, { title }] of sidebarViews.entries()) {
    await user.keyboard(`{Control>}${at + 1}{/Control}`);
    const current = await within(sidebar()).findByRole('button', { current: 'page', name: title });
    expect(current).toBe(within(sidebar()).getAllByRole('button')[at]);
  }
});
