import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import '../components/data-grid/layout.fixture.ts';
import { open } from './open-page.fixture.tsx';
import './page-surroundings.ts';
import { md5, sha1, usedSettings } from './quiet-host.ts';
import { openedRow, triageHost } from './triage-host.fixture.ts';

const withoutLetters = {
  'settings.read': () => ({ values: { ...usedSettings, singleLetterKeys: false }, damaged: [] }),
};

test('Caps Lock and other layouts lead to the same views', async () => {
  await open();
  fireEvent.keyDown(document.body, { key: '&', code: 'Digit1', ctrlKey: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'Library' })).toBeDefined();
  fireEvent.keyDown(document.body, { key: 'И', code: 'KeyB', ctrlKey: true });
  expect(await screen.findByRole('button', { name: 'Expand sidebar' })).toBeDefined();
  fireEvent.keyDown(document.body, { key: 'K', code: 'KeyK', ctrlKey: true });
  expect(await screen.findByRole('listbox')).toBeDefined();
});

test.for([
  ['в', 'KeyD', 'Cyrillic'],
  ['δ', 'KeyD', 'Greek'],
  ['ג', 'KeyD', 'Hebrew'],
  ['d', 'KeyH', 'Dvorak'],
] as const)('%s at %s downloads a sample, as D does (%s)', async ([key, code]) => {
  const { lookUp, bridge } = await open();
  await lookUp(md5);
  fireEvent.keyDown(await screen.findByRole('heading', { name: 'update_helper.dll' }), { key, code });
  await waitFor(() => expect(bridge.inputsOf('downloads.start')).toHaveLength(1));
});

test('a question mark is a single letter, too: switched off, it shows nothing, and is not offered', async () => {
  const { user } = await open(withoutLetters);
  screen.getByRole('button', { name: 'Settings' }).focus();
  await user.keyboard('?');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('{Control>}k{/Control}show keyboard');
  expect((await screen.findByRole('option', { name: 'Show keyboard shortcuts' })).textContent).toBe(
    'Show keyboard shortcuts ',
  );
});

test('J and K of a hash list are single letters, too: when off, only the arrows walk it', async () => {
  const { lookUp, user } = await open({ ...triageHost(), ...withoutLetters });
  await lookUp(`${md5} ${sha1}`);
  await openedRow(md5);
  await user.keyboard('j');
  expect(document.activeElement?.textContent).toContain(md5.slice(0, 12));
  await user.keyboard('{ArrowDown}k');
  expect(document.activeElement?.textContent).toContain(sha1.slice(0, 12));
});

test('Ctrl K in a list of hashes opens the palette and moves nothing', async () => {
  const { lookUp, user } = await open(triageHost());
  await lookUp(`${md5} ${sha1}`);
  await openedRow(md5);
  await user.keyboard('{ArrowDown}{Control>}k{/Control}');
  expect(await screen.findByRole('listbox')).toBeDefined();
});
