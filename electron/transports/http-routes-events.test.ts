import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { someDownload } from './testing/fakes.ts';
import { type HttpHarness, openHttpHarness } from './testing/http-harness.ts';
import { until } from './testing/until.ts';

let page: HttpHarness;
beforeEach(async () => {
  page = await openHttpHarness();
});
afterEach(() => page.close());

describe('events', () => {
  test('begin at once and continue with heartbeats', async () => {
    const lively = await openHttpHarness({ heartbeatMs: 5 });
    const reply = await lively.openEvents();
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson');
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let beat = 0; beat < 3; beat += 1) expect((await reader?.read())?.value).toContain('{"kind":"heartbeat"}\n');
    await lively.close();
  });

  test('disconnect only the page that does not read', async () => {
    const small = await openHttpHarness({ eventBufferBytes: 64 * 1024 });
    const [slow, quick] = [await small.openEvents(), await small.listen()];
    let sent = 0;
    const listening = (): boolean => small.fakes.events.listeners === 2;
    while (listening()) {
      for (let index = 0; index < 20; index += 1)
        small.fakes.events.emit({ name: 'download.progress', payload: someDownload(sent++, 'n'.repeat(1000)) });
      for (let index = 0; index < 20; index += 1) await quick.next();
    }
    small.fakes.events.emit({ name: 'workspaces.changed', payload: {} });
    expect(await quick.next()).toEqual({ name: 'workspaces.changed', payload: {} });
    await expect(slow.text()).rejects.toThrow();
    await small.close();
  });

  test('are not kept for a closed page', async () => {
    const reply = await page.openEvents();
    expect(page.fakes.events.listeners).toBe(1);
    await reply.body?.cancel();
    await until(() => page.fakes.events.listeners === 0);
  });
});
