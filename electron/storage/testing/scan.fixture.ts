import { createHash } from 'node:crypto';
import type { Hashes } from '../../../shared/domain/hash.ts';
import type { JobTask } from '../../../shared/domain/job.ts';
import type { ScanSide } from '../../../shared/domain/scan.ts';
import type { SqliteJobStore } from '../jobs/job-store.ts';
import type { ScanFileRow, ScanNote, StoredHit, StoredResult } from '../scans/scan-files.ts';

/** Hashes of bytes that are identified by a number. */
export const scanHashesOf = (number: number): Hashes => ({
  md5: number.toString(16).padStart(32, '0'),
  sha1: number.toString(16).padStart(40, '0'),
  sha256: sha256Of(number),
});
export const sha256Of = (number: number): string => createHash('sha256').update(String(number)).digest('hex');

const facts = { workspaceId: 'lab', created: '2030-01-01T00:00:00.000Z' };
const huntTask: JobTask = {
  kind: 'hunt',
  scope: 'all',
  local: null,
  package: { sha256: null, version: '1', rules: 9 },
  rules: 9,
  names: [],
  against: null,
};

/** A job over files 1 to `count`, begun. @returns its id */
export function beginScan(jobs: SqliteJobStore, kind: 'scan' | 'hunt', count: number): number {
  const id = jobs.create({
    ...facts,
    task: kind === 'hunt' ? huntTask : { kind: 'scan', engines: 'both', local: 'wasm', package: null, name: null },
  });
  jobs.add(
    id,
    Array.from({ length: count }, (_, index) => ({
      hash: sha256Of(index + 1),
      md5: null,
      sizeBytes: 10 * (index + 1),
      name: `file-${index + 1}.exe`,
    })),
  );
  jobs.change(id, { state: 'running' });
  return id;
}

export const scanFile = (position: number, given: Partial<ScanFileRow> = {}): ScanFileRow => ({
  position,
  name: `file-${position}.exe`,
  hashes: scanHashesOf(position),
  sizeBytes: 10 * position,
  stagedId: null,
  place: null,
  tlp: null,
  ...given,
});

/** A hit with so many matches of one string. */
export const hitOf = (rule: string, matches = 1, given: Partial<StoredHit> = {}): StoredHit => ({
  rule,
  strings: [
    {
      id: '$a',
      matches: Array.from({ length: matches }, (_, index) => ({ offset: index, length: 2, data: '4d5a' })),
      total: matches,
      isAtLeast: false,
    },
  ],
  ...given,
});

export const resultOf = (
  side: ScanSide,
  rules: readonly string[],
  given: Partial<StoredResult> = {},
): StoredResult => ({
  side,
  state: 'scanned',
  engine: side === 'local' ? 'wasm' : null,
  package: { sha256: null, version: '1', rules: 9 },
  elapsedMs: 3,
  hits: rules.map((rule) => hitOf(rule)),
  isCut: false,
  withoutGlobal: [],
  failure: null,
  raw: null,
  ...given,
});

/** Of the file with this number, which is its position. */
export const noteOf = (
  number: number,
  result: StoredResult,
  rulesLookedWith: ScanNote['rulesLookedWith'] = 'all',
): ScanNote => ({
  position: number,
  sha256: sha256Of(number),
  result,
  rulesLookedWith,
});
