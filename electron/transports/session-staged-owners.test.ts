import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileNameHeader, sessionHeader } from '../../shared/transport.ts';
import { StagedOwners } from './session.ts';
import { type HttpHarness, openHttpHarness } from './testing/http-harness.ts';

let page: HttpHarness;
beforeEach(async () => {
  page = await openHttpHarness();
});
afterEach(() => page.close());

const missing = (id: string): object => ({ ok: false, failure: { kind: 'staged-file-missing', id } });
const carriedOut = { ok: true, value: { samples: 3, inVault: 2, vaultBytes: 1024 } };

async function stage(key: string): Promise<string> {
  const { json } = await page.post('/stage', {
    headers: { [sessionHeader]: key, 'content-type': 'application/octet-stream', [fileNameHeader]: 'a.bin' },
    body: 'some bytes',
  });
  const [id] = /(?<="id":")[0-9a-f]{32}/.exec(JSON.stringify(json)) ?? expect.fail('nothing was staged');
  return id;
}
const call = async (key: string, input: unknown): Promise<unknown> =>
  (await page.post('/call/library.count', { headers: { [sessionHeader]: key }, body: JSON.stringify(input) })).json;

describe('a file staged by one session', () => {
  test('is missing in another session for every use of its id', async () => {
    const [own, other] = [await page.openSession(), await page.openSession()];
    const id = await stage(own);
    for (const input of [{ id }, { files: [{ id, path: 'a' }] }, [id], id, { [id]: true }])
      expect(await call(other, input)).toEqual(missing(id));
    expect(page.fakes.carriedOut).toEqual([]);
    expect(await call(own, { id })).toEqual(carriedOut);
  });

  test('belongs to every session once it is in a draft, as drafts are shown to all', async () => {
    const [own, other] = [await page.openSession(), await page.openSession()];
    const id = await stage(own);
    await call(own, { id });
    expect(await call(other, { id })).toEqual(carriedOut);
  });

  test('is not released by a call that also names a file of another session', async () => {
    const [own, other] = [await page.openSession(), await page.openSession()];
    const [mine, theirs] = [await stage(own), await stage(other)];
    expect(await call(own, [mine, theirs])).toEqual(missing(theirs));
    expect(await call(other, [mine])).toEqual(missing(mine));
  });

  test('is missing at another host, and so is a prepared download', async () => {
    const elsewhere = await openHttpHarness();
    const download = page.fakes.exports.prepare({
      fileName: 'a.zip',
      sizeBytes: null,
      open: async function* () {
        yield new Uint8Array(1);
      },
    });
    expect(
      await elsewhere.raw({ path: `/export/${download}`, headers: { host: `127.0.0.1:${elsewhere.host.port}` } }),
    ).toMatchObject({ status: 404 });
    expect(
      await elsewhere.post('/call/library.count', { headers: { [sessionHeader]: await page.openSession() } }),
    ).toMatchObject({ status: 401 });
    expect(elsewhere.fakes.staging.staged.has(await stage(await page.openSession()))).toBe(false);
    await elsewhere.close();
  });
});

test('an id nested deeper than calls can be is found', () => {
  const owners = new StagedOwners();
  owners.add('a'.repeat(32), 'one');
  const input: unknown = JSON.parse(`${'['.repeat(50_000)}"${'a'.repeat(32)}"${']'.repeat(50_000)}`);
  expect(() => owners.handOver(input, 'other')).toThrow();
  expect(() => owners.handOver(input, 'one')).not.toThrow();
});

test('the oldest of over a hundred thousand unclaimed files is open to any session, and the next is not', () => {
  const owners = new StagedOwners();
  for (let id = 0; id <= 100_000; id += 1) owners.add(`file ${id}`, 'one');
  expect(() => owners.handOver('file 0', 'other')).not.toThrow();
  expect(() => owners.handOver('file 1', 'other')).toThrow();
});
