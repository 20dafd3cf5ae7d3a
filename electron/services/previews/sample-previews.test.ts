import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { byteStrip, partsOfStrip } from '../../../shared/domain/byte-strip.ts';
import { samplePreview } from '../../../shared/domain/library.ts';
import { createTestStorage, type TestStorage } from '../storage/storage.fixture.ts';

let setup: TestStorage;
beforeEach(async () => {
  setup = await createTestStorage();
});
afterEach(() => setup.close());

const never = 'f'.repeat(64);
const failing = (kind: string): object => ({ failure: { kind } });

test('previews are returned in the order requested, and are empty for samples outside of the vault', async () => {
  const [pdf = '', zeros = '', empty = ''] = await setup.keep([
    Buffer.from('%PDF-1.7 a'),
    Buffer.alloc(300_000),
    Buffer.alloc(0),
  ]);
  const previews = await setup.previews.previews([zeros, never, pdf, empty, zeros]);
  expect(previews.map((look) => samplePreview.parse(look).sha256)).toEqual([zeros, never, pdf, empty, zeros]);
  expect(previews.map(({ type }) => type)).toEqual(['data', null, 'PDF', null, 'data']);
  expect(previews[0]).toEqual(previews[4]);
  expect(partsOfStrip(byteStrip.parse(previews[0]?.strip))).toHaveLength(64);
  expect(setup.stores.library.sample(pdf)?.row.type).toBe('PDF');
});

test('a preview is made once: later the bytes may be gone, and a missing result is not kept', async () => {
  const [sha256 = ''] = await setup.keep([randomBytes(100_000)]);
  const made = await setup.previews.previews([sha256, never]);
  await rm(setup.vault.sourceOf(sha256).path);
  expect(await setup.previews.previews([sha256, never])).toEqual(made);
  expect(setup.stores.library.previewsOf([sha256, never])).toHaveLength(1);
  expect(setup.stores.library.sample(sha256)?.row.vault).toBe('held');
});

test('a sample that a preview finds missing or altered is marked in the library, with a page event', async () => {
  const [gone = '', altered = ''] = await setup.keep([randomBytes(100_000), randomBytes(1000)]);
  await rm(setup.vault.sourceOf(gone).path);
  await setup.alter(altered);
  expect(await setup.previews.previews([gone, altered])).toEqual([
    { sha256: gone, type: null, strip: null },
    { sha256: altered, type: null, strip: null },
  ]);
  expect([gone, altered].map((sha256) => setup.stores.library.sample(sha256)?.row.vault)).toEqual([
    'missing',
    'altered',
  ]);
  expect(setup.changes()).toBeGreaterThan(0);
  expect(setup.stores.library.find(never)).toBeNull();
});

test('the latest call is served first, and requests that were scrolled past long ago are dropped', async () => {
  const samples = await setup.keep(Array.from({ length: 12 }, () => randomBytes(90_000)));
  const order: number[] = [];
  const calls = samples.map((sha256, index) =>
    setup.previews.previews([sha256]).then(
      () => void order.push(index),
      (error: unknown) => error,
    ),
  );
  const outcomes = await Promise.all(calls);
  expect(outcomes.slice(1, 4)).toEqual([
    expect.objectContaining(failing('cancelled')),
    expect.objectContaining(failing('cancelled')),
    expect.objectContaining(failing('cancelled')),
  ]);
  expect(order).toEqual([0, 11, 10, 9, 8, 7, 6, 5, 4]);
  expect(setup.previews.running).toBe(0);
});

test('previews closed midway stop', async () => {
  const [one = '', other = ''] = await setup.keep([randomBytes(30_000_000), randomBytes(100_000)]);
  const calls = [one, other].map((sha256) => setup.previews.previews([sha256]).catch((error: unknown) => error));
  await setup.previews.close();
  expect(await Promise.all(calls)).toMatchObject([failing('cancelled'), failing('cancelled')]);
});
