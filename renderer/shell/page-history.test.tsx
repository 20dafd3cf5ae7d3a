import '../components/data-grid/layout.fixture.ts';
import '../test/page-surroundings.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rowOf } from '../features/library/library-row.fixture.ts';
import { open } from '../test/open-page.fixture.tsx';
import { found, host, md5 } from '../test/quiet-host.ts';

const view = (title: string): Promise<HTMLElement> => screen.findByRole('heading', { level: 1, name: title });

test('Back and Forward lead through views and looked-up hashes, and nothing is sent twice', async () => {
  const { user, lookUp, bridge } = await open({ 'samples.lookup': () => found });
  await lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  await user.keyboard('{Control>}8{/Control}');
  await view('Activity');
  await user.keyboard('{Control>},{/Control}');
  await view('Settings');
  window.history.back();
  await view('Activity');
  window.history.back();
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  window.history.back();
  await screen.findByText('No hash looked up');
  window.history.forward();
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  expect(bridge.inputsOf('samples.lookup')).toHaveLength(1);
});

test('an entry of the history has no hash and no name, in its address or in its state', async () => {
  const { lookUp } = await open({ 'samples.lookup': () => found });
  window.location.hash = 'secret-of-a-link';
  await lookUp(md5);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  expect(window.location.href).not.toContain('#');
  expect(JSON.stringify(window.history.state)).not.toMatch(new RegExp(`${md5}|update_helper`));
});

test('Back closes an open dialog, and leads nowhere', async () => {
  const { user } = await open();
  await user.keyboard('{Control>}8{/Control}');
  await view('Activity');
  await user.keyboard('?');
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  window.history.back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await view('Activity')).toBeDefined();
  window.history.back();
  expect(await view('Look up')).toBeDefined();
});

test('on the desktop Alt and an arrow, and the side buttons of a mouse, lead back and forward', async () => {
  const { user } = await open({
    'host.describe': () => ({ ...host, platform: 'desktop' }),
    'library.list': () => ({ rows: [rowOf(1)], total: 1, elapsedMs: 1 }),
  });
  await user.keyboard('{Control>}8{/Control}');
  await view('Activity');
  fireEvent.keyDown(document.body, { key: 'ArrowLeft', altKey: true });
  await view('Look up');
  fireEvent.keyDown(document.body, { key: 'ArrowRight', altKey: true });
  await view('Activity');
  fireEvent.mouseUp(document.body, { button: 3 });
  expect(await view('Look up')).toBeDefined();
});
