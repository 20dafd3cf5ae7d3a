import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';

export const name = (): Promise<HTMLElement> => screen.findByRole('heading', { level: 2, name: 'update_helper.dll' });
export const note = (): HTMLElement => screen.getByRole('textbox', { name: 'Note, in Markdown' });
/** Once what was not saved before is read. */
export const loadedNote = async (): Promise<HTMLElement> => {
  await waitFor(() => expect(note()).toHaveProperty('disabled', false));
  return note();
};
export const part = (title: string) => within(screen.getByRole('region', { name: title }));
