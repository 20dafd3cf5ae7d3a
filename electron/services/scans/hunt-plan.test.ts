import { afterEach, beforeEach, expect, test } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import type { RulePieces } from '../../rules/rule-library.ts';
import { type TestFolder, makeTestFolder } from '../../storage/desk.fixture.ts';
import { foundPackage, packageOfNumber } from '../../storage/package.fixture.ts';
import { openStores, type Stores } from '../../storage/stores.ts';
import { planHunt } from './hunt-plan.ts';
import { team } from './scan-desk.fixture.ts';

let folder: TestFolder;
let stores: Stores;
beforeEach(async () => {
  folder = makeTestFolder();
  stores = await openStores(folder.path, null);
  for (const number of [1, 2]) {
    stores.packages.recordFile(team, foundPackage(number));
    stores.packages.activate(team, packageOfNumber(number));
  }
});
afterEach(async () => {
  await stores.jobReader.close();
  stores.close();
  folder.remove();
});

const piecesOf = (...names: string[]): RulePieces => ({
  imports: [], rules: names.map((name) => ({ name, text: `rule ${name} { condition: true }`, uses: [], isGlobal: false, isPrivate: false })),
});

const planWith = (earlier: () => RulePieces, kind: 'changed' | 'all') => planHunt({
  packages: stores.packages, store: stores.scans,
  rules: { pieces: async (_, sha256) => (sha256 === packageOfNumber(2) ? piecesOf('stays', 'comes') : earlier()), facts: async () => [] },
}, team, { kind });

test('a hunt is told against the package that was active before', async () => {
  expect(await planWith(() => piecesOf('stays', 'goes'), 'changed')).toMatchObject({ reported: ['comes'], removed: ['goes'], against: { version: '1.1' } });
});

test.each(['changed', 'all'] as const)('where an earlier package cannot be opened every rule counts as new in a hunt for %s', async (kind) => {
  const unopened = await planWith(() => fail({ kind: 'package-missing', sha256: packageOfNumber(1) }), kind);
  expect(unopened).toMatchObject({ names: null, reported: ['stays', 'comes'], removed: [], against: null });
});

test('before an update the hunt after it is told against what is active now, and against the last hunt where there was one', async () => {
  stores.packages.recordFile(team, foundPackage(3));
  const asked = (): ReturnType<typeof planHunt> => planHunt({
    packages: stores.packages, store: stores.scans,
    rules: { pieces: async (_, sha256) => (sha256 === packageOfNumber(3) ? piecesOf('first', 'second', 'third') : sha256 === packageOfNumber(2) ? piecesOf('first', 'second') : piecesOf('first')), facts: async () => [] },
  }, team, { kind: 'changed' }, packageOfNumber(3));
  expect(await asked()).toMatchObject({ reported: ['third'], against: { version: '1.2', hunted: null }, package: { version: '1.3' } });
  const ended = new Date().toISOString();
  stores.scans.setLastHunt(team, { jobId: 1, ended, sha256: packageOfNumber(1), version: '1.1' });
  expect(await asked()).toMatchObject({ reported: ['second', 'third'], against: { version: '1.1', hunted: ended } });
});

test('a package that is not kept is said before an update', async () => {
  const asked = planHunt({ packages: stores.packages, store: stores.scans, rules: { pieces: async () => piecesOf('a'), facts: async () => [] } }, team, { kind: 'changed' }, packageOfNumber(9));
  await expect(asked).rejects.toMatchObject({ failure: { kind: 'package-missing', sha256: packageOfNumber(9) } });
});

test('a defect in reading an earlier package is not taken for a package that cannot be opened', async () => {
  const defect = new TypeError('a defect');
  await expect(planWith(() => { throw defect; }, 'changed')).rejects.toBe(defect);
});
