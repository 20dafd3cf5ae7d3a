import { scanJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { found, md5, sha256 } from '../../test/quiet-host.ts';
import { hit } from './open-sample.fixture.tsx';

const inVault: GivenAnswers = {
  'samples.lookup': () => ({ ...found, local: { ...found.local, inVault: true, sha256, tags: ['case:114'] } }),
};
const some: readonly SampleHit[] = [
  hit('ashveil_config_xor'),
  hit('ashveil_config_xor', { side: 'service', version: null, matches: 1, jobId: null }),
  hit('generic_high_entropy_pe', { mute: { reason: 'too noisy', expires: null }, jobId: 9 }),
];

async function lookUp(answers: GivenAnswers = {}) {
  const page = await open({ ...inVault, 'jobs.list': () => ({ jobs: [scanJob] }), ...answers });
  await page.lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  return page;
}
const hits = async (): Promise<HTMLElement[]> =>
  within(await screen.findByRole('list', { name: 'Rule hits' })).findAllByRole('listitem');

test('S scans a sample of the vault on this computer, and its results are shown', async () => {
  const { user, bridge } = await lookUp();
  await user.keyboard('s');
  await waitFor(() =>
    expect(bridge.inputsOf('scans.start')).toEqual([
      { workspaceId: 'lab', engines: 'local', files: [], samples: [sha256], tlp: null },
    ]),
  );
  expect(await screen.findByRole('button', { name: 'New scan' })).toBeDefined();
});

test('a scan that fails to start gives the reason and a way to fix it', async () => {
  const { user } = await lookUp({ 'scans.start': () => fail({ kind: 'no-package' }) });
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: /^Scan/ }));
  expect((await screen.findByRole('alert')).textContent).toContain('No rules installed');
  await user.click(screen.getByRole('button', { name: 'Show updates' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Publications' })).toBeDefined();
});

test('a sample outside the vault cannot be scanned, and its hits have their place all the same', async () => {
  await lookUp({ 'samples.lookup': () => found });
  expect(within(screen.getByRole('main')).queryByRole('button', { name: /^Scan/ })).toBeNull();
  expect(await screen.findByText('Not scanned yet')).toBeDefined();
});

test('rule hits of the last scan are listed with engine, mutes and a link to a known scan', async () => {
  const { user } = await lookUp({ 'samples.hits': () => ({ hits: [...some], known: null, lastScan: null }) });
  const rows = await hits();
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'ashveil_config_xor3 matchesShow',
    'ashveil_config_xorrule editor1 match',
    'generic_high_entropy_pemuted3 matches',
  ]);
  expect(screen.getByRole('region', { name: 'Rule hits' }).textContent).toContain(
    'local engine with 2026.11.10, rule editor, 2026-11-18 14:29Z',
  );
  expect(rows.map((row) => within(row).queryByRole('button', { name: /^Show / }) !== null)).toEqual([
    true,
    false,
    false,
  ]);
  await user.click(screen.getByRole('button', { name: 'Show ashveil_config_xor in its scan' }));
  expect(await screen.findByRole('button', { name: 'New scan' })).toBeDefined();
});

test('a rule that matches by condition only counts no matches', async () => {
  await lookUp({
    'samples.hits': () => ({ hits: [hit('any_small_file', { matches: 0 })], known: null, lastScan: null }),
  });
  expect((await hits())[0]?.textContent).toBe('any_small_filecondition onlyShow');
});

test('a sample without current rule hits shows its older hits', async () => {
  const older = { count: 1, rules: ['gone'], side: 'local' as const, versions: ['1.2'] };
  await lookUp({
    'samples.hits': () => ({
      hits: [],
      known: { hits: { ...older, count: 0, rules: [] }, older, severity: 'unwanted', threat: null },
      lastScan: null,
    }),
  });
  expect((await screen.findByText('Also known')).closest('[role=note]')?.textContent).toBe(
    'Also known1 older hit, with rules 1.2: gone.',
  );
});

test('hits are read again when a scan has found some', async () => {
  let known: SampleHit[] = [];
  const { bridge } = await lookUp({ 'samples.hits': () => ({ hits: known, known: null, lastScan: null }) });
  expect(await screen.findByText('Not scanned yet')).toBeDefined();
  known = [hit('new_rule')];
  act(() => bridge.emit('scans.changed', { workspaceId: 'lab' }));
  expect(await screen.findByText('new_rule')).toBeDefined();
});

test('local tags are distinguished from the repository’s', async () => {
  await lookUp();
  const own = within(await screen.findByRole('list', { name: 'Local tags (not sent)' }));
  expect(own.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['case:114']);
  expect(within(screen.getByRole('list', { name: 'Tags' })).queryByText('case:114')).toBeNull();
});
