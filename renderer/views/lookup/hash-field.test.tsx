import '../../test/page-surroundings.ts';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { sha256 } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';

afterEach(cleanup);

test('a hash that is longer than its field says on which side it goes on', async () => {
  const { user } = await open();
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Hash, or text with hashes' });
  const cut = (): (string | undefined)[] => [...(field.parentElement?.querySelectorAll<HTMLElement>('[data-cut]') ?? [])].map(({ dataset, textContent }) => `${dataset.cut ?? ''}${textContent}`);
  await user.click(field);
  expect(cut()).toEqual([]);
  let scrollLeft = 0;
  Object.defineProperties(field, { clientWidth: { value: 300 }, scrollWidth: { value: 450 }, scrollLeft: { get: () => scrollLeft } });
  await user.type(field, sha256.slice(0, 3));
  expect(cut()).toEqual(['end…']);
  scrollLeft = 60;
  fireEvent.scroll(field);
  expect(cut()).toEqual(['start…', 'end…']);
  scrollLeft = 150;
  fireEvent.scroll(field);
  expect(cut()).toEqual(['start…']);
});
