import '../components/data-grid/layout.fixture.ts';
import '../test/page-surroundings.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { bulkJob } from '../components/jobs/job.fixture.ts';
import { rowOf } from '../features/library/library-row.fixture.ts';
import { open } from '../test/open-page.fixture.tsx';
import { found, host, lab, md5, sha1, sha256 } from '../test/quiet-host.ts';
import { openedRow, triageHost } from '../test/triage-host.fixture.ts';

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

const another = '44d88612fea8a8f36de82e1278abb02f';
const table = (): Promise<HTMLElement> => screen.findByRole('grid', { name: 'Hashes of the text' });

test('Back and Forward show the table of many hashes again by its job, and nothing is sent again', async () => {
  const { lookUp, bridge } = await open({ ...triageHost(), 'samples.lookup': () => found });
  await lookUp(`${md5} ${sha256}`);
  await openedRow(md5);
  await lookUp(another);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  window.history.back();
  await openedRow(md5);
  window.history.back();
  await screen.findByText('No hash looked up');
  window.history.forward();
  await openedRow(md5);
  window.history.forward();
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  expect([...bridge.inputsOf('triage.create'), ...bridge.inputsOf('triage.start')]).toHaveLength(2);
  expect(bridge.inputsOf('samples.lookup')).toHaveLength(1);
});

test('Back leads from the table of one text to that of the text before', async () => {
  let jobs = 230;
  const { lookUp, bridge } = await open({
    ...triageHost(),
    'triage.create': () => ({ id: (jobs += 1) }),
    'triage.start': ({ id }) => ({ ...bulkJob, id, task: { kind: 'triage' } }),
  });
  const shown = (): number | undefined =>
    z.object({ id: z.number() }).safeParse(bridge.inputsOf('triage.counts').at(-1)).data?.id;
  await lookUp(`${md5} ${sha1}`);
  await waitFor(() => expect(shown()).toBe(231));
  await lookUp(`${md5} ${sha256}`);
  await waitFor(() => expect(shown()).toBe(232));
  window.history.back();
  await waitFor(() => expect(shown()).toBe(231));
});

test('Back to a text that began its job in the background shows the table of that job', async () => {
  const begun = Promise.withResolvers<{ id: number }>();
  const { lookUp, user, bridge } = await open({
    ...triageHost(),
    'triage.create': () => begun.promise,
    'samples.lookup': () => found,
  });
  await lookUp(`${md5} ${sha256}`);
  await waitFor(() => expect(bridge.inputsOf('triage.create')).toHaveLength(1));
  await user.keyboard('{Control>}8{/Control}');
  await view('Activity');
  await act(async () => begun.resolve({ id: 230 }));
  await waitFor(() => expect(bridge.inputsOf('triage.start')).toHaveLength(1));
  window.history.back();
  expect(await table()).toBeDefined();
  expect(bridge.inputsOf('triage.create')).toHaveLength(1);
});

test('in another workspace Back shows no table or answer of the one before, and sends nothing', async () => {
  let current = 'lab';
  const { lookUp, user, bridge } = await open({
    ...triageHost(),
    'samples.lookup': () => found,
    'workspaces.list': () => ({
      workspaces: [lab, { ...lab, id: 'team', name: 'Team', builtIn: false }],
      current,
      damaged: [],
    }),
  });
  const goTo = async (id: string): Promise<void> => {
    current = id;
    act(() => bridge.emit('workspaces.changed', {}));
    await waitFor(() =>
      expect(document.querySelector('button[aria-label^="Workspace:"]')?.ariaLabel?.toLowerCase()).toContain(id),
    );
  };
  await lookUp(another);
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  await lookUp(`${md5} ${sha256}`);
  await openedRow(md5);
  await user.keyboard('{Control>}8{/Control}');
  await view('Activity');
  await goTo('team');
  window.history.back();
  await screen.findByText('No hash looked up');
  window.history.back();
  await screen.findByText('No hash looked up');
  await goTo('lab');
  window.history.forward();
  expect(await table()).toBeDefined();
  window.history.back();
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  expect(bridge.inputsOf('triage.create')).toHaveLength(1);
  expect(bridge.inputsOf('samples.lookup')).toHaveLength(1);
});

test('an answer that came after its look-up was left is there when Back leads to it', async () => {
  const answers = [Promise.withResolvers<typeof found>(), Promise.withResolvers<typeof found>()];
  let asked = 0;
  const { lookUp, bridge } = await open({ 'samples.lookup': () => answers[asked++]?.promise ?? found });
  await lookUp(md5);
  await waitFor(() => expect(asked).toBe(1));
  await lookUp(another);
  await waitFor(() => expect(asked).toBe(2));
  window.history.back();
  await waitFor(() => expect(document.querySelector('main')?.textContent).toContain(md5));
  window.history.forward();
  await waitFor(() => expect(document.querySelector('main')?.textContent).toContain(another));
  await act(async () => answers[0]?.resolve(found));
  expect(screen.queryByRole('heading', { name: 'update_helper.dll' })).toBeNull();
  window.history.back();
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  expect(bridge.inputsOf('samples.lookup')).toHaveLength(2);
});

test('Back to a look-up whose answer is under way waits for it and sends nothing', async () => {
  const answer = Promise.withResolvers<typeof found>();
  const { lookUp, user, bridge } = await open({ 'samples.lookup': () => answer.promise });
  await lookUp(md5);
  await user.keyboard('{Control>}8{/Control}');
  await view('Activity');
  window.history.back();
  await view('Look up');
  await act(async () => answer.resolve(found));
  await screen.findByRole('heading', { name: 'update_helper.dll' });
  expect(bridge.inputsOf('samples.lookup')).toHaveLength(1);
});

test('only the last fifty places are kept', async () => {
  await open({ 'samples.lookup': () => found });
  for (let round = 0; round < 26; round += 1) {
    fireEvent.keyDown(document.body, { key: '8', ctrlKey: true });
    await view('Activity');
    fireEvent.keyDown(document.body, { key: ',', ctrlKey: true });
    await view('Settings');
  }
  const step = (by: number): Promise<void> =>
    act(async () => {
      const popped = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
      window.history.go(by);
      await popped;
    });
  await step(-52);
  expect(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeDefined();
  await step(3);
  await view('Activity');
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
