import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestServices, ended, team, type TestServices } from '../testing/services.fixture.ts';

const md5s = Array.from({ length: 5 }, (_, index) => createHash('md5').update(String(index)).digest('hex'));
const [first = ''] = md5s;
/** Gives a record, and of the bytes only the beginning. */
const endless: RequestListener = (request, response) => {
  const isRecord = request.url?.includes('action=getfile') ?? false;
  if (isRecord) response.end(JSON.stringify({ file: { filename: 'endless' } }));
  else response.writeHead(200, { 'content-length': 1_000_000 }).write('a');
};
let setup: TestServices;
beforeEach(async () => void (setup = await createTestServices(endless)));
afterEach(() => setup.close());

const states = (): string[] => setup.downloads.list().map(({ state }) => state);

test('a download requested again while it is being cancelled is a new one', async () => {
  const cancelled = setup.downloads.start(team, first);
  await expect.poll(states).toEqual(['receiving']);
  setup.downloads.cancel(cancelled.id);
  const again = setup.downloads.start(team, first);
  expect(again.id).not.toBe(cancelled.id);
  expect((await ended(setup.downloads, cancelled.id)).state).toBe('cancelled');
  await expect.poll(states).toEqual(['cancelled', 'receiving']);
});

test('a removed workspace takes its downloads with it, running and waiting, and no others', async () => {
  for (const md5 of md5s) setup.downloads.start(team, md5);
  const other = setup.downloads.start('other', first);
  await expect.poll(() => states().filter((state) => state === 'receiving')).toHaveLength(3);
  await setup.downloads.cancelAllOf(team);
  expect(states().filter((state) => state === 'cancelled')).toHaveLength(md5s.length);
  await expect.poll(() => setup.downloads.list().find(({ id }) => id === other.id)?.state).toBe('receiving');
});

test('a cancelled download ends at once, however long its removal takes; closing waits for the removal', async () => {
  const { promise: removed, resolve: remove } = Promise.withResolvers<void>();
  const receive = setup.vault.receive.bind(setup.vault);
  vi.spyOn(setup.vault, 'receive').mockImplementation(() => {
    const real = receive();
    return {
      write: (chunk) => real.write(chunk),
      finish: (expected) => real.finish(expected),
      arrive: (expected) => real.arrive(expected),
      seal: (expected) => real.seal(expected),
      keep: () => real.keep(),
      abort: () => removed.then(() => real.abort()),
    };
  });
  const { id } = setup.downloads.start(team, first);
  await expect.poll(states).toEqual(['receiving']);
  setup.downloads.cancel(id);
  await expect.poll(states).toEqual(['cancelled']);
  expect(setup.downloads.running).toBe(0);
  const closed = vi.fn<() => void>();
  const closing = setup.downloads.close().then(closed);
  await nextTurn();
  expect(closed).not.toHaveBeenCalled();
  remove();
  await closing;
});
