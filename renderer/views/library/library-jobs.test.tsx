import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { rowOf } from '../../features/library/library-row.fixture.ts';
import { bulkJob } from '../../components/jobs/job.fixture.ts';
import { LibraryHost } from './library-host.fixture.ts';
import { all, expectRows, openLibrary, rows, some } from './open-library.fixture.tsx';

const job = {
  ...bulkJob,
  id: 12,
  workspaceId: null,
  task: { kind: 'library-change', what: 'all', add: [], remove: [], addsNote: false },
} as const;

/** A library where all that is found is so much that a job does what is asked. */
async function openLarge() {
  const page = await openLibrary(new LibraryHost(some), {
    'jobs.list': () => ({ jobs: [{ ...job, task: { ...job.task, add: [], remove: [] } }] }),
    'library.change': () => ({ changed: 0, leftOut: 0, job: job.id }),
    'library.forget': () => ({ forgotten: 0, job: job.id }),
  });
  await expectRows(all);
  rows()[0]?.focus();
  await page.user.keyboard('{Control>}a{/Control}');
  return page;
}

test('the action of a job is reported with a link to it, and without an Undo', async () => {
  const { user } = await openLarge();
  await user.keyboard('l');
  await user.click(await screen.findByRole('menuitem', { name: /RED/ }));
  await screen.findByText('Started job 12 for all samples found now. Follow it in Activity');
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(await screen.findByRole('heading', { name: 'Activity' })).toBeTruthy();
});

test('forgetting the results of a search names the samples and the job that does it', async () => {
  const { user } = await openLarge();
  await user.keyboard('{Delete}');
  const question = await screen.findByRole('alertdialog');
  expect(within(question).getByText('Applies to the 4 samples found now, not to samples added later.')).toBeTruthy();
  await user.click(within(question).getByRole('button', { name: 'Forget 4 samples' }));
  expect(await screen.findByText('Started job 12 for all samples found now. Follow it in Activity')).toBeTruthy();
});

test('a choice that does nothing is not offered when samples without a copy in the vault are forgotten', async () => {
  const { user, bridge } = await openLibrary(new LibraryHost(some.map((row) => ({ ...row, vault: 'none' }))));
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{Control>}a{/Control}{Delete}');
  const question = within(await screen.findByRole('alertdialog'));
  expect(await question.findByText('None of these samples has a copy in the vault.')).toBeDefined();
  expect(question.getByRole('radio', { name: /^Only the copy/ })).toHaveProperty('disabled', true);
  expect(question.getByRole('radio', { name: /^All local data/ })).toHaveProperty('checked', true);
  await user.click(question.getByRole('button', { name: 'Forget 4 samples' }));
  await vi.waitFor(() => expect(bridge.inputsOf('library.forget')).toMatchObject([{ what: 'all' }]));
});

test('the copies alone are the first choice when some samples have one, an altered one too', async () => {
  const vaults = ['altered', 'none', 'held', 'none'] as const;
  const host = new LibraryHost(some.map((row, at) => ({ ...row, vault: vaults[at] ?? 'none' })));
  const { user } = await openLibrary(host);
  await expectRows(all);
  rows()[0]?.focus();
  await user.keyboard('{Control>}a{/Control}{Delete}');
  const question = within(await screen.findByRole('alertdialog'));
  const copies = await question.findByRole('radio', { name: /^Only the copies in the vault: 2 of 4 samples\./ });
  expect(copies).toHaveProperty('checked', true);
});

test.each([
  [1, 'Copy in the vault removed'],
  [2, '2 copies in the vault removed'],
])(
  'what is said after the copies alone of %i samples were removed does not call them forgotten',
  async (count, said) => {
    const host = new LibraryHost(some.map((row) => ({ ...row, vault: 'held' })));
    const { user } = await openLibrary(host, { 'library.forget': () => ({ forgotten: count }) });
    await expectRows(all);
    rows()[0]?.focus();
    await user.keyboard(count === 1 ? '{Delete}' : 'x{ArrowDown}x{Delete}');
    const question = within(await screen.findByRole('alertdialog'));
    expect(await question.findByRole('radio', { name: /^Only the cop/ })).toHaveProperty('checked', true);
    const verb = question.getByRole('button', { name: /^Forget \d/ });
    await vi.waitFor(() => expect(verb).toHaveProperty('disabled', false));
    await user.click(verb);
    expect(await screen.findByText(said)).toBeDefined();
  },
);

test(
  'a change of more than 5,000 samples asks first, with their number and what is changed',
  { tags: ['long'] },
  async () => {
    const many = Array.from({ length: 5001 }, (_, at) => rowOf(at + 1, { name: `sample ${at + 1}` }));
    const { user, bridge } = await openLibrary(new LibraryHost(many), {
      'library.change': () => ({ changed: 0, leftOut: 0, job: job.id }),
    });
    await vi.waitFor(() => expect(rows().length).toBeGreaterThan(1));
    rows()[0]?.focus();
    await user.keyboard('{Control>}a{/Control}l');
    await user.click(await screen.findByRole('menuitem', { name: /RED/ }));
    const asked = await screen.findByRole('alertdialog', { name: 'Set the local TLP of 5,001 samples to RED?' });
    await user.click(within(asked).getByRole('button', { name: 'Cancel' }));
    expect(bridge.inputsOf('library.change')).toEqual([]);
    await user.keyboard('t');
    await user.type(await screen.findByRole('combobox', { name: 'Local tags for 5,001 samples' }), 'case:7{Enter}');
    const tagged = await screen.findByRole('alertdialog', { name: 'Add case:7 to 5,001 samples?' });
    await user.click(within(tagged).getByRole('button', { name: 'Tag 5,001 samples' }));
    await vi.waitFor(() => expect(bridge.inputsOf('library.change')).toMatchObject([{ change: { add: ['case:7'] } }]));
  },
);
