import { expect, test } from 'vitest';
import { failed, success } from '../../shared/failure.ts';
import type { IpcRequest } from '../../shared/transport.ts';
import { createPageBridge } from './page-bridge.ts';

const md5 = '44d88612fea8a8f36de82e1278abb02f';

function bridge(answer: (request: IpcRequest) => Promise<unknown> = async () => success({})) {
  const requests: IpcRequest[] = [];
  let hear: (event: unknown) => void = () => {};
  const page = createPageBridge<{ path: string }>({
    invoke: (request) => {
      requests.push(request);
      return answer(request);
    },
    onEvent: (listener) => (hear = listener),
    pathOf: ({ path }) => path,
  });
  return { page, requests, send: (event: unknown) => hear(event) };
}

test('the page gets three verbs, and neither a channel nor an event object of Electron', () => {
  const { page, send } = bridge();
  const heard: unknown[][] = [];
  page.subscribe('lookup.prefill', (...given: unknown[]) => heard.push(given));
  send({ name: 'lookup.prefill', payload: { md5 }, sender: 'of Electron', ports: [] });
  expect(Object.keys(page).toSorted()).toEqual(['call', 'stageFile', 'subscribe']);
  expect(heard).toEqual([[{ md5 }]]);
});

test('a call is sent by name and input, and its result is returned', async () => {
  const { page, requests } = bridge(async () => success({ samples: 3, inVault: 2, vaultBytes: 100 }));
  expect(await page.call('library.count', {})).toEqual(success({ samples: 3, inVault: 2, vaultBytes: 100 }));
  expect(requests).toEqual([{ kind: 'call', name: 'library.count', input: {} }]);
});

test('a failure of the host is returned unchanged', async () => {
  const { page } = bridge(async () => failed({ kind: 'data-in-use', path: '/data' }));
  expect(await page.call('library.count', {})).toEqual(failed({ kind: 'data-in-use', path: '/data' }));
});

test('a missing host is a failure, never a rejection', async () => {
  const { page } = bridge(() => Promise.reject(new Error('reply was never sent')));
  expect(await page.call('library.count', {})).toEqual(failed({ kind: 'host-gone' }));
  expect(await page.stageFile({ path: '/a' })).toEqual(failed({ kind: 'host-gone' }));
});

test.each([undefined, 'text', { ok: true, value: { samples: 'three' } }, { ok: false, failure: { kind: 'made-up' } }])(
  'an answer of another shape is a failure: %j',
  async (answer) => {
    const { page } = bridge(async () => answer);
    expect(await page.call('library.count', {})).toEqual(
      failed({ kind: 'host-reply-unreadable', operation: 'library.count' }),
    );
  },
);

test('a file is sent as its path and returned as an id', async () => {
  const staged = { id: 'a'.repeat(32), name: 'a.bin', sizeBytes: 3 };
  const { page, requests } = bridge(async () => success(staged));
  expect(await page.stageFile({ path: '/samples/a.bin' })).toEqual(success(staged));
  expect(requests).toEqual([{ kind: 'stage', path: '/samples/a.bin' }]);
});

test('a file without a path is not sent', async () => {
  const { page, requests } = bridge();
  expect(await page.stageFile({ path: '' })).toEqual(failed({ kind: 'staged-file-missing', id: '' }));
  expect(requests).toEqual([]);
});

test('an event reaches its listeners until they unsubscribe', () => {
  const { page, send } = bridge();
  const heard: string[] = [];
  const stop = page.subscribe('lookup.prefill', (payload) => heard.push(payload.md5));
  page.subscribe('library.changed', () => heard.push('library'));
  send({ name: 'lookup.prefill', payload: { md5 } });
  send({ name: 'library.changed', payload: {} });
  stop();
  page.subscribe('workspaces.changed', () => heard.push('workspaces'));
  send({ name: 'workspaces.changed', payload: {} });
  expect(heard).toEqual([md5, 'library', 'workspaces']);
});

test.each([
  null,
  'text',
  {},
  { name: 'lookup.prefill' },
  { name: '__proto__', payload: {} },
  { name: 'lookup.prefill', payload: { md5: 'x' } },
])('an event of another shape is dropped: %j', (event) => {
  const { page, send } = bridge();
  const heard: unknown[] = [];
  page.subscribe('lookup.prefill', (payload) => heard.push(payload));
  send(event);
  expect(heard).toEqual([]);
});

test('a menu choice waits for the page, too', () => {
  const { page, send } = bridge();
  const heard: unknown[] = [];
  send({ name: 'shell.command', payload: { kind: 'open-job', id: 7 } });
  page.subscribe('shell.command', (payload) => heard.push(payload));
  expect(heard).toEqual([{ kind: 'open-job', id: 7 }]);
});

test('a deep link waits for the page, and news does not', () => {
  const { page, send } = bridge();
  const heard: unknown[] = [];
  send({ name: 'lookup.prefill', payload: { md5 } });
  send({ name: 'library.changed', payload: {} });
  page.subscribe('library.changed', () => heard.push('library'));
  page.subscribe('lookup.prefill', (payload) => heard.push(payload.md5));
  page.subscribe('lookup.prefill', (payload) => heard.push(payload.md5));
  expect(heard).toEqual([md5]);
});
