import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { OperatorError } from '../lab/errors.ts';
import { sweep } from '../lab/lab.ts';
import { takeIn } from '../lab/stores/blob-store.ts';
import { placesOf } from '../lab/stores/blob-store.fixture.ts';
import { newSample } from '../lab/stores/new-sample.fixture.ts';
import { openTeamStores, type TeamStores } from './team-stores.ts';
import { testKeys } from './testing/s3.fixture.ts';
import { type TeamPlace, useTeam } from './testing/team.fixture.ts';

const team = useTeam();
beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', testKeys.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', testKeys.secretAccessKey);
});
afterEach(() => vi.unstubAllEnvs());

async function open(place: TeamPlace): Promise<TeamStores> {
  const stores = await openTeamStores(place, () => {});
  onTestFinished(() => stores.close());
  return stores;
}

async function addTo(stores: TeamStores): Promise<void> {
  const { hashes: _hashes, place: _place, sizeBytes: _sizeBytes, ...facts } = newSample('a').sample;
  await takeIn(stores, [randomBytes(100)], facts, []);
}

const anyAge = -60_000;

test('a sweep by a lab over another database leaves the samples of a bucket that two share', async () => {
  const place = await team.place();
  const [own, other] = [await open(place), await open({ ...(await team.place()), blobs: place.blobs })];
  await addTo(own);
  expect(await sweep(own, anyAge)).toBe(0);
  await addTo(other);
  await expect(sweep(other, anyAge)).rejects.toThrow(OperatorError);
  expect(await placesOf(own.blobs)).toHaveLength(2);
  expect(await sweep(own, anyAge)).toBe(1);
});

test('labs over one database sweep one bucket in any order', async () => {
  const place = await team.place();
  const [one, other] = [await open(place), await open(place)];
  await addTo(one);
  expect(await Promise.all([sweep(one, anyAge), sweep(other, anyAge)])).toEqual([0, 0]);
  expect(await sweep(other, anyAge)).toBe(0);
});
