import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { byteStrip, partsOfStrip } from '../../../shared/domain/byte-classes.ts';
import { sampleLook } from '../../../shared/domain/library.ts';
import { openStorageDesk, type StorageDesk } from '../storage/storage-desk.fixture.ts';

let desk: StorageDesk;
beforeEach(async () => {
  desk = await openStorageDesk();
});
afterEach(() => desk.close());

const never = 'f'.repeat(64);
const failing = (kind: string): object => ({ failure: { kind } });

test('previews come in the order requested, and are empty for samples outside of the vault', async () => {
  const [pdf = '', zeros = '', empty = ''] = await desk.keep([
    Buffer.from('%PDF-1.7 a'),
    Buffer.alloc(300_000),
    Buffer.alloc(0),
  ]);
  const looks = await desk.looks.looks([zeros, never, pdf, empty, zeros]);
  expect(looks.map((look) => sampleLook.parse(look).sha256)).toEqual([zeros, never, pdf, empty, zeros]);
  expect(looks.map(({ type }) => type)).toEqual(['data', null, 'PDF', null, 'data']);
  expect(looks[0]).toEqual(looks[4]);
  expect(partsOfStrip(byteStrip.parse(looks[0]?.strip))).toHaveLength(64);
  expect(desk.stores.library.sample(pdf)?.row.type).toBe('PDF');
});

test('a look is made once: later the bytes need not be there, and nothing is kept of what was not', async () => {
  const [sha256 = ''] = await desk.keep([randomBytes(100_000)]);
  const made = await desk.looks.looks([sha256, never]);
  await rm(desk.vault.sourceOf(sha256).path);
  expect(await desk.looks.looks([sha256, never])).toEqual(made);
  expect(desk.stores.library.looksOf([sha256, never])).toHaveLength(1);
  expect(desk.stores.library.sample(sha256)?.row.vault).toBe('held');
});

test('what is found missing or altered on the way is said in the library, and the page is told', async () => {
  const [gone = '', altered = ''] = await desk.keep([randomBytes(100_000), randomBytes(1000)]);
  await rm(desk.vault.sourceOf(gone).path);
  await desk.alter(altered);
  expect(await desk.looks.looks([gone, altered])).toEqual([
    { sha256: gone, type: null, strip: null },
    { sha256: altered, type: null, strip: null },
  ]);
  expect([gone, altered].map((sha256) => desk.stores.library.sample(sha256)?.row.vault)).toEqual([
    'missing',
    'altered',
  ]);
  expect(desk.changes()).toBeGreaterThan(0);
  expect(desk.stores.library.find(never)).toBeNull();
});

test('the latest call is served first, and requests that were scrolled past long ago are dropped', async () => {
  const samples = await desk.keep(Array.from({ length: 12 }, () => randomBytes(90_000)));
  const order: number[] = [];
  const calls = samples.map((sha256, index) =>
    desk.looks.looks([sha256]).then(
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
  expect(desk.looks.running).toBe(0);
});

test('closed in the middle it gives up', async () => {
  const [one = '', other = ''] = await desk.keep([randomBytes(30_000_000), randomBytes(100_000)]);
  const calls = [one, other].map((sha256) => desk.looks.looks([sha256]).catch((error: unknown) => error));
  await desk.looks.close();
  expect(await Promise.all(calls)).toMatchObject([failing('cancelled'), failing('cancelled')]);
});
