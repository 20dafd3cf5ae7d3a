import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FailureError } from '../../shared/failure.ts';
import { secretPattern } from '../../shared/transport.ts';
import { serveHttp } from './http.ts';
import { openFakes } from './testing/fakes.ts';
import { type HttpHarness, openHttpHarness, secretOf } from './testing/http-harness.ts';

let page: HttpHarness;
beforeEach(async () => {
  page = await openHttpHarness();
});
afterEach(() => page.close());

describe('the host', () => {
  test('prints only links, each with a new secret', () => {
    const [first, second] = [page.host.newLink(), page.host.newLink()];
    expect(first).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${page.host.port}/#`));
    expect(secretOf(first)).toMatch(secretPattern);
    expect(secretOf(second)).not.toBe(secretOf(first));
  });

  test('reports a busy port', async () => {
    const opening = serveHttp({ ...openFakes(), port: page.host.port, pageDirectory: page.pageDirectory });
    await expect(opening).rejects.toEqual(new FailureError({ kind: 'port-busy', port: page.host.port }));
  });

  test.runIf(process.platform === 'linux')('listens on 127.0.0.1 only', async () => {
    // One that listened everywhere would hold this port on every address of the computer.
    const other = createServer().listen({ port: page.host.port, host: '127.0.0.2' });
    await once(other, 'listening');
    expect(other.listening).toBe(true);
    other.close();
  });

  test('answers under localhost too', async () => {
    const name = `localhost:${page.host.port}`;
    const { status } = await page.post('/call/library.count', { headers: { host: name, origin: `http://${name}` } });
    expect(status).toBe(200);
  });
});

test('closing ends event streams and uploads', async () => {
  const other = await openHttpHarness();
  const stream = await other.openEvents();
  const reading = stream.text().then(
    () => 'ended well',
    () => 'cut',
  );
  await other.close();
  expect(await reading).toBe('cut');
  expect(other.fakes.events.listeners).toBe(0);
  await expect(fetch(other.origin)).rejects.toThrow();
});
