import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callChannel, eventChannel } from '../../shared/transport.ts';
import { serveIpc } from './ipc.ts';
import { innerDetail, openFakes } from './testing/fakes.ts';
import { type IpcHarness, openIpcHarness, StandInIpcMain } from './testing/ipc-harness.ts';

let page: IpcHarness;
beforeEach(async () => {
  page = await openIpcHarness();
});
afterEach(() => page.close());

const refused = (kind: string): object => ({ ok: false, failure: expect.objectContaining({ kind }) });
const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

test.each([
  [undefined],
  [null],
  ['call'],
  [{}],
  [{ kind: 'call' }],
  [{ kind: 'call', name: 7, input: {} }],
  [{ kind: 'open', path: '/etc/passwd' }],
  [{ kind: 'stage' }],
  [{ kind: 'stage', path: '' }],
  [{ kind: 'stage', path: 'relative/file' }],
  [{ kind: 'stage', path: ['/etc/passwd'] }],
  [{ kind: 'call', name: 'library.count', input: cycle }],
  [{ kind: 'call', name: 'library.count', input: { big: 1n } }],
])('a message foreign to the preload (case %#) is bad input and reaches nothing', async (message) => {
  expect(await page.send(message)).toEqual(refused('bad-input'));
  expect(page.fakes).toMatchObject({ carriedOut: [], defects: [] });
  expect(page.fakes.staging.staged.size).toBe(0);
});

test('a missing path is an answer, and its detail stays in the log', async () => {
  const reply = await page.send({ kind: 'stage', path: '/nowhere/at/all' });
  expect(reply).toEqual(refused('unexpected'));
  expect(JSON.stringify(reply)).not.toContain('nowhere');
  expect(page.fakes.defects).toHaveLength(1);
});

test('a sender check that throws admits no one', async () => {
  const fakes = openFakes();
  const ipcMain = new StandInIpcMain();
  serveIpc({
    ...fakes,
    ipcMain,
    isTrusted: () => {
      throw new Error(innerDetail);
    },
  });
  const event = { senderFrame: { url: 'vitrine-page://app/' }, sender: { id: 1 } };
  expect(await ipcMain.invoke(callChannel, event, { kind: 'call', name: 'library.count', input: {} })).toEqual(
    refused('unexpected'),
  );
  expect(fakes.carriedOut).toEqual([]);
});

describe('events', () => {
  const event = { name: 'workspaces.changed', payload: {} } as const;

  test('reach a page on the one channel until it is released', () => {
    const sent: string[] = [];
    const remove = page.host.addPage({ send: (channel) => sent.push(channel) });
    page.fakes.events.emit(event);
    remove();
    page.fakes.events.emit(event);
    expect(sent).toEqual([eventChannel]);
  });

  test('reach the others when one page is gone, which is logged once', async () => {
    page.host.addPage({
      send: () => {
        throw new TypeError('Object has been destroyed');
      },
    });
    const listening = await page.listen();
    page.fakes.events.emit(event);
    page.fakes.events.emit(event);
    expect([await listening.next(), await listening.next()]).toEqual([event, event]);
    expect(page.fakes.defects).toHaveLength(1);
  });
});

test('closing removes the channel and every page', async () => {
  const other = await openIpcHarness();
  await other.listen();
  await other.close();
  expect(other.fakes.events.listeners).toBe(0);
  await expect(other.call('library.count', {})).rejects.toThrow('No handler');
});
