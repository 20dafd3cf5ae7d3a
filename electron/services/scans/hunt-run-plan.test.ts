import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HuntScope } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import type { CoverageAnswer } from '../../storage/scans/scan-reader.ts';
import { openStores, type Stores } from '../../storage/stores.ts';
import { makeTestFolder, type TestFolder } from '../../storage/testing/database.fixture.ts';
import { foundPackage, packageOfNumber } from '../../storage/testing/package.fixture.ts';
import { planHunt } from './hunt-run.ts';
import { team } from './scans.fixture.ts';

let folder: TestFolder;
let stores: Stores;
beforeEach(async () => {
  folder = makeTestFolder();
  stores = await openStores(folder.path, null);
  stores.packages.recordFile(team, foundPackage(1));
  stores.packages.activate(team, packageOfNumber(1));
});
afterEach(async () => {
  await stores.jobReader.close();
  stores.close();
  folder.remove();
});

const printsOf = (...rules: string[]) => rules.map((rule, at) => ({ rule, print: at.toString(16).padStart(32, '0') }));
const share = { rules: 0, samples: 0, pairs: 0 };
const coverage: CoverageAnswer = {
  isKnown: true,
  unseen: share,
  older: share,
  passes: [],
  gone: [],
  goneSamples: new Int32Array(),
};

const planned = (
  scope: HuntScope,
  given: Partial<CoverageAnswer> = {},
  rules = printsOf('a', 'b', 'c'),
  asActive?: string,
) =>
  planHunt(
    {
      packages: stores.packages,
      store: stores.scans,
      rules: { fingerprints: async () => rules },
      reader: { coverage: async () => ({ ...coverage, ...given }) },
    },
    { workspaceId: team, scope, asActive, vault: { files: 7, bytes: 70 }, withSamples: true },
  );

test('each pass has the rules that its samples have not been scanned with', async () => {
  const passes = [
    { rules: [1], files: 5, bytes: 50, samples: Int32Array.of(1, 2, 3, 4, 5) },
    { rules: [0, 1, 2], files: 2, bytes: 20, samples: Int32Array.of(8, 9) },
  ];
  expect(await planned({ kind: 'changed' }, { passes })).toMatchObject({
    passes: [
      { names: ['b'], files: 5 },
      { names: null, files: 2 },
    ],
    reported: ['a', 'b', 'c'],
    rules: 3,
    removed: [],
    against: null,
  });
  expect(await planned({ kind: 'engine' }, { passes: passes.slice(0, 1) })).toMatchObject({ reported: ['b'] });
});

test('all rules and named rules cover the whole vault, and only all rules remove hits of removed rules', async () => {
  const gone = { gone: ['d'], goneSamples: Int32Array.of(3) };
  expect(await planned({ kind: 'all' }, gone)).toMatchObject({
    passes: [{ names: null, samples: null, files: 7, bytes: 70 }],
    removed: ['d'],
    removedFrom: Int32Array.of(3),
  });
  expect(await planned({ kind: 'named', rules: ['c', 'nobody'] }, gone)).toMatchObject({
    passes: [{ names: ['c'], samples: null, files: 7 }],
    reported: ['c'],
    removed: [],
    removedFrom: new Int32Array(),
  });
});

test('a hunt plan reports a package without rules, and names missing in it', async () => {
  await expect(planned({ kind: 'named', rules: ['nobody'] })).rejects.toMatchObject({ failure: { kind: 'no-rules' } });
  await expect(planned({ kind: 'changed' }, {}, [])).rejects.toMatchObject({ failure: { kind: 'no-rules' } });
  expect(await planned({ kind: 'changed' }, { gone: ['d'] }, [])).toMatchObject({ passes: [], removed: ['d'] });
});

test('a hunt plan shows the last hunt, and reports a package not kept', async () => {
  const ended = new Date().toISOString();
  stores.scans.setLastHunt(team, { jobId: 1, ended, sha256: packageOfNumber(1), version: '1.1' });
  expect((await planned({ kind: 'changed' })).against).toEqual({ version: '1.1', hunted: ended });
  await expect(planned({ kind: 'changed' }, {}, undefined, packageOfNumber(9))).rejects.toMatchObject({
    failure: { kind: 'package-missing', sha256: packageOfNumber(9) },
  });
});

test('a hunt plan reports a package that cannot be opened', async () => {
  const plan = planHunt(
    {
      packages: stores.packages,
      store: stores.scans,
      rules: { fingerprints: async () => fail({ kind: 'package-missing', sha256: packageOfNumber(1) }) },
      reader: { coverage: async () => coverage },
    },
    { workspaceId: team, scope: { kind: 'changed' }, vault: { files: 1, bytes: 1 }, withSamples: false },
  );
  await expect(plan).rejects.toMatchObject({ failure: { kind: 'package-missing' } });
});
