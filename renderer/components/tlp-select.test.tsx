import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { TlpLevel } from '../../shared/domain/tag.ts';
import { TlpSelect } from './tlp-select.tsx';

test('the TLP is chosen by keys alone and keeps the focus', async () => {
  const chosen: (TlpLevel | null)[] = [];
  const user = userEvent.setup();
  render(<TlpSelect label="TLP of a.js" level="amber" onChange={(level) => chosen.push(level)} />);
  const select = screen.getByRole('button', { name: 'TLP of a.js: AMBER' });
  select.focus();
  await user.keyboard('{ArrowDown}');
  const items = await screen.findAllByRole('menuitemradio');
  expect(items.map((item) => item.textContent)).toEqual(['No TLP', 'CLEAR', 'GREEN', 'AMBER', 'AMBER+STRICT', 'RED']);
  expect(items.map((item) => item.ariaChecked)).toEqual(['false', 'false', 'false', 'true', 'false', 'false']);
  expect(document.activeElement).toBe(items[3]);
  await user.keyboard('{End}{Enter}');
  expect(chosen).toEqual(['red']);
  await waitFor(() => expect(document.activeElement).toBe(select));
  await user.keyboard('{Enter}{Home}{Enter}');
  expect(chosen).toEqual(['red', null]);
  await waitFor(() => expect(document.activeElement).toBe(select));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement?.role).toBe('menuitemradio'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(chosen).toEqual(['red', null]);
});
