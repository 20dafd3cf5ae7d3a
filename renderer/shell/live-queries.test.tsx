import type { Failure } from '../../shared/failure-kinds.ts';
import '../test/page-surroundings.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { HostDescription } from '../../shared/domain/host.ts';
import { open } from '../test/open-page.fixture.tsx';
import { host } from '../test/quiet-host.ts';

const labFailed: Failure = {
  kind: 'lab-failed',
  attempts: 6,
  end: 'exit code 1',
  text: 'Error: no disk',
  lastWords: 'Error: no disk',
  log: '/data/logs/vitrine.log',
};

test('a lab that fails to start is reported as stopped, then failed, and shown with a start button', async () => {
  let lab: HostDescription['lab'] = host.lab;
  const { bridge, user } = await open({ 'host.describe': () => ({ ...host, lab }) });
  const report = (now: HostDescription['lab']): void => act(() => bridge.emit('lab.changed', (lab = now)));
  for (const restarts of [1, 2, 3, 4, 5]) report({ state: 'restarting', restarts, failure: null });
  expect(screen.getAllByText('The lab stopped and is restarting')).toHaveLength(1);
  report({ state: 'stopped', restarts: 5, failure: labFailed });
  expect(await screen.findByText('Lab failed to start, restarted 5 times')).toBeDefined();
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain('The lab failed to start');
  expect(notice.textContent).toContain(
    'It stopped 6 times in a row (exit code 1): “Error: no disk”. Start it again, or see /data/logs/vitrine.log.',
  );
  await user.click(within(notice).getByRole('button', { name: 'Start lab' }));
  expect(bridge.inputsOf('lab.start')).toEqual([{}]);
  await user.click(screen.getByRole('button', { name: 'Show' }));
  const card = await screen.findByRole('region', { name: 'Lab (this computer)' });
  expect(within(card).getByRole('button', { name: 'Start lab' })).toBeDefined();
  report({ state: 'running', restarts: 5, failure: null });
  await waitFor(() => expect(within(card).queryByRole('button', { name: 'Start lab' })).toBeNull());
});

test('a stopped lab is not queried for publications until it runs', async () => {
  let lab: HostDescription['lab'] = host.lab;
  const { bridge } = await open({ 'host.describe': () => ({ ...host, lab }) });
  await waitFor(() => expect(bridge.inputsOf('lab.sampleFiles')).toHaveLength(1));
  const report = (now: HostDescription['lab']): void => act(() => bridge.emit('lab.changed', (lab = now)));
  report({ state: 'starting', restarts: 0, failure: null });
  report({ state: 'stopped', restarts: 0, failure: { kind: 'disk-full', path: '/data/lab' } });
  await screen.findByText('The disk is full');
  expect(bridge.inputsOf('lab.sampleFiles')).toHaveLength(1);
  report({ state: 'running', restarts: 0, failure: null });
  await waitFor(() => expect(bridge.inputsOf('lab.sampleFiles')).toHaveLength(2));
});

test('a lab that stopped and runs again is reported, and the status bar counts its restarts', async () => {
  let lab: HostDescription['lab'] = host.lab;
  const { bridge } = await open({ 'host.describe': () => ({ ...host, lab }) });
  const report = (now: HostDescription['lab']): void => act(() => bridge.emit('lab.changed', (lab = now)));
  report({ state: 'restarting', restarts: 0, failure: null });
  expect(screen.queryByText('The lab stopped and was restarted')).toBeNull();
  report({ state: 'running', restarts: 1, failure: null });
  expect(await screen.findByText('The lab stopped and was restarted')).toBeDefined();
  expect(await screen.findByText('Lab running, restarted once')).toBeDefined();
});
