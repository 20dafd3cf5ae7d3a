import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RuleCost } from '../../../shared/domain/publication.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import { RuleCostStore } from './rule-cost-store.ts';

let folder: TestFolder;
let database: Database;
beforeEach(() => {
  folder = makeTestFolder();
  database = openDatabase(folder.path);
});
afterEach(() => {
  database.close();
  folder.remove();
});

const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [string, string, string];
const cost = (change: Partial<RuleCost> = {}): RuleCost => ({
  msPerMegabyte: 2.5,
  together: 1,
  samples: 3,
  bytes: 900,
  engine: 'native',
  measured: '2026-11-29T00:00:00Z',
  ...change,
});

test('costs are kept by fingerprint and engine, and a newer one replaces an older one', () => {
  const store = new RuleCostStore(database);
  store.record([one, two], cost());
  store.record([one], cost({ engine: 'wasm', msPerMegabyte: 9 }));
  store.record([two], cost({ msPerMegabyte: 0.5, measured: '2026-11-30T00:00:00Z' }));
  expect(store.of([one, two, three], 'native')).toEqual(
    new Map([
      [one, cost()],
      [two, cost({ msPerMegabyte: 0.5, measured: '2026-11-30T00:00:00Z' })],
    ]),
  );
  expect(store.of([one, two], 'wasm')).toEqual(new Map([[one, cost({ engine: 'wasm', msPerMegabyte: 9 })]]));
  expect(store.version).toBe(3);
});

test('the cost of several rules does not replace that of a single rule', () => {
  const store = new RuleCostStore(database);
  store.record([one], cost());
  store.record([one, two], cost({ together: 2, msPerMegabyte: 7 }));
  expect([...store.of([one, two], 'native').values()].map(({ together }) => together)).toEqual([1, 2]);
  store.record([two], cost());
  expect(store.of([two], 'native').get(two)?.together).toBe(1);
});

test('the oldest measurements are dropped when there are very many', () => {
  const store = new RuleCostStore(database, 2);
  for (const [index, print] of [one, two, three].entries())
    store.record([print], cost({ measured: `2026-11-2${index}T00:00:00Z` }));
  expect([...store.of([one, two, three], 'native').keys()].toSorted()).toEqual([two, three]);
});
