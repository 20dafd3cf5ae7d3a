import '../test/page-surroundings.ts';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { HostDescription } from '../../shared/domain/host.ts';
import { host } from '../test/memory-bridge.ts';
import { open } from '../test/open-page.fixture.tsx';

test('a lab that stopped and runs again is told of, and how often it was started again stands in the status bar', async () => {
  let lab: HostDescription['lab'] = host.lab;
  const { bridge } = await open({ 'host.describe': () => ({ ...host, lab }) });
  const tell = (now: HostDescription['lab']): void => act(() => bridge.tell('lab.changed', lab = now));
  tell({ state: 'restarting', restarts: 0, failure: null });
  expect(screen.queryByText('The lab had stopped and was started again')).toBeNull();
  tell({ state: 'running', restarts: 1, failure: null });
  expect(await screen.findByText('The lab had stopped and was started again')).toBeDefined();
  expect(await screen.findByText('Lab running, restarted once')).toBeDefined();
});
