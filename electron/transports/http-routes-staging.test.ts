import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileNameHeader, sessionHeader } from '../../shared/transport.ts';
import { chunksOf } from './testing/byte-chunks.ts';
import { type HttpHarness, openHttpHarness } from './testing/http-harness.ts';
import { until } from './testing/until.ts';

let page: HttpHarness;
beforeEach(async () => {
  page = await openHttpHarness();
});
afterEach(() => page.close());

const refused = (kind: string): object => ({ ok: false, failure: expect.objectContaining({ kind }) });
const reason = (why: string): object => ({ ok: false, failure: { kind: 'sender-refused', reason: why } });

describe('staging', () => {
  const upload = (name: string, body: ReadableStream | Uint8Array, signal?: AbortSignal) => async (key: string) =>
    fetch(`${page.origin}/stage`, {
      method: 'POST',
      body,
      duplex: 'half',
      ...(signal ? { signal } : {}),
      headers: {
        origin: page.origin,
        [sessionHeader]: key,
        'content-type': 'application/octet-stream',
        [fileNameHeader]: encodeURIComponent(name),
      },
    });

  test('takes a file larger than the call limit, piece by piece', async () => {
    const reply = await upload('large.bin', ReadableStream.from(chunksOf(48, 64 * 1024)))(await page.openSession());
    expect(await reply.json()).toMatchObject({ ok: true, value: { name: 'large.bin', sizeBytes: 48 * 64 * 1024 } });
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(48, 64 * 1024)) hash.update(chunk);
    const [staged] = page.fakes.staging.staged.values();
    expect(staged?.sha256).toBe(hash.digest('hex'));
    expect(staged?.chunks).toBeGreaterThan(1);
  });

  test('detects an aborted upload and keeps nothing', async () => {
    const gone = new AbortController();
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1024)) });
    const uploading = upload('half.bin', body, gone.signal)(await page.openSession());
    const settled = uploading.then(
      () => 'answered',
      () => 'cut',
    );
    await until(() => page.fakes.staging.begun.length > 0);
    gone.abort();
    expect(await settled).toBe('cut');
    await until(() => page.fakes.staging.dropped.length > 0);
    expect(page.fakes.staging.dropped).toEqual(['half.bin']);
    expect(page.fakes.staging.staged.size).toBe(0);
    expect(page.fakes.defects).toEqual([]);
  });

  test.each([['%'], ['%ff'], [''], [encodeURIComponent('n'.repeat(1025))]])('refuses the name %s', async (name) => {
    const headers = { 'content-type': 'application/octet-stream', [fileNameHeader]: name };
    expect(await page.post('/stage', { headers })).toMatchObject({ status: 400, json: refused('bad-input') });
  });

  test('refuses JSON, the type of a call', async () => {
    expect(await page.post('/stage', {})).toMatchObject({ status: 415, json: reason('media-type') });
  });
});
