import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FailureError } from '../../shared/failure.ts';
import { contentDisposition } from './http-reply.ts';
import { chunksOf } from './testing/byte-chunks.ts';
import { innerDetail } from './testing/fakes.ts';
import { type HttpHarness, openHttpHarness } from './testing/http-harness.ts';

let page: HttpHarness;
beforeEach(async () => {
  page = await openHttpHarness();
});
afterEach(() => page.close());

const refused = (kind: string): object => ({ ok: false, failure: expect.objectContaining({ kind }) });

async function* failing(after: number, error: Error): AsyncGenerator<Uint8Array> {
  yield* chunksOf(after, 1000);
  throw error;
}

describe('an export', () => {
  const zip = { fileName: 'abc.zip', sizeBytes: null, open: () => chunksOf(3, 1000) };
  const take = (id: string) => page.raw({ path: `/export/${id}`, headers: { host: `127.0.0.1:${page.host.port}` } });

  test('is a download, once', async () => {
    const id = page.fakes.exports.prepare(zip);
    const first = await take(id);
    expect(first).toMatchObject({
      status: 200,
      headers: {
        'content-disposition': `attachment; filename="abc.zip"; filename*=UTF-8''abc.zip`,
        'content-type': 'application/octet-stream',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      },
    });
    expect(first.body).toHaveLength(3000);
    expect(await take(id)).toMatchObject({ status: 404, json: refused('export-gone') });
  });

  test('sends its length when it is known', async () => {
    expect(await take(page.fakes.exports.prepare({ ...zip, sizeBytes: 3000 }))).toMatchObject({
      status: 200,
      headers: { 'content-length': '3000' },
    });
  });

  test.each(['', '../x', '%2e', '__proto__', 'a/b'])('of the id "%s" does not exist', async (id) => {
    expect(await take(id)).toMatchObject({ status: 404, json: refused('export-gone') });
  });

  test('is not used up by a request that is refused', async () => {
    const id = page.fakes.exports.prepare(zip);
    expect(await page.raw({ path: `/export/${id}`, headers: { host: 'evil.example' } })).toMatchObject({ status: 403 });
    expect(await take(id)).toMatchObject({ status: 200 });
  });

  test('that cannot begin is a failure and no file', async () => {
    const id = page.fakes.exports.prepare({
      ...zip,
      open: () => failing(0, new FailureError({ kind: 'vault-damaged', sha256: 'a'.repeat(64) })),
    });
    const reply = await take(id);
    expect(reply).toMatchObject({ status: 422, json: refused('vault-damaged') });
    expect(reply.headers['content-disposition']).toBeUndefined();
  });

  test.each([null, 5000])('that breaks in the middle never seems whole (length %s)', async (sizeBytes) => {
    const id = page.fakes.exports.prepare({ ...zip, sizeBytes, open: () => failing(1, new Error(innerDetail)) });
    await expect(take(id)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(page.fakes.defects).toMatchObject([{ operation: 'export', error: new Error(innerDetail) }]);
  });

  test.each([10, 5000])('with a wrong announced length (%s) never seems whole', async (sizeBytes) => {
    await expect(take(page.fakes.exports.prepare({ ...zip, sizeBytes }))).rejects.toThrow();
    expect(page.fakes.defects).toHaveLength(1);
  });

  test('ends when the browser closes the connection', async () => {
    const ended = Promise.withResolvers<void>();
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(64 * 1024);
      } finally {
        ended.resolve();
      }
    }
    const reply = await fetch(`${page.origin}/export/${page.fakes.exports.prepare({ ...zip, open: endless })}`);
    await reply.body?.cancel();
    await ended.promise;
    await page.call('library.count', {});
    expect(page.fakes.defects).toEqual([]);
  });
});

test.each([
  ['report.zip', 'report.zip', 'report.zip'],
  ['../../etc/passwd', '__.._etc_passwd', '__.._etc_passwd'],
  ['a"; filename="evil.exe', 'a_; filename=_evil.exe', 'a_%3B%20filename%3D_evil.exe'],
  ['名前.zip', '__.zip', '%E5%90%8D%E5%89%8D.zip'],
  ['line\r\nset-cookie: x=1', 'line__set-cookie_ x=1', 'line__set-cookie_%20x%3D1'],
  ["it's (1)*.zip", "it's (1)_.zip", 'it%27s%20%281%29_.zip'],
  ['exe\u202Egnp.zip', 'exe_gnp.zip', 'exe_gnp.zip'],
  ['\ud800', '_', '%EF%BF%BD'],
  ['', 'export', 'export'],
])('the file name %j is sent safely', (name, ascii, encoded) => {
  expect(contentDisposition(name)).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`);
});
