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
