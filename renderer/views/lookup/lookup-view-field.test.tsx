import '../../test/page-surroundings.ts';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../../test/open-page.fixture.tsx';
import { sha256 } from '../../test/quiet-host.ts';

test('a hash longer than its field shows on which side it continues', async () => {
  const { user } = await open();
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Hash, or text with hashes' });
  await user.click(field);
  expect(field.dataset.cut).toBe('');
  let scrollLeft = 0;
  Object.defineProperties(field, {
    clientWidth: { value: 300 },
    scrollWidth: { value: 450 },
    scrollLeft: { get: () => scrollLeft },
  });
  await user.type(field, sha256.slice(0, 3));
  expect(field.dataset.cut).toBe('end');
  scrollLeft = 60;
  fireEvent.scroll(field);
  expect(field.dataset.cut).toBe('start end');
  scrollLeft = 150;
  fireEvent.scroll(field);
  expect(field.dataset.cut).toBe('start');
});
