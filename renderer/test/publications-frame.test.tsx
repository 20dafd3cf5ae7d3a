import './page-surroundings.ts';
import '../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PackageView } from '../../shared/domain/publication.ts';
import type { EventPayload } from '../../shared/events.ts';
import { open } from './open-page.fixture.tsx';
import { lab, noPackages } from './quiet-host.ts';

const counts = { added: 2, removed: 1, changed: 3, moved: 0, broken: 1, same: 405 };
const news = (change: Partial<EventPayload<'publications.news'>> = {}): EventPayload<'publications.news'> => ({
  workspaceId: 'lab',
  kind: 'found',
  version: '2026.11.17',
  counts,
  ...change,
});

function packageOf(sha256: string, change: Partial<PackageView> = {}): PackageView {
  return {
    sha256,
    version: '2026.11.10',
    group: 'Release',
    published: null,
    source: 'service',
    sizeBytes: 1,
    received: '2026-11-10T14:30:00.000Z',
    contents: { files: 5, rules: 409, broken: 0 },
    failure: null,
    warnings: [],
    activated: null,
    activeMs: 0,
    ...change,
  };
}
const status = (): HTMLElement => screen.getByRole('contentinfo', { name: 'Status' });

test('the sidebar and the status bar claim nothing without a package', async () => {
  const { bridge } = await open();
  await waitFor(() => expect(bridge.inputsOf('publications.state')).toContainEqual({ workspaceId: 'lab' }));
  expect(screen.getByRole('button', { name: 'Publications' })).toBeDefined();
  expect(status().textContent).not.toContain('rule');
});

test('the status bar shows the rules in use, and the sidebar counts updates as soon as they are known', async () => {
  const active = packageOf('a'.repeat(64));
  let state = { ...noPackages, packages: [active], active: active.sha256 };
  const { bridge } = await open({ 'publications.state': () => state });
  expect(await within(status()).findByText('Release 2026.11.10, 409 rules')).toBeDefined();
  const candidate = packageOf('b'.repeat(64), { version: '2026.11.17', group: 'Test' });
  state = { ...state, packages: [candidate, active], candidate: candidate.sha256 };
  act(() => bridge.emit('publications.changed', { workspaceId: 'lab' }));
  expect((await screen.findByRole('button', { name: 'Publications, 1 new package' })).textContent).toContain('1 new');
  expect(within(status()).getByText('Release 2026.11.10, 409 rules')).toBeDefined();
});

test('Ctrl 7 leads to the publications, Ctrl 8 to the activity', async () => {
  const { user } = await open();
  await user.keyboard('{Control>}7{/Control}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Publications' })).toBeDefined();
  await user.keyboard('{Control>}8{/Control}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Activity' })).toBeDefined();
});

test('the result of a check is reported with its counts, and leads to the updates', async () => {
  const { user, bridge } = await open();
  act(() => bridge.emit('publications.news', news()));
  expect(await screen.findByText('2026.11.17 is available: +2 −1 ~3')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Publications' })).toBeDefined();
  expect(screen.queryByText('2026.11.17 is available: +2 −1 ~3')).toBeNull();
});

test('installations, failures and events of another workspace are each reported as such', async () => {
  const { bridge } = await open({
    'workspaces.list': () => ({
      workspaces: [lab, { ...lab, id: 'w-2', name: 'Team', builtIn: false }],
      current: 'lab',
      damaged: [],
    }),
  });
  act(() => bridge.emit('publications.news', news({ kind: 'installed' })));
  expect(await screen.findByText('2026.11.17 is installed: +2 −1 ~3')).toBeDefined();
  act(() => bridge.emit('publications.news', news({ kind: 'failed', version: null, counts: null })));
  expect(await screen.findByText('The check for new rules failed')).toBeDefined();
  act(() => bridge.emit('publications.news', news({ workspaceId: 'w-2', counts: null })));
  const reported = await screen.findByText('Team: 2026.11.17 is available');
  expect(within(reported.closest('div') ?? document.body).queryByRole('button', { name: 'Show' })).toBeNull();
});
