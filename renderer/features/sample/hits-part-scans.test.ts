import { expect, test } from 'vitest';
import type { JournalRow } from '../../../shared/domain/journal.ts';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { scanTimes } from './hits-part.tsx';

const row = (
  number: number,
  time: string,
  job: number | null,
  operation: JournalRow['operation'] = 'scan',
): JournalRow => ({ number, time, workspaceId: 'lab', operation, hash: null, outcome: 'done', detail: { job } });
const hit = (rule: string, jobId: number | null, lastSeen: string, position: number | null = 1): SampleHit => ({
  rule,
  side: 'local',
  version: null,
  firstSeen: lastSeen,
  lastSeen,
  matches: 1,
  jobId,
  position,
  mute: null,
});

test('scans of the journal and of the hits are listed once each, newest first', () => {
  const rows = [
    row(3, '2026-11-18T14:00:00.000Z', 7),
    row(2, '2026-11-18T13:59:00.000Z', 7),
    row(1, '2026-11-10T10:00:00.000Z', 5),
    row(4, '2026-11-19T10:00:00.000Z', 9, 'download'),
  ];
  const hits = [
    hit('a', 7, '2026-11-18T14:00:00.000Z', 3),
    hit('b', 7, '2026-11-18T14:00:00.000Z', 3),
    hit('hunted', 8, '2026-11-12T09:00:00.000Z'),
  ];
  expect(scanTimes(rows, hits)).toEqual([
    { jobId: 7, position: 3, time: '2026-11-18T14:00:00.000Z', rules: ['a', 'b'] },
    { jobId: 8, position: 1, time: '2026-11-12T09:00:00.000Z', rules: ['hunted'] },
    { jobId: 5, position: null, time: '2026-11-10T10:00:00.000Z', rules: [] },
  ]);
});

test('hits of unknown scans are one line, and a rule of both engines is named once', () => {
  const hits = [
    hit('a', null, '2026-11-01T00:00:00.000Z', null),
    { ...hit('a', null, '2026-11-02T00:00:00.000Z', null), side: 'service' as const },
  ];
  expect(scanTimes([], hits)).toEqual([
    { jobId: null, position: null, time: '2026-11-02T00:00:00.000Z', rules: ['a'] },
  ]);
});
