import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import type { GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { LibraryHost } from './library-host.fixture.ts';

export const some = [
  rowOf(1, { name: 'invoice.scr', tags: ['family:emotet'] }),
  rowOf(2, { name: 'update.dll', sizeBytes: 5_000_000 }),
  rowOf(3, { name: null, hash: '3'.padStart(32, '0'), sha256: null, vault: 'none' }),
  rowOf(4, { name: 'gone.exe', vault: 'missing' }),
];

/** The library as a person finds it, over a host in memory. */
export async function openLibrary(host = new LibraryHost(some), more: GivenAnswers = {}) {
  const page = await open({ ...host.answers, ...more });
  await page.user.click(screen.getByRole('button', { name: /^Library/ }));
  await screen.findByRole('heading', { level: 1, name: 'Library' });
  return { ...page, host };
}

export const field = (): HTMLInputElement => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search samples' });
/** What the field is described by. */
export const described = (): string =>
  document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent ?? '';
export const type = (query: string): void =>
  void fireEvent.change(field(), { target: { value: query, selectionStart: query.length } });
export const table = (): HTMLElement => screen.getByRole('grid', { name: 'Samples in the library' });
export const rows = (): HTMLElement[] => within(table()).getAllByRole('row').slice(1);
export const names = (): string[] => rows().map((row) => row.children[2]?.textContent ?? '');
export const actions = (): HTMLElement => screen.getByRole('group', { name: 'Actions for selected samples' });
export const expectRows = (expected: string[]): Promise<void> => waitFor(() => expect(names()).toEqual(expected));
export const all = ['invoice.scr', 'update.dll', 'No name', 'gone.exe'];
