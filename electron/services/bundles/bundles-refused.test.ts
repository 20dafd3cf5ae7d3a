import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestBundles,
  fileOf,
  named,
  passphrase,
  requestFor,
  type TestBundles,
  workspaceId,
} from './bundles.fixture.ts';

/** Two computers that no network joins: each test has samples of its own. */
let theirs: TestBundles;
let ours: TestBundles;
beforeAll(async () => {
  [theirs, ours] = await Promise.all([createTestBundles(), createTestBundles()]);
});
afterAll(() => Promise.all([theirs.close(), ours.close()]));
const failureOf = (failure: object): unknown => expect.objectContaining({ failure });

test('a bundle order that is invalid reports the reason', async () => {
  const [known = ''] = theirs.know(1);
  const order = (more: object, folder: string | null = theirs.folder) =>
    theirs.bundles.start({ ...requestFor([known]), ...more }, folder);
  await expect(order({ passphrase: 'eleven char' })).rejects.toThrow(
    failureOf({ kind: 'passphrase-short', minimum: 12 }),
  );
  await expect(order({}, null)).rejects.toThrow(failureOf({ kind: 'no-export-folder' }));
  await expect(order({ selection: named('b'.repeat(64)) })).rejects.toThrow(failureOf({ kind: 'nothing-selected' }));
  expect(() => ours.bundles.import('none', workspaceId)).toThrow(failureOf({ kind: 'bundle-not-ready' }));
});

test('a cancelled bundle leaves nothing, and a paused one begins again', async () => {
  const sha256s = await Promise.all(Array.from({ length: 4 }, () => theirs.keep(randomBytes(6 * 2 ** 20))));
  const before = await readdir(theirs.folder);
  const { id } = await theirs.bundles.start(requestFor(sha256s), theirs.folder);
  theirs.jobs.pause(id);
  expect(await theirs.ended(id)).toMatchObject({ state: 'paused', counts: { waiting: 4 } });
  expect(await readdir(theirs.folder)).toEqual(before);
  theirs.jobs.resume(id);
  expect(await theirs.ended(id)).toMatchObject({ state: 'done', counts: { done: 4 } });
  const next = await theirs.bundles.start(requestFor(sha256s), theirs.folder);
  theirs.jobs.cancel(next.id);
  expect(await theirs.ended(next.id)).toMatchObject({ state: 'cancelled' });
  expect(await readdir(theirs.folder)).toHaveLength(before.length + 1);
});

test('an unreadable bundle is refused, and its file can be tried again', async () => {
  const path = await theirs.written(theirs.know(1));
  const whole = await readFile(path);
  expect(await ours.opened(path, 'not the passphrase')).toMatchObject({
    state: 'refused',
    failure: { kind: 'bundle-passphrase-wrong' },
    facts: null,
  });
  const flipped = Buffer.from(whole);
  flipped[300] = (flipped[300] ?? 0) ^ 1;
  expect(await ours.opened(await fileOf(ours, flipped))).toMatchObject({
    state: 'refused',
    failure: { kind: 'bundle-damaged', atByte: 128 },
  });
  expect(await ours.opened(await fileOf(ours, whole.subarray(0, 500)))).toMatchObject({
    failure: { kind: 'bundle-truncated', receivedBytes: 500 },
  });
  expect(await ours.opened(await fileOf(ours, randomBytes(500)))).toMatchObject({
    failure: { kind: 'bundle-unknown' },
  });
  const { id } = await ours.staging.stageStream(
    'from a browser',
    (async function* () {
      yield whole;
    })(),
  );
  expect(await ours.bundles.open(id, 'not the passphrase')).toMatchObject({
    state: 'reading',
    sizeBytes: whole.length,
  });
  await ours.bundles.open(id, passphrase);
  await expect.poll(() => ours.bundles.opening?.state, { timeout: 20_000 }).toBe('ready');
  await ours.bundles.closeOpening(ours.bundles.opening?.id ?? '');
  expect(ours.bundles.opening).toBeNull();
  expect(await ours.staging.check(id)).toBe('gone');
});

test('a bundle that is read stops when it is closed', async () => {
  const sha256s = await Promise.all(Array.from({ length: 4 }, () => theirs.keep(randomBytes(6 * 2 ** 20))));
  const { id } = await ours.staging.stagePath(await theirs.written(sha256s));
  const opening = await ours.bundles.open(id, passphrase);
  await ours.bundles.closeOpening(opening.id);
  expect(ours.bundles.opening).toBeNull();
  await expect(ours.bundles.open(id, passphrase)).rejects.toThrow(failureOf({ kind: 'staged-file-missing', id }));
});

test('of two bundles opened at once, the earlier is closed and its file released', async () => {
  const path = await theirs.written(theirs.know(1));
  const staged = async (): Promise<string> =>
    (
      await ours.staging.stageStream(
        'x',
        (async function* () {
          yield await readFile(path);
        })(),
      )
    ).id;
  const [earlier, later] = [await staged(), await staged()];
  const [lost, kept] = await Promise.allSettled([
    ours.bundles.open(earlier, passphrase),
    ours.bundles.open(later, passphrase),
  ]);
  expect([lost, kept]).toEqual([
    { status: 'rejected', reason: failureOf({ kind: 'cancelled' }) },
    { status: 'fulfilled', value: expect.objectContaining({ state: 'reading' }) },
  ]);
  await expect.poll(() => ours.bundles.opening?.state, { timeout: 20_000 }).toBe('ready');
  expect([await ours.staging.check(earlier), await ours.staging.check(later)]).toEqual(['gone', 'there']);
});
