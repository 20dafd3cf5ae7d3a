import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { longestNote } from '../../../shared/domain/library.ts';
import { fail } from '../../../shared/failure.ts';
import { host, sha256 } from '../../test/memory-bridge.ts';
import { openSample } from './open-sample.fixture.tsx';
import { name, note, loadedNote, part } from './sample-parts.fixture.tsx';

describe('the note', () => {
  test('is saved by Ctrl S, and read as Markdown without anything that could be followed', async () => {
    const { user, bridge } = openSample();
    await name();
    await user.click(await loadedNote());
    fireEvent.change(note(), {
      target: { value: '# Ashveil\n\n[panel](https://c2.example/p) <img src=x> [x](javascript:alert(1))' },
    });
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(bridge.inputsOf('library.note')).toHaveLength(1));
    expect(await part('Note').findByText('Saved')).toBeDefined();
    await user.click(part('Note').getByRole('button', { name: 'Preview' }));
    expect(await part('Note').findByRole('heading', { name: 'Ashveil' })).toBeDefined();
    const region = screen.getByRole('region', { name: 'Note' });
    expect(region.querySelectorAll('a, img')).toHaveLength(0);
    expect(region.textContent).toContain('panel (hxxps://c2[.]example/p)');
    expect(region.textContent).toContain('<img src=x>');
  });

  test('that cannot be saved says why, where the text is, and is tried again', async () => {
    let works = false;
    const { user } = openSample({}, { 'library.note': () => (works ? {} : fail({ kind: 'host-gone' })) });
    await name();
    await user.click(await loadedNote());
    fireEvent.change(note(), { target: { value: 'half a sen' } });
    await user.keyboard('{Control>}s{/Control}');
    expect((await screen.findByRole('alert')).textContent).toContain('stays in this browser');
    works = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await part('Note').findByText('Saved')).toBeDefined();
  });

  test('that could not be saved is tried again by itself when the host is back', async () => {
    let works = false;
    const { user, client } = openSample({}, { 'library.note': () => (works ? {} : fail({ kind: 'host-gone' })) });
    await name();
    await user.click(await loadedNote());
    fireEvent.change(note(), { target: { value: 'written meanwhile' } });
    await user.keyboard('{Control>}s{/Control}');
    await screen.findByRole('alert');
    works = true;
    await act(() => client.fetchQuery({ queryKey: ['host.describe', {}], queryFn: () => host }));
    expect(await part('Note').findByText('Saved')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('what was typed and not saved is there on a page that is loaded again', async () => {
    const first = openSample({}, { 'library.note': () => fail({ kind: 'host-gone' }) });
    await name();
    await first.user.click(await loadedNote());
    fireEvent.change(note(), { target: { value: 'typed before the reload' } });
    await first.user.keyboard('{Control>}s{/Control}');
    await screen.findByRole('alert');
    first.unmount();
    const { bridge } = openSample();
    await name();
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Note' }).textContent).toContain('typed before the reload'),
    );
    await waitFor(
      () => expect(bridge.inputsOf('library.note')).toEqual([{ sha256, text: 'typed before the reload' }]),
      { timeout: 20_000 },
    );
    expect(await part('Note').findByText('Saved')).toBeDefined();
  });

  test('text typed during a slow first save, with the bytes shown in between, is saved in the end', async () => {
    const slow = Promise.withResolvers<void>();
    const arrived: string[] = [];
    const { user } = openSample(
      {},
      {
        'library.note': async ({ text }) => {
          if (text === 'first half') await slow.promise;
          arrived.push(text);
          return {};
        },
      },
    );
    await name();
    await user.click(await loadedNote());
    fireEvent.change(note(), { target: { value: 'first half' } });
    await user.keyboard('{Control>}s{/Control}');
    await user.click(screen.getByRole('button', { name: /^Show bytes/ }));
    await user.click(await screen.findByRole('button', { name: /^Hide bytes/ }));
    await user.click(await part('Note').findByRole('button', { name: 'Edit' }));
    await loadedNote();
    fireEvent.change(note(), { target: { value: 'first half, second half' } });
    await user.keyboard('{Control>}s{/Control}');
    slow.resolve();
    await waitFor(() => expect(arrived.at(-1)).toBe('first half, second half'));
    expect(arrived).toEqual(['first half', 'first half, second half']);
    expect(await part('Note').findByText('Saved')).toBeDefined();
  });

  test('what was not saved is put below what was written elsewhere meanwhile, and never in its place', async () => {
    const first = openSample({}, { 'library.note': () => fail({ kind: 'host-gone' }) });
    await name();
    await first.user.click(await loadedNote());
    fireEvent.change(note(), { target: { value: 'typed in vain' } });
    await first.user.keyboard('{Control>}s{/Control}');
    await screen.findByRole('alert');
    first.unmount();
    const { bridge } = openSample({ note: { text: 'added in the list', changed: '2026-11-18T14:31:00.000Z' } });
    await name();
    await waitFor(
      () =>
        expect(bridge.inputsOf('library.note')).toEqual([
          { sha256, text: 'added in the list\n\n---\n\ntyped in vain' },
        ]),
      { timeout: 20_000 },
    );
    expect(await part('Note').findByText('Saved')).toBeDefined();
  });

  test('a paste over the limit is refused in words, and what stood there stays', async () => {
    openSample({ note: { text: 'short', changed: '2026-11-18T14:30:00.000Z' } });
    await name();
    fireEvent.click(part('Note').getByRole('button', { name: 'Edit' }));
    await loadedNote();
    const pasted = 'x'.repeat(10 * 2 ** 20);
    const isTaken = fireEvent.paste(note(), { clipboardData: { getData: () => pasted } });
    expect(isTaken).toBe(false);
    expect(
      part('Note').getByText(/^The note would have 10,485,7\d\d characters; the limit is 100,000\./),
    ).toBeDefined();
    expect(note()).toHaveProperty('value', 'short');
    fireEvent.change(note(), { target: { value: 'x'.repeat(longestNote) } });
    expect(part('Note').getByText('0 of 100,000 characters left')).toBeDefined();
  });
});
