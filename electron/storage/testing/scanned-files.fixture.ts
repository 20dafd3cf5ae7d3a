import type { FileGroup } from '../../../shared/domain/scan.ts';
import type { SqliteJobStore } from '../jobs/job-store.ts';
import type { ScanStore } from '../scans/scan-store.ts';
import { beginScan, hitOf, noteOf, resultOf, sha256Of } from './scan.fixture.ts';

interface ScannedStores {
  jobs: SqliteJobStore;
  scans: ScanStore;
}

const rule = (name: string, family: string | null, tags: string[] = []) => ({
  rule: name,
  tags,
  meta: [],
  family,
  place: null,
});

/**
 * Eight files of a scan by both sides: 1 the same, 2 differs, 3 no hits, 4 failed here and hit there, 5 not understood,
 * 6 waits, 7 was cancelled, 8 was scanned by the service alone and hit. @returns the job
 */
export function scanEight({ jobs, scans }: ScannedStores): number {
  const id = beginScan(jobs, 'scan', 8);
  scans.addRules(id, [
    rule('Emotet_A', 'emotet', ['apt']),
    rule('Emotet_B', 'emotet'),
    rule('Packed', null, ['Packer']),
  ]);
  jobs.settle(
    id,
    [1, 2, 3, 8].map((position) => ({ position, state: 'done' })),
  );
  jobs.settle(id, [
    { position: 4, state: 'failed', failure: { kind: 'interrupted' } },
    { position: 5, state: 'failed', failure: null },
    { position: 7, state: 'cancelled' },
  ]);
  scans.record(id, [
    noteOf(1, resultOf('local', [], { hits: [hitOf('Emotet_A', 3), hitOf('Packed', 1)] })),
    noteOf(1, resultOf('service', ['Emotet_A', 'Packed'])),
    noteOf(2, resultOf('local', ['Emotet_B'])),
    noteOf(2, resultOf('service', ['Emotet_B', 'Packed', 'Theirs'])),
    noteOf(3, resultOf('local', [])),
    noteOf(3, resultOf('service', [])),
    noteOf(4, resultOf('local', [], { state: 'failed', failure: { kind: 'interrupted' } })),
    noteOf(4, resultOf('service', ['Packed'])),
    noteOf(5, resultOf('local', [])),
    noteOf(5, resultOf('service', [], { state: 'not-understood', raw: '?' })),
    noteOf(8, resultOf('service', ['Packed'])),
  ]);
  return id;
}

/**
 * A hunt where file 1 has a new hit besides an old one, 2 lost its hit, 3 has an old one, 4 has none.
 *
 * @returns the job
 */
export function huntFour({ jobs, scans }: ScannedStores): number {
  const before = beginScan(jobs, 'hunt', 4);
  scans.record(before, [
    noteOf(1, resultOf('local', ['Old'])),
    noteOf(2, resultOf('local', ['Gone'])),
    noteOf(3, resultOf('local', ['Old'])),
    noteOf(4, resultOf('local', [])),
  ]);
  const id = beginScan(jobs, 'hunt', 4);
  jobs.settle(
    id,
    [1, 2, 3, 4].map((position) => ({ position, state: 'done' })),
  );
  scans.record(id, [
    noteOf(1, resultOf('local', ['Old', 'New'])),
    noteOf(2, resultOf('local', [])),
    noteOf(3, resultOf('local', ['Old'])),
    noteOf(4, resultOf('local', [])),
  ]);
  return id;
}

export const fileGroup = (position: number, given: Partial<FileGroup>): FileGroup => ({
  by: 'file',
  position,
  name: `file-${position}.exe`,
  sha256: sha256Of(position),
  sizeBytes: 10 * position,
  state: 'done',
  failure: null,
  isNotUnderstood: false,
  isWithoutGlobal: false,
  hits: 0,
  rules: [],
  matches: 0,
  muted: 0,
  added: 0,
  lost: 0,
  agreement: null,
  looked: [9, 9],
  known: null,
  ...given,
});
