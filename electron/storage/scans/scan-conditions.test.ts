import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  everyResult,
  type FileGroup,
  type ScanFilter,
  type ScanGroup,
  type ScannedFile,
} from '../../../shared/domain/scan.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { readingsOf } from '../reading/reading-answers.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { beginScan, noteOf, resultOf, sha256Of } from '../testing/scan.fixture.ts';
import { MuteStore } from './mute-store.ts';
import { ScanStore } from './scan-store.ts';

let database: TestDatabase;
databaseForEachTest((opened) => {
  database = opened;
});

const now = '2030-01-01T00:00:00.000Z';
const positions = [1, 2, 3, 4];
const some = fc.subarray(['A', 'B', 'C']);
const said = fc.option(
  fc.record({ rules: some, state: fc.constantFrom('scanned', 'scanned', 'failed', 'not-understood') }),
  { freq: 4 },
);
const looked = fc.array(fc.record({ local: said, service: said, hasFailed: fc.boolean() }), {
  minLength: 4,
  maxLength: 4,
});
const muted = fc.array(
  fc.record({ rule: fc.constantFrom('A', 'B', 'C'), number: fc.option(fc.constantFrom(...positions)) }),
  { maxLength: 4 },
);

function groups(jobId: number, by: 'file' | 'rule' | 'family', filter: Partial<ScanFilter>): ScanGroup[] {
  const request = { jobId, by, filter: { ...everyResult, ...filter }, offset: 0, limit: 99, now };
  return readingsOf(database.db.path).groups(request).groups;
}
function fileOf(jobId: number, position: number): ScannedFile {
  return readingsOf(database.db.path).file({ jobId, position, now });
}

/** What a list must say of a file, counted from all there is of it. */
function expected(
  file: ScannedFile,
  state: string,
): Pick<FileGroup, 'hits' | 'muted' | 'added' | 'lost' | 'agreement' | 'isNotUnderstood'> & {
  hasNoHits: boolean;
  isTrouble: boolean;
} {
  const sets = file.results.map(({ hits }) => new Set(hits.map(({ rule }) => rule)));
  const all = [...new Set(sets.flatMap((set) => [...set]))];
  const isMuted = (rule: string): boolean => file.muted.some((mute) => mute.rule === rule);
  const bothScanned = file.results.length === 2 && file.results.every((result) => result.state === 'scanned');
  const isSame = all.every((rule) => sets.every((set) => set.has(rule)));
  const hits = all.filter((rule) => !isMuted(rule)).length;
  const isScanned = file.results.every((result) => result.state === 'scanned');
  return {
    hits,
    muted: all.filter(isMuted).length,
    added: file.added.filter((rule) => !isMuted(rule)).length,
    lost: file.lost.filter((rule) => !isMuted(rule)).length,
    agreement: bothScanned ? (isSame ? 'same' : 'differs') : null,
    isNotUnderstood: file.results.some((result) => result.state === 'not-understood'),
    hasNoHits: state === 'done' && isScanned && hits === 0,
    isTrouble: state === 'failed' || !isScanned,
  };
}

test('lists and sums match the files for any results and mutes', () => {
  const [jobs, scans, mutes] = [
    new SqliteJobStore(database.db),
    new ScanStore(database.db),
    new MuteStore(database.db, database.journal),
  ];
  const report = (jobId: number, files: ReturnType<typeof looked.generate>['value']): void => {
    for (const [index, { local, service }] of files.entries()) {
      for (const [side, one] of [
        ['local', local],
        ['service', service],
      ] as const) {
        const state = one?.state === 'scanned' || one?.state === 'failed' ? one.state : 'not-understood';
        if (one)
          scans.record(jobId, [noteOf(index + 1, resultOf(side, state === 'scanned' ? one.rules : [], { state }))]);
      }
    }
  };
  fc.assert(
    fc.property(
      fc.constantFrom('scan', 'hunt'),
      looked,
      looked,
      looked,
      muted,
      fc.constantFrom('A', 'B', 'C'),
      (kind, before, first, again, muteDrafts, ofRule) => {
        for (const { id } of mutes.list('lab')) mutes.remove(id);
        for (const { rule, number } of muteDrafts)
          mutes.add(
            { workspaceId: 'lab', rule, sample: number === null ? null : sha256Of(number), reason: 'x', expires: null },
            null,
          );
        report(beginScan(jobs, 'scan', 4), before);
        const id = beginScan(jobs, kind, 4);
        report(id, first);
        report(id, again);
        jobs.settle(
          id,
          again.map(({ hasFailed }, index) => ({ position: index + 1, state: hasFailed ? 'failed' : 'done' })),
        );
        const files = positions.map((position) => ({
          position,
          ...expected(fileOf(id, position), again[position - 1]?.hasFailed ? 'failed' : 'done'),
        }));
        const shown: Record<ScanFilter['show'], (file: (typeof files)[number]) => boolean> = {
          all: () => true,
          hits: ({ hits }) => hits > 0,
          clean: ({ hasNoHits }) => hasNoHits,
          trouble: ({ isTrouble }) => isTrouble,
          differs: ({ agreement }) => agreement === 'differs',
          added: ({ added }) => added > 0,
          lost: ({ lost }) => lost > 0,
          muted: (file) => file.muted > 0,
        };
        for (const show of ['all', 'hits', 'clean', 'trouble', 'differs', 'added', 'lost', 'muted'] as const) {
          const list = groups(id, 'file', { show }).flatMap((group) => (group.by === 'file' ? [group] : []));
          expect([show, list.map(({ position }) => position).toSorted((a, b) => a - b)]).toEqual([
            show,
            files.filter(shown[show]).map(({ position }) => position),
          ]);
          for (const { position, hasNoHits: _clean, isTrouble: _trouble, ...sums } of files) {
            const group = list.find((one) => one.position === position);
            if (group) expect(group).toMatchObject(sums);
          }
        }
        const summary = readingsOf(database.db.path).summary({ jobId: id, now });
        const count = (show: ScanFilter['show']): number => files.filter(shown[show]).length;
        const sum = (of: (file: (typeof files)[number]) => number): number =>
          files.reduce((all, file) => all + of(file), 0);
        expect(summary).toMatchObject({
          files: 4,
          withHits: count('hits'),
          clean: count('clean'),
          trouble: count('trouble'),
          differs: count('differs'),
          hits: sum(({ hits }) => hits),
          muted: sum((file) => file.muted),
          added: sum(({ added }) => added),
          lost: sum(({ lost }) => lost),
        });
        for (const show of ['hits', 'added', 'lost', 'muted', 'differs'] as const) {
          const [group] = groups(id, 'rule', { rule: ofRule, show });
          const inFiles = groups(id, 'file', { rule: ofRule, show }).length;
          expect([ofRule, show, group?.by === 'rule' ? group.files + (show === 'lost' ? group.lost : 0) : 0]).toEqual([
            ofRule,
            show,
            inFiles,
          ]);
        }
      },
    ),
    { numRuns: 20 },
  );
});
