import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callChannel, eventChannel } from '../../shared/transport.ts';
import { serveIpc } from './ipc.ts';
import { innerDetail, openFakeRooms } from './testing/fake-rooms.ts';
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
])('a message that is none of the preload’s (case %#) is bad input and reaches nothing', async (message) => {
  expect(await page.send(message)).toEqual(refused('bad-input'));
  expect(page.rooms).toMatchObject({ carriedOut: [], defects: [] });
  expect(page.rooms.staging.staged.size).toBe(0);
});

test('a path that is not there is an answer, and its detail stays in the log', async () => {
  const reply = await page.send({ kind: 'stage', path: '/nowhere/at/all' });
  expect(reply).toEqual(refused('unexpected'));
  expect(JSON.stringify(reply)).not.toContain('nowhere');
  expect(page.rooms.defects).toHaveLength(1);
});

test('a check of the sender that breaks lets nobody in', async () => {
  const rooms = openFakeRooms();
  const ipcMain = new StandInIpcMain();
  serveIpc({
    ...rooms,
    ipcMain,
    isTrusted: () => {
      throw new Error(innerDetail);
    },
  });
  const event = { senderFrame: { url: 'vitrine-page://app/' }, sender: { id: 1 } };
  expect(await ipcMain.invoke(callChannel, event, { kind: 'call', name: 'library.count', input: {} })).toEqual(
    refused('unexpected'),
  );
  expect(rooms.carriedOut).toEqual([]);
});

describe('events', () => {
  const event = { name: 'workspaces.changed', payload: {} } as const;

  test('go to a page on the one channel until it is let go of', () => {
    const sent: string[] = [];
    const remove = page.host.addPage({ send: (channel) => sent.push(channel) });
    page.rooms.events.emit(event);
    remove();
    page.rooms.events.emit(event);
    expect(sent).toEqual([eventChannel]);
  });

  test('reach the others when one page is gone, which is logged once', async () => {
    page.host.addPage({
      send: () => {
        throw new TypeError('Object has been destroyed');
      },
    });
    const listening = await page.listen();
    page.rooms.events.emit(event);
    page.rooms.events.emit(event);
    expect([await listening.next(), await listening.next()]).toEqual([event, event]);
    expect(page.rooms.defects).toHaveLength(1);
  });
});

test('closing takes the channel and every page away', async () => {
  const other = await openIpcHarness();
  await other.listen();
  await other.close();
  expect(other.rooms.events.listeners).toBe(0);
  await expect(other.call('library.count', {})).rejects.toThrow('No handler');
});
