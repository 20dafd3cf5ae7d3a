import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createTestServices, digest, repositoryOf, team, type TestServices } from './testing/services.fixture.ts';

const bytes = randomBytes(5_000);
const md5 = digest('md5', bytes);
const sha256 = digest('sha256', bytes);
const other = 'a'.repeat(64);
let setup: TestServices;
afterEach(() => setup.close());

/** The record's SHA-256 is the test's to change. */
function repositoryWithClaim(): { claim: string; listener: RequestListener } {
  const plain = repositoryOf(bytes);
  const repository = {
    claim: other,
    listener: ((request, response) => {
      if (!request.url?.includes('action=getfile')) return plain(request, response);
      response.end(JSON.stringify({ file: { md5, sha256: repository.claim } }));
    }) satisfies RequestListener,
  };
  return repository;
}

test('a SHA-256 that the service corrected since the look-up does not block the bytes', async () => {
  const repository = repositoryWithClaim();
  setup = await createTestServices(repository.listener);
  await setup.samples.lookup(team, md5);
  repository.claim = sha256;
  expect(await setup.download(md5)).toMatchObject({ state: 'done', sha256 });
  expect(setup.stores.library.record(team, md5)?.sha256).toBe(sha256);
});

test('a SHA-256 that the service still claims is contradicted, until a look-up returns another', async () => {
  const repository = repositoryWithClaim();
  setup = await createTestServices(repository.listener);
  await setup.samples.lookup(team, md5);
  expect((await setup.download(md5)).failure).toMatchObject({
    kind: 'sha256-contradicts',
    recordedSha256: other,
    actualSha256: sha256,
  });
  repository.claim = sha256;
  await setup.samples.lookup(team, md5);
  expect((await setup.download(md5)).state).toBe('done');
});
