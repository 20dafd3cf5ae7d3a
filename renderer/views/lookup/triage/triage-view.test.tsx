import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { TriageRow } from '../../../../shared/domain/triage.ts';
import { fail } from '../../../../shared/failure.ts';
import { rowOf } from '../../../features/library/library-row.fixture.ts';
import { open } from '../../../test/open-page.fixture.tsx';
import { md5, sha1, sha256 } from '../../../test/quiet-host.ts';
import { openedRow, triageHost } from '../../../test/triage-host.fixture.ts';

const answers: Record<string, Partial<TriageRow>> = {
  [md5]: {
    state: 'repository',
    sample: rowOf(1, { name: 'loader.exe', severity: 'bad', vault: 'none', threat: 'Ashveil', sizeBytes: 1024 }),
  },
  [sha1]: { state: 'vault', sample: rowOf(2, { name: 'invoice.pdf', sizeBytes: 2048 }), isScanned: true },
  [sha256]: { state: 'needs-md5' },
};
/** A field of one line keeps these line ends alone. */
const many = [`${md5} one`, sha1, sha256, md5, 'a'.repeat(31), '0'.repeat(32)].join(' \u2028');
const host = (job = {}) => triageHost((hash) => answers[hash] ?? {}, job);

test('a table of the hashes shows where each sample is, its severity and what is known of it', async () => {
  const { lookUp, bridge } = await open(host());
  await lookUp(many);
  await openedRow(md5);
  const [, first, second, third] = await within(screen.getByRole('grid')).findAllByRole('row');
  expect(first?.textContent).toMatch(/loader.*Repository.*Bad.*Ashveil.*1,024.*–$/);
  expect(second?.textContent).toMatch(/invoice.*In the vault.*Not set.*2,048.*0$/);
  expect(third?.textContent).toMatch(/Enter its MD5.*Needs an MD5/);
  expect(await screen.findByText('3 of 3 answered')).toBeDefined();
  expect(bridge.inputsOf('samples.lookup')).toEqual([]);
  expect(bridge.inputsOf('triage.add')).toEqual([{ id: 230, hashes: [md5, sha1, sha256] }]);
});

test('a text that is cleared while its hashes are prepared begins no job', async () => {
  const created = Promise.withResolvers<{ id: number }>();
  const { lookUp, user, bridge } = await open({ ...host(), 'triage.create': () => created.promise });
  await lookUp(many);
  await waitFor(() => expect(bridge.inputsOf('triage.create')).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Clear the hashes' }));
  await act(async () => created.resolve({ id: 230 }));
  await screen.findByRole('textbox', { name: 'Hash, or text with hashes' });
  expect([...bridge.inputsOf('triage.add'), ...bridge.inputsOf('triage.start')]).toEqual([]);
});

test('what was not looked up is listed with its reason, uncertain ones first', async () => {
  const { lookUp, user, bridge } = await open(host());
  await lookUp(many);
  const dock = await screen.findByRole('region', { name: 'Not looked up' });
  expect(within(dock).getByText('1 uncertain, 1 rejected')).toBeDefined();
  expect(
    within(dock)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    expect.stringMatching(/^Line \d+0{32}UncertainOne digit repeated, a placeholderLook up anyway$/),
    expect.stringMatching(/^Line \d+a{31}Rejected31 hex digits, an MD5 has 32Show line$/),
  ]);
  await user.click(within(dock).getByRole('button', { name: 'Look up anyway' }));
  await waitFor(() => expect(bridge.inputsOf('samples.lookup')).toMatchObject([{ hash: '0'.repeat(32) }]));
});

test('a download of ticked rows names what is in the vault already, and takes only the others', async () => {
  const { lookUp, user, bridge } = await open(host());
  await lookUp(many);
  await openedRow(md5);
  await user.keyboard('x{ArrowDown}x');
  const bar = await screen.findByRole('group', { name: 'Actions for selected hashes' });
  await within(bar).findByText('1.00 KiB to download, 1 of 2, 1 in the vault');
  await user.click(within(bar).getByRole('button', { name: /^Download 1/ }));
  await waitFor(() => expect(bridge.inputsOf('bulk.add')).toEqual([{ id: 218, hashes: [rowOf(1).md5] }]));
});

test('ticked rows of samples that the library knows are compared by a key', async () => {
  const known = [answers[md5]?.sample, answers[sha1]?.sample].flatMap((row) => row ?? []);
  const { lookUp, user, bridge } = await open({
    ...host(),
    'library.sample': ({ hash }) => {
      const row = known.find((each) => each.hash === hash) ?? fail({ kind: 'not-in-library', hash });
      return { row, note: null, tlps: [], names: [], records: [] };
    },
  });
  await lookUp(many);
  await openedRow(md5);
  await user.keyboard('x');
  const bar = await screen.findByRole('group', { name: 'Actions for selected hashes' });
  expect(within(bar).queryByRole('button', { name: /^Compare/ })).toBeNull();
  await user.keyboard('{ArrowDown}x');
  await waitFor(() =>
    expect(
      within(bar)
        .getByRole('button', { name: /^Compare/ })
        .getAttribute('disabled'),
    ).toBeNull(),
  );
  await user.keyboard('o');
  const dialog = await screen.findByRole('dialog', { name: 'Compare 2 samples' });
  expect(
    within(dialog)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Fact', expect.stringContaining('loader.exe'), expect.stringContaining('invoice.pdf')]);
  expect(bridge.inputsOf('samples.lookup')).toEqual([]);
});

test('a chip shows the rows that it counts, and a second press all of them again', async () => {
  const { lookUp, user } = await open(host());
  await lookUp(many);
  await openedRow(md5);
  const chip = screen.getByRole('button', { name: '1 in the vault' });
  await user.click(chip);
  await waitFor(() => expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('2'));
  await user.click(screen.getByRole('button', { name: '1 in the vault' }));
  await waitFor(() => expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('4'));
});

test('a repository that cannot be reached leaves what is known here, and offers a retry', async () => {
  const { lookUp, user, bridge } = await open({
    ...triageHost((hash) => (hash === md5 ? (answers[md5] ?? {}) : { state: 'waiting' }), {
      state: 'paused',
      failure: {
        kind: 'unreachable',
        service: 'repository',
        address: 'http://127.0.0.1:1',
        reason: 'refused',
        code: 'ECONNREFUSED',
      },
    }),
  });
  await lookUp(many);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('1 of 3 known here, Lab (this computer) unreachable');
  await user.click(within(alert).getByRole('button', { name: /^Retry/ }));
  await waitFor(() => expect(bridge.inputsOf('jobs.resume')).toEqual([{ id: 230 }]));
});

test('facts that contradict each other are shown with their sources', async () => {
  const { lookUp, user } = await open(
    triageHost((hash) =>
      hash === md5
        ? {
            ...answers[md5],
            conflicts: [
              {
                fact: 'size',
                values: [
                  { value: '64', from: null },
                  { value: '999', from: 'lab' },
                ],
              },
            ],
          }
        : {},
    ),
  );
  await lookUp(many);
  await openedRow(md5);
  await user.keyboard('{ArrowDown}{ArrowUp}');
  expect(await screen.findByText(/^64 .*\(here\), 999 .*\(Lab/)).toBeDefined();
});
