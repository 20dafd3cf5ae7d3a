import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callLimitBytes } from '../../shared/transport.ts';
import { innerDetail, someDownload } from './testing/fakes.ts';
import { openHttpHarness } from './testing/http-harness.ts';
import { openIpcHarness } from './testing/ipc-harness.ts';
import { strangers, type TransportHarness } from './testing/transport-harness.ts';

const transports = { http: openHttpHarness, ipc: openIpcHarness };
const failure = (kind: string): object => ({ ok: false, failure: expect.objectContaining({ kind }) });

/** One promise for both hosts: whatever goes for a call over one goes for a call over the other. */
describe.each(Object.entries(transports))('over %s', (_name, open) => {
  let page: TransportHarness;
  beforeEach(async () => {
    page = await open();
  });
  afterEach(() => page.close());

  test('a success carries the output', async () => {
    expect(await page.call('library.count', {})).toEqual({
      ok: true,
      value: { samples: 3, inVault: 2, vaultBytes: 1024 },
    });
    expect(page.fakes.carriedOut).toEqual(['library.count']);
  });

  test('a failure carries its facts', async () => {
    const id = 'f'.repeat(32);
    expect(await page.call('downloads.cancel', { id })).toEqual({
      ok: false,
      failure: { kind: 'staged-file-missing', id },
    });
    expect(page.fakes.defects).toEqual([]);
  });

  test('a crash carries the id of its log entry and no detail', async () => {
    const reply = await page.call('lab.sampleFiles', {});
    const [defect] = page.fakes.defects;
    expect(reply).toEqual({ ok: false, failure: { kind: 'unexpected', id: defect?.id } });
    expect(defect).toMatchObject({ operation: 'lab.sampleFiles', error: new Error(innerDetail) });
    expect(JSON.stringify(reply)).not.toContain(innerDetail);
  });

  test('bad input is refused with the name of the wrong field', async () => {
    expect(await page.call('downloads.cancel', { id: '../../etc' })).toEqual({
      ok: false,
      failure: { kind: 'bad-input', operation: 'downloads.cancel', issues: [{ path: 'id', message: 'a download id' }] },
    });
  });

  test('no input at all is bad input', async () => {
    expect(await page.call('downloads.cancel', null)).toEqual(failure('bad-input'));
  });

  test.each(['no.such', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'the name %s is unknown',
    async (name) => {
      expect(await page.call(name, {})).toEqual({ ok: false, failure: { kind: 'unknown-operation', name } });
    },
  );

  test('an input with __proto__ changes no prototype', async () => {
    const input: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
    expect(await page.call('library.count', input)).toMatchObject({ ok: true });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('an input over the limit is refused, and one just under it is read', async () => {
    const ofLength = (length: number): string => 'x'.repeat(length - '{"id":""}'.length);
    expect(await page.call('downloads.cancel', { id: ofLength(callLimitBytes) })).toEqual(failure('bad-input'));
    expect(await page.call('downloads.cancel', { id: ofLength(callLimitBytes + 1) })).toEqual({
      ok: false,
      failure: { kind: 'body-too-large', limitBytes: callLimitBytes },
    });
  });

  test('every page sees an event', async () => {
    const pages = [await page.listen(), await page.listen()];
    const event = { name: 'download.progress', payload: someDownload(7, 'naïve 名前.exe') } as const;
    page.fakes.events.emit(event);
    for (const one of pages) expect(await one.next()).toEqual(event);
  });

  test('events keep their order', async () => {
    const listening = await page.listen();
    for (let received = 0; received < 50; received += 1)
      page.fakes.events.emit({ name: 'download.progress', payload: someDownload(received) });
    for (let received = 0; received < 50; received += 1)
      expect(await listening.next()).toMatchObject({ payload: { receivedBytes: received } });
  });

  test('a file is staged whole under its name', async () => {
    const content = new TextEncoder().encode('some bytes');
    expect(await page.stage('naïve 名前.bin', content)).toEqual({
      ok: true,
      value: { id: expect.stringMatching(/^[0-9a-f]{32}$/), name: 'naïve 名前.bin', sizeBytes: content.byteLength },
    });
    expect([...page.fakes.staging.staged.values()]).toMatchObject([
      { sha256: '0d22cdcc10e6d049dbe1af5123d50873fdfc1a4f58306e58cb6241be9472014d' },
    ]);
  });

  test('an empty file is staged', async () => {
    expect(await page.stage('empty', new Uint8Array())).toMatchObject({ ok: true, value: { sizeBytes: 0 } });
  });

  describe.each(strangers)('%s', (stranger) => {
    test('is refused and reaches no handler', async () => {
      const { form, call, refusedAs } = page.strangers[stranger];
      expect({ form, reply: await call() }).toEqual({ form, reply: failure(refusedAs) });
      expect(page.fakes.carriedOut).toEqual([]);
      expect(page.fakes.defects).toEqual([]);
    });
  });
});
