import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { sampleTextPieces, type ReportedSample, reportedSample } from '../../../shared/domain/sample-table.ts';
import { failed, success } from '../../../shared/failure.ts';
import { ToastProvider } from '../../components/toasts.tsx';
import '../../test/page-surroundings.ts';
import { CopySamplesMenu, type CopySamplesMenuProps } from './copy-samples.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const known = reportedSample({ sha256: 'a'.repeat(64), md5: 'b'.repeat(32), name: '<b>`|', sizeBytes: 3 });
const other = reportedSample({ sha256: 'c'.repeat(64) });
const third = reportedSample({ sha256: 'd'.repeat(64) });
const nameless = reportedSample({ md5: 'e'.repeat(32) });

function openMenu(props: CopySamplesMenuProps) {
  const user = userEvent.setup();
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  render(
    <ToastProvider>
      <CopySamplesMenu {...props} />
    </ToastProvider>,
  );
  const offered = async (): Promise<string[]> => {
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  };
  const copy = async (what: string): Promise<void> => {
    await offered();
    await user.click(screen.getByRole('menuitem', { name: what }));
  };
  return { user, written, offered, copy };
}

test('a known list is copied in the chosen format, and omissions are reported', async () => {
  const samples: readonly ReportedSample[] = [known, other, third, nameless];
  const { copy, written } = openMenu({ samples });
  await copy('SHA-256 hashes');
  expect(await screen.findByText('Copied 3 SHA-256 (1 sample has none)')).toBeDefined();
  expect(written.mock.lastCall).toEqual([`${'a'.repeat(64)}\n${'c'.repeat(64)}\n${'d'.repeat(64)}\n`]);
  await copy('Samples as Markdown');
  expect(await screen.findByText('Copied 4 samples as Markdown')).toBeDefined();
  expect(written.mock.lastCall).toEqual([[...sampleTextPieces(samples, 'markdown')].join('')]);
});

test('the menu offers only known values of a single sample', async () => {
  const { offered } = openMenu({ samples: [other] });
  expect(await offered()).toEqual([
    'SHA-256',
    'Sample as CSV',
    'Sample as JSON',
    'Sample as JSON line',
    'Sample as Markdown',
    'Sample as defanged line',
    'YARA rule from its hash',
  ]);
});

test('copy entries of a view come before or after those of the samples', async () => {
  const own = (id: string) => ({
    id,
    text: `own ${id}`,
    copied: async () => success({ words: id, news: `told ${id}` }),
  });
  const { offered, user, written } = openMenu({
    samples: [known],
    formats: ['sha256'],
    first: [own('1')],
    last: [own('2')],
    scope: 'this one',
  });
  expect(await offered()).toEqual(['own 1this one', 'SHA-256', 'own 2']);
  await user.click(screen.getByRole('menuitem', { name: 'own 2' }));
  expect(await screen.findByText('told 2')).toBeDefined();
  expect(written.mock.lastCall).toEqual(['2']);
});

test('samples are read on demand, and a read failure is shown where it is visible', async () => {
  const read = vi.fn(async () => failed({ kind: 'interrupted' }));
  const { copy, user } = openMenu({ samples: { count: 2, read } });
  expect(read).not.toHaveBeenCalled();
  await copy('MD5 hashes');
  const dialog = await screen.findByRole('dialog', { name: 'Copy' });
  expect(within(dialog).getByRole('alert')).toBeDefined();
  expect(read).toHaveBeenCalledOnce();
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a format over its sample limit shows that limit', async () => {
  const { offered } = openMenu({ samples: { count: 20_001, read: async () => success([]) } });
  const items = await offered();
  expect(items).toContain('SHA-256 hashes');
  expect(items).toContain('Samples as CSVat most 20,000');
  expect(items).toContain('YARA rule from their hashesat most 5,000');
  expect(screen.getByRole('menuitem', { name: /^Samples as CSV/ }).getAttribute('aria-disabled')).toBe('true');
});

test('copying reports when nothing is known of any sample', async () => {
  const { copy, written } = openMenu({
    samples: { count: 1, read: async () => success([reportedSample({ name: 'no hash' })]) },
  });
  await copy('SHA-256');
  expect(await screen.findByText('Nothing copied: no value known')).toBeDefined();
  expect(written).not.toHaveBeenCalled();
});

test('the menu is absent without samples', () => {
  openMenu({ samples: [] });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Copy' }).disabled).toBe(true);
});

test('a clipboard refusal is reported', async () => {
  const { copy, written } = openMenu({ samples: [known] });
  written.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  await copy('MD5');
  expect(await screen.findByText('Not copied: no access to the clipboard')).toBeDefined();
});
