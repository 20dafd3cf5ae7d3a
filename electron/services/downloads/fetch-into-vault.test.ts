import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { rawZip } from '../../archive/raw-zip.fixture.ts';
import { createTestServices, digest, repositoryOf, type TestServices } from '../testing/services.fixture.ts';

const bytes = randomBytes(5_000);
const md5 = digest('md5', bytes);
let setup: TestServices;
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
