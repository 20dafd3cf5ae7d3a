import 'fake-indexeddb/auto';
import './page-surroundings.ts';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { open } from './open-page.fixture.tsx';

afterEach(cleanup);

test('Caps Lock and other layouts lead to the same places', async () => {
  await open();
  fireEvent.keyDown(document.body, { key: '&', code: 'Digit1', ctrlKey: true });
  expect(await screen.findByRole('heading', { level: 1, name: 'Library' })).toBeDefined();
  fireEvent.keyDown(document.body, { key: 'И', code: 'KeyB', ctrlKey: true });
  expect(await screen.findByRole('button', { name: 'Unfold the rail' })).toBeDefined();
  fireEvent.keyDown(document.body, { key: 'K', code: 'KeyK', ctrlKey: true });
  expect(await screen.findByRole('listbox')).toBeDefined();
});
