import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { rawZip } from '../../archive/raw-zip.fixture.ts';
import {
  createTestServices,
  digest,
  ended,
  repositoryOf,
  team,
  type TestServices,
} from '../testing/services.fixture.ts';

const bytes = randomBytes(5_000);
const md5 = digest('md5', bytes);
let setup: TestServices;
/** Of the vault, finished or not. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.parentPath.includes('vault'))
    .map(({ name }) => name);
afterEach(() => setup.close());

/** Answers 403 to the actions that are not allowed. */
const allowing =
  (...actions: string[]): RequestListener =>
  (request, response) => {
    if (actions.some((action) => request.url?.includes(`action=${action}`)))
      return repositoryOf(bytes)(request, response);
    response.writeHead(403).end('Not enough rights');
  };

test('a token with the right to download but not to read records still gets the bytes', async () => {
  setup = await createTestServices(allowing('downloadfile'));
  expect(await setup.download(md5)).toMatchObject({ state: 'done', sha256: digest('sha256', bytes) });
});

test('a token with the right to read records but not to download is refused with that reason', async () => {
  setup = await createTestServices(allowing('getfile'));
  expect((await setup.download(md5)).failure).toMatchObject({ kind: 'forbidden', service: 'repository' });
});

test('a token with neither right cannot learn whether the sample exists', async () => {
  setup = await createTestServices(allowing());
  expect((await setup.download(md5)).failure).toMatchObject({ kind: 'forbidden-or-unknown', hash: md5 });
});

/** As release 3.4, which has no records: an unknown sample and an unknown action are the same empty 404. */
const oldest: RequestListener = (request, response) => {
  const url = request.url ?? '';
  if (url.includes('action=downloadfile') && url.includes(md5)) return repositoryOf(bytes)(request, response);
  response.writeHead(404).end();
};

test('a release without records gives the bytes, and what it does not give is no missing action', async () => {
  setup = await createTestServices(oldest);
  expect(await setup.download(md5)).toMatchObject({ state: 'done', sha256: digest('sha256', bytes) });
  const unknown = 'b'.repeat(32);
  expect((await setup.download(unknown)).failure).toMatchObject({
    kind: 'forbidden-or-unknown',
    status: 404,
    hash: unknown,
  });
});

test('a release with records and without downloads is one that lacks the action', async () => {
  setup = await createTestServices((request, response) => {
    if (request.url?.includes('action=getfile')) return repositoryOf(bytes)(request, response);
    response.writeHead(404).end();
  });
  expect((await setup.download(md5)).failure).toMatchObject({ kind: 'action-unknown', action: 'downloadfile' });
});

describe('a server that displays a PHP warning before everything', () => {
  const notice = '<br />\n<b>Notice</b>:  Only variables in <b>/www/cuckoo.php</b> on line <b>25</b><br />\n';
  const lost =
    '<br />\n<b>Warning</b>:  Cannot modify header information - headers already sent by (output started at /c:25)' +
    ' in <b>/www/restlib.php</b> on line <b>115</b><br />\n';
  const zip = rawZip([{ name: md5, plain: bytes }]);
  /** `lacking`: as many bytes of an archive are cut off, as those of a file for the notice. */
  const warning =
    (lacking: number): RequestListener =>
    (request, response) => {
      const url = request.url ?? '';
      const isKnown = url.includes(md5);
      if (url.includes('action=getfile')) response.end(`${notice}{"file":${isKnown ? `{"md5":"${md5}"}` : 'null'}}`);
      else if (!isKnown) response.end(`${notice}${lost}${lost}Not enough rights`);
      else {
        const isFile = url.includes('action=downloadfile');
        const reply = isFile ? bytes.subarray(0, -notice.length) : zip.subarray(0, -lacking);
        response.end(Buffer.concat([Buffer.from(notice), reply]));
      }
    };

  test('gives the sample in an archive', async () => {
    // What is cut off there is the list at the archive's end.
    setup = await createTestServices(warning(100));
    expect(await setup.download(md5)).toMatchObject({ state: 'done', sha256: digest('sha256', bytes) });
    expect(setup.journalOf(digest('sha256', bytes))).toEqual(['download done']);
  });

  test('is the reason where the archive lacks a part of the sample as well', async () => {
    setup = await createTestServices(warning(150));
    const { failure } = await setup.download(md5);
    expect(failure).toMatchObject({ kind: 'text-around-json', status: 200 });
    expect(failure).toHaveProperty('text', expect.stringMatching(/^<br \/> <b>Notice<.*25<\/b><br \/>$/));
  });

  /** Any archive in place of its own. */
  const giving =
    (archive: Uint8Array | RequestListener): RequestListener =>
    (request, response) => {
      if (!request.url?.includes('action=bulkdownload')) return warning(100)(request, response);
      return typeof archive === 'function' ? archive(request, response) : response.end(archive);
    };
  const encrypted = Buffer.concat([randomBytes(12), bytes]);

  test.each<[string, Uint8Array]>([
    ['another sample', rawZip([{ name: md5, plain: randomBytes(5_000) }])],
    ['a bomb', rawZip([{ name: md5, plain: Buffer.alloc(64 * 2 ** 20) }])],
    ['a bomb that states another size', rawZip([{ name: md5, plain: Buffer.alloc(2 ** 24), plainBytes: 10 }])],
    ['a member without a size', rawZip([{ name: md5, plain: bytes, method: 0, flags: 8, local: { storedBytes: 0 } }])],
    ['an encrypted member', rawZip([{ name: md5, plain: bytes, packed: encrypted, flags: 1 }])],
    ['an empty member', rawZip([{ name: md5, plain: Buffer.alloc(0) }])],
    ['no member', rawZip([])],
    ['a member that is damaged', rawZip([{ name: md5, plain: bytes, crc32: 1 }])],
    ['no archive', randomBytes(1_000)],
  ])('is the reason where the archive has %s, and nothing is left of it', async (_case, archive) => {
    setup = await createTestServices(giving(archive));
    expect((await setup.download(md5)).failure).toMatchObject({ kind: 'text-around-json' });
    expect(filesIn(setup.folder)).toEqual([]);
  });

  test.each([
    [429, { 'Retry-After': '3600' }, 'slow-down'],
    [503, {}, 'service-failed'],
    [401, {}, 'token-refused'],
  ])('is not the reason where the archive is refused with %i', async (status, headers, kind) => {
    setup = await createTestServices(giving((_, response) => response.writeHead(status, headers).end()));
    expect((await setup.download(md5)).failure).toMatchObject({ kind });
    expect(filesIn(setup.folder)).toEqual([]);
  });

  test('is passed over in an archive that is cancelled in the middle, and nothing is left of it', async () => {
    // Less is held in memory until it is complete.
    const large = rawZip([{ name: md5, plain: randomBytes(2 ** 21) }]);
    setup = await createTestServices(giving((_, response) => void response.write(large.subarray(0, 2 ** 20))));
    const { id } = setup.downloads.start(team, md5);
    await expect.poll(() => filesIn(setup.folder).length).toBe(1);
    setup.downloads.cancel(id);
    expect(await ended(setup.downloads, id)).toMatchObject({ state: 'cancelled', failure: null });
    await setup.downloads.close();
    expect(filesIn(setup.folder)).toEqual([]);
    expect(setup.stores.library.history(md5).map(({ outcome }) => outcome)).toEqual(['cancelled']);
  });

  test('is the reason where nothing but a part of the warning came', async () => {
    setup = await createTestServices((request, response) => {
      const isRecord = request.url?.includes('action=getfile') ?? false;
      response.end(isRecord ? JSON.stringify({ file: { md5 } }) : notice.slice(0, 60));
    });
    expect((await setup.download(md5)).failure).toMatchObject({ kind: 'text-around-json' });
  });

  test('is known to refuse an unknown sample although it cannot send the status', async () => {
    setup = await createTestServices(warning(0));
    expect((await setup.download('b'.repeat(32))).failure).toMatchObject({ kind: 'unknown-behind-warning' });
  });
});
