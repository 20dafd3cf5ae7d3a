import { bulkJob } from '../components/jobs/job.fixture.ts';
import './page-surroundings.ts';
import '../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job, JobItem } from '../../shared/domain/job.ts';
import { fail } from '../../shared/failure.ts';
import { open } from './open-page.fixture.tsx';
import { md5, sha256 } from './quiet-host.ts';

const item: JobItem = { position: 1, hash: md5, md5, name: null, state: 'done', sha256, sizeBytes: 4, failure: null };
const first: Job = {
  ...bulkJob,
  state: 'done',
  ended: '2026-11-18T14:32:51.000Z',
  items: 1,
  counts: { ...bulkJob.counts, waiting: 0, done: 1 },
};
const second: Job = { ...first, id: 230 };

/** Two bulk downloads under Activity; the answer with the items to export is held until the test releases it. */
async function openHeld() {
  const reported = Promise.withResolvers<'told' | 'refused'>();
  const page = await open({
    'jobs.list': () => ({ jobs: [first, second] }),
    'jobs.items': async ({ limit }) => {
      if (limit === 1 && (await reported.promise) === 'refused') fail({ kind: 'host-gone' });
      return { items: [item], total: 1 };
    },
  });
  await page.user.keyboard('{Control>}8{/Control}');
  await screen.findByRole('region', { name: 'Job 230' });
  return { ...page, emit: (how: 'told' | 'refused' = 'told') => act(async () => reported.resolve(how)) };
}

const button = (name: string): Promise<HTMLElement> => screen.findByRole('button', { name });
const inNotification = (name: string): Promise<HTMLElement> =>
  within(screen.getByRole('region', { name: /^Notifications/ })).findByRole('button', { name });

test('the export dialog of a job opens at once when its view is still shown', async () => {
  const { user, emit } = await openHeld();
  await user.click(await button('Export…'));
  await user.click(await screen.findByRole('menuitem', { name: /^Password ZIP/ }));
  await emit();
  expect(await screen.findByRole('dialog', { name: 'Export 1 sample?' })).toBeDefined();
});

test('the export dialog of a job does not open over another job, but is offered and opens on request', async () => {
  const { user, emit } = await openHeld();
  await user.click(await button('Export…'));
  await user.click(await screen.findByRole('menuitem', { name: /^Password ZIP/ }));
  await user.click(screen.getByText('Bulk download 218'));
  await screen.findByRole('region', { name: 'Job 218' });
  await emit();
  const now = await inNotification('Export…');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(now);
  expect(await screen.findByRole('dialog', { name: 'Export 1 sample?' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a failed export of items is reported in the view that is current by then', async () => {
  const { user, emit } = await openHeld();
  await user.click(await button('Export…'));
  await user.click(await screen.findByRole('menuitem', { name: /^Password ZIP/ }));
  await user.keyboard('{Control>}1{/Control}');
  await emit('refused');
  await user.click(await button('Show'));
  expect(await screen.findByRole('dialog', { name: 'Export samples' })).toBeDefined();
});

/** The list of items, which is written when it is let. */
async function openSaving() {
  const saved = Promise.withResolvers<'saved' | 'refused'>();
  const page = await open({
    'jobs.list': () => ({ jobs: [first] }),
    'jobs.items': () => ({ items: [item], total: 1 }),
    'jobs.exportItems': async () =>
      (await saved.promise) === 'saved'
        ? { kind: 'browser', id: 'e'.repeat(64), fileName: 'job-218.csv' }
        : fail({ kind: 'host-gone' }),
  });
  await page.user.keyboard('{Control>}8{/Control}');
  await page.user.click(await button('Export…'));
  await page.user.click(await screen.findByRole('menuitem', { name: /^CSV/ }));
  await waitFor(() => expect(page.bridge.inputsOf('jobs.exportItems')).toHaveLength(1));
  return { ...page, end: (how: 'saved' | 'refused') => act(async () => saved.resolve(how)) };
}

test('a list written after its view was left is reported, and can be saved from there', async () => {
  const { user, end } = await openSaving();
  await user.keyboard('{Control>}1{/Control}');
  await end('saved');
  expect(await screen.findByText('The list is ready')).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(await button('Save list'));
  expect(await screen.findByRole('dialog', { name: 'The list is ready' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Save list' }).getAttribute('href')).toContain('e'.repeat(64));
});

test('a list that could not be written after its view was left is reported, too', async () => {
  const { user, bridge, end } = await openSaving();
  await user.keyboard('{Control>}1{/Control}');
  await end('refused');
  await user.click(await button('Show'));
  expect(await screen.findByRole('dialog', { name: 'Export items' })).toBeDefined();
  await user.click(await button('Try again'));
  await waitFor(() => expect(bridge.inputsOf('jobs.exportItems')).toHaveLength(2));
});

test('a list is saved at once when its view is still shown', async () => {
  const { end } = await openSaving();
  await end('saved');
  expect(await screen.findByRole('dialog', { name: 'The list is ready' })).toBeDefined();
});
