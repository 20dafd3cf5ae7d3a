import { expect, onTestFinished, test, vi } from 'vitest';
import { LibraryStore } from '../library/library-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { scanHashesOf } from '../testing/scan.fixture.ts';
import { lookWith, ScanCoverage } from './scan-coverage.ts';

let database: TestDatabase;
databaseForEachTest((opened) => {
  database = opened;
});

function lastOf<T>(steps: Generator<void, T, undefined>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

test('the last scan of a sample is known with its rules and its time, until the sample is forgotten', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01T00:00:00.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { md5, sha256 } = scanHashesOf(1);
  new LibraryStore(database.db, database.journal).recordDownload({
    workspaceId: 'lab',
    md5,
    hashes: scanHashesOf(1),
    sizeBytes: 10,
    outcome: 'done',
  });
  const coverage = new ScanCoverage(database.db);
  const rules = ['a', 'b', 'c', 'd', 'e'].map((rule) => ({ rule, print: '0'.repeat(32) }));
  const all = lastOf(coverage.prepareInSteps('lab', { key: 'five', engine: 'new', rules }));
  expect(coverage.lastScan('lab', sha256)).toBeNull();
  coverage.record(all, 'all', [sha256]);
  expect(coverage.lastScan('lab', sha256)).toEqual({ rules: 5, time: '2030-01-01T00:00:00Z' });
  vi.setSystemTime(Date.parse('2030-01-02T00:00:00.000Z'));
  coverage.record(lookWith(all, new Set(['a'])), 'some', [sha256]);
  expect(coverage.lastScan('lab', sha256)).toEqual({ rules: 5, time: '2030-01-02T00:00:00Z' });
  expect(coverage.lastScan('other', sha256)).toBeNull();
  database.db.sql.exec('UPDATE coverage_sample SET scanned = NULL');
  expect(coverage.lastScan('lab', sha256)).toEqual({ rules: 5, time: null });
  coverage.record(all, 'unsure', [sha256]);
  expect(coverage.lastScan('lab', sha256)).toBeNull();
});
