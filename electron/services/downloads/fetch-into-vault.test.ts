import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
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

test('a release without records gives the bytes, and what it does not give is not called a missing action', async () => {
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
