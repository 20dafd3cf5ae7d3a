import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { JournalRow } from '../../../shared/domain/journal.ts';
import { longestNote } from '../../../shared/domain/library.ts';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import '../../components/data-grid/layout.fixture.ts';
import { huntJob, scanJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import { found, host, md5, sha256 } from '../../test/quiet-host.ts';
import { known, openSample } from './open-sample.fixture.tsx';

const name = (): Promise<HTMLElement> => screen.findByRole('heading', { level: 2, name: 'update_helper.dll' });
const note = (): HTMLElement => screen.getByRole('textbox', { name: 'Note, in Markdown' });
/** Once what was not saved before is read. */
const loadedNote = async (): Promise<HTMLElement> => {
  await waitFor(() => expect(note()).toHaveProperty('disabled', false));
  return note();
};
const part = (title: string) => within(screen.getByRole('region', { name: title }));

describe('the page without a request to any service', () => {
  test('shows the name, the strictest TLP, the vault, the hashes and the record with its fetch time', async () => {
    const { bridge } = openSample();
    await name();
    expect(screen.getByText('TLP:AMBER')).toBeDefined();
    expect(screen.getByText('In the vault, verified and encrypted')).toBeDefined();
    expect(screen.getByText(sha256)).toBeDefined();
    expect(screen.queryByText('looked up by this hash')).toBeNull();
    expect(part('Record').getByText(/^fetched/).textContent).toBe('fetched 2026-11-18 14:21Z');
    expect(bridge.inputsOf('samples.lookup')).toEqual([]);
  });

  test('reports a sample that no longer exists, with a link to look it up', async () => {
    const { user, bridge } = openSample(null);
    expect(await screen.findByText('This sample is not in the library')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Look up' }));
    expect(screen.getByTestId('view').textContent).toBe('lookup');
    expect(bridge.inputsOf('samples.lookup')).toEqual([{ workspaceId: 'lab', hash: sha256, firstComments: 8 }]);
  });

  test('shows a failure in place of the sample, and retries', async () => {
    let works = false;
    const { user } = openSample({}, { 'library.sample': () => (works ? known : fail({ kind: 'host-gone' })) });
    await screen.findByRole('alert');
    works = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await name()).toBeDefined();
  });

  test('leads back on Escape, but not out of a field', async () => {
    const { user, onBack } = openSample();
    await name();
    await user.click(await loadedNote());
    await user.keyboard('{Escape}');
    expect(onBack).not.toHaveBeenCalled();
    fireEvent.keyDown(await name(), { key: 'Escape' });
    expect(onBack).toHaveBeenCalledOnce();
  });
});

describe('an unusable vault copy', () => {
  test.each([
    ['missing', 'The vault file of this sample is missing'],
    ['altered', 'The vault file of this sample was modified'],
  ] as const)('that is %s is reported, and fetched again by D', async (vault, title) => {
    const { user, bridge } = openSample({ row: { ...known.row, vault } });
    await name();
    expect(screen.getByRole('alert').textContent).toContain(title);
    await user.click(screen.getByRole('button', { name: /^Export…/ }));
    expect(await screen.findByRole('menuitem', { name: /^Case/ })).toBeDefined();
    expect(screen.queryByRole('menuitem', { name: /^Password ZIP/ })).toBeNull();
    await user.keyboard('{Escape}');
    await user.keyboard('d');
    await waitFor(() => expect(bridge.inputsOf('downloads.start')).toEqual([{ workspaceId: 'lab', md5 }]));
  });

  test('cannot be fetched again without an MD5, and the page reports that', async () => {
    openSample({ row: { ...known.row, md5: null, vault: 'missing' }, records: [] });
    await name();
    expect(screen.getByRole('alert').textContent).toContain('its MD5 is unknown');
    expect(screen.queryByRole('button', { name: /^Download again/ })).toBeNull();
    expect(screen.getByText(/^No comments: the MD5 of this sample is unknown/)).toBeDefined();
  });
});

describe('tags and TLP', () => {
  test('T focuses the local tags, which are distinguished from those of services', async () => {
    const { user, bridge } = openSample();
    await name();
    expect(within(screen.getByRole('list', { name: 'Tags' })).getByText('family:')).toBeDefined();
    expect(part('Tags').getByText('repository')).toBeDefined();
    expect(part('Tags').getByText('local, never sent')).toBeDefined();
    await user.keyboard('t');
    await user.keyboard('packed,');
    await waitFor(() =>
      expect(bridge.inputsOf('library.change')).toEqual([
        { selection: { kind: 'named', hashes: [sha256] }, change: { add: ['packed'], remove: [] } },
      ]),
    );
    expect(
      await within(screen.getByRole('list', { name: 'Local tags (not sent)' })).findByText('packed'),
    ).toBeDefined();
  });

  test('record tags that are found by their whole text only are shown and marked as such', async () => {
    const tags = [
      'Family:Ashveil',
      'case:114,dropper',
      'TLP:AMBER',
      ...Array.from({ length: 70 }, (_, at) => `more ${at}`),
    ];
    const { user } = openSample({
      records: [{ workspaceId: 'lab', readAt: '2026-11-18T14:21:00.000Z', record: { ...found.record, tags } }],
    });
    await name();
    expect(
      screen.getByText(
        '71 of these are found by their whole text only. ' +
          'Patterns and suggestions cover the first 200 tags of a record, each up to 100 characters.',
      ),
    ).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Show 12 more' }));
    const shown = within(screen.getByRole('list', { name: 'Tags' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect([shown.length, shown[0], shown[1], shown.at(-1)]).toEqual([72, 'family:ashveil', 'dropper', 'more 69']);
  });

  test('Escape leaves the tag field, and a second Escape leads back to the list', async () => {
    const { user, onBack } = openSample();
    await name();
    await user.keyboard('t{Escape}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add tag' }));
    expect(onBack).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    expect(onBack).toHaveBeenCalledTimes(1);
  });

  test('a TLP that no service was queried for is distinguished from one that is not set', async () => {
    openSample({ row: { ...known.row, tlp: null, isRecorded: false }, tlps: [], records: [] });
    expect((await screen.findByRole('group', { name: 'TLP' })).textContent).toContain('Unknown: no record fetched yet');
    cleanup();
    openSample({ row: { ...known.row, tlp: null }, tlps: [] });
    expect((await screen.findByRole('group', { name: 'TLP' })).textContent).toContain('No TLP set');
  });

  test('L sets the local TLP, and a stricter one of another source still applies', async () => {
    const { user, bridge } = openSample();
    await name();
    await user.keyboard('l');
    await user.click(await screen.findByRole('menuitem', { name: 'GREEN' }));
    await waitFor(() =>
      expect(bridge.inputsOf('library.change')).toEqual([
        { selection: { kind: 'named', hashes: [sha256] }, change: { add: [], remove: [], tlp: 'green' } },
      ]),
    );
    const group = within(screen.getByRole('group', { name: 'TLP' }));
    expect((await group.findByText(/^The strictest TLP applies \(AMBER\)/)).textContent).toContain('cannot lower it');
    expect(group.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'AMBERfrom a tag',
      'GREENset locally',
    ]);
  });

  test('tags and TLP cannot be set without a SHA-256, and the page gives the reason', async () => {
    openSample({ row: { ...known.row, sha256: null, vault: 'none' } });
    await name();
    expect(screen.getByText(/^Local tags, a TLP and a note need the SHA-256/)).toBeDefined();
    expect(screen.queryByRole('textbox', { name: 'Note, in Markdown' })).toBeNull();
  });

  test('a refused change gives the reason', async () => {
    const { user } = openSample({}, { 'library.change': () => fail({ kind: 'host-gone' }) });
    await name();
    await user.keyboard('t');
    await user.keyboard('packed,');
    expect((await screen.findByRole('alert')).textContent).toContain('Vitrine is not responding');
  });
});

describe('the note', () => {
  test('is saved by Ctrl S, and shown as Markdown without any link to follow', async () => {
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

  test('shows the failure, the location of the text and a retry when it cannot be saved', async () => {
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

  test('is saved automatically when the host is back after a failed save', async () => {
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

  test('keeps unsaved typed text when the page is reloaded', async () => {
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

  test('saves in the end text typed during a slow first save, with the bytes shown in between', async () => {
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
    await user.click(await part('Note').findByRole('button', { name: 'Edit note' }));
    await loadedNote();
    fireEvent.change(note(), { target: { value: 'first half, second half' } });
    await user.keyboard('{Control>}s{/Control}');
    slow.resolve();
    await waitFor(() => expect(arrived.at(-1)).toBe('first half, second half'));
    expect(arrived).toEqual(['first half', 'first half, second half']);
    expect(await part('Note').findByText('Saved')).toBeDefined();
  });

  test('puts unsaved text below text written elsewhere meanwhile, and never in its place', async () => {
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

  test('refuses a paste over the limit with a message, and keeps the old text', async () => {
    openSample({ note: { text: 'short', changed: '2026-11-18T14:30:00.000Z' } });
    await name();
    fireEvent.click(part('Note').getByRole('button', { name: 'Edit note' }));
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

const row = (number: number, operation: JournalRow['operation'], detail: JournalRow['detail'] = {}): JournalRow => ({
  number,
  time: `2026-11-18T14:${number}:00.000Z`,
  workspaceId: 'lab',
  operation,
  hash: md5,
  outcome: 'done',
  detail,
});

test('the history separates origins, destinations and local actions', async () => {
  openSample(
    {},
    {
      'samples.history': () => ({
        rows: [
          row(14, 'export', { to: 'folder' }),
          row(13, 'scan', { job: 221 }),
          row(12, 'upload'),
          row(11, 'download', { sizeBytes: 1024 }),
        ],
      }),
    },
  );
  await name();
  const rowsOf = (title: string): (string | null)[] =>
    within(screen.getByRole('list', { name: title }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  await screen.findByRole('list', { name: 'Source' });
  expect(rowsOf('Source')).toEqual([expect.stringMatching(/Downloadedfrom Lab \(this computer\)1/)]);
  expect(rowsOf('Sent or exported')).toEqual([
    expect.stringContaining('Exportedto the export folder'),
    expect.stringContaining('Uploadedto Lab'),
  ]);
  expect(rowsOf('Local actions')).toEqual([expect.stringContaining('Scanned')]);
});

test('scans are listed with the hits last seen in each, and open while they are known', async () => {
  const hit = (rule: string, jobId: number): SampleHit => ({
    rule,
    side: 'local',
    version: null,
    firstSeen: '2026-11-18T14:00:00.000Z',
    lastSeen: '2026-11-18T14:00:00.000Z',
    matches: 1,
    jobId,
    position: 1,
    mute: null,
  });
  const { user } = openSample(
    {},
    {
      'samples.hits': () => ({ hits: [hit('loader', scanJob.id), hit('old', 3)], known: null, lastScan: null }),
      'jobs.list': () => ({ jobs: [scanJob, huntJob] }),
    },
  );
  await name();
  const scans = within(await screen.findByRole('list', { name: 'Scans' }));
  expect(scans.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Scanlast match of loaderOpen'),
    expect.stringContaining('No longer in the listlast match of old'),
  ]);
  await user.click(scans.getByRole('button', { name: `Open job ${scanJob.id}` }));
  expect(screen.getByTestId('view').textContent).toBe('scan');
});

test('B shows the bytes in place of the details, and Escape leads back to them', async () => {
  const { user, onBack } = openSample(
    {},
    {
      'bytes.read': ({ window: { offset, length } }) => ({
        offset,
        base64: btoa('A'.repeat(length)),
        sizeBytes: 1_208_320,
      }),
    },
  );
  await name();
  await user.keyboard('b');
  expect(await screen.findByRole('region', { name: 'Bytes' })).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Record' })).toBeNull();
  screen.getByRole('button', { name: /^Hide bytes/ }).focus();
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('region', { name: 'Record' })).toBeDefined();
  expect(onBack).not.toHaveBeenCalled();
});
