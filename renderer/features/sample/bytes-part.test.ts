import { expect, test } from 'vitest';
import type { MatchedString, RuleHit, SampleHit, ScanResult } from '../../../shared/domain/scan.ts';
import { lastScan, matchMarks } from './bytes-part.tsx';

const string = (id: string, ...offsets: number[]): MatchedString => ({
  id,
  matches: offsets.map((offset) => ({ offset, length: 4, data: null })),
  total: offsets.length,
  isAtLeast: false,
});
const hit = (rule: string, ...strings: MatchedString[]): RuleHit => ({
  rule,
  namespace: null,
  tags: [],
  meta: [],
  family: null,
  strings,
  place: null,
});
const result = (side: ScanResult['side'], ...hits: RuleHit[]): ScanResult => ({
  side,
  state: 'scanned',
  engine: null,
  package: null,
  elapsedMs: 1,
  hits,
  isCut: false,
  withoutGlobal: [],
  failure: null,
  raw: null,
});

test('matches of all rules are sorted by offset; shared ones merge, muted and out-of-range ones are left out', () => {
  const results = [
    result('local', hit('loader', string('$b', 90), string('$a', 10, 200)), hit('noisy', string('$x', 1))),
    result('service', hit('loader', string('$a', 10))),
  ];
  expect(matchMarks({ results, muted: [{ rule: 'noisy', reason: '', expires: null }] }, 100)).toEqual([
    { offset: 10, length: 4, label: 'loader $a' },
    { offset: 90, length: 4, label: 'loader $b' },
  ]);
});

test('the matches of a rule that matches everywhere are limited', () => {
  const everywhere = Array.from({ length: 5000 }, (_, at) => at);
  expect(
    matchMarks({ results: [result('local', hit('x', string('$x', ...everywhere)))], muted: [] }, 10_000),
  ).toHaveLength(2000);
});

test('the last known scan that is not muted is drawn', () => {
  const seen = (jobId: number | null, lastSeen: string, mute: SampleHit['mute'] = null): SampleHit => ({
    rule: 'r',
    side: 'local',
    version: null,
    firstSeen: lastSeen,
    lastSeen,
    matches: 1,
    jobId,
    position: 2,
    mute,
  });
  const hits = [
    seen(1, '2026-11-01'),
    seen(2, '2026-11-03'),
    seen(3, '2026-11-04'),
    seen(null, '2026-11-05'),
    seen(4, '2026-11-06', { reason: '', expires: null }),
  ];
  expect(lastScan(hits, (jobId) => jobId !== 3)).toEqual({ jobId: 2, position: 2 });
  expect(lastScan([], () => true)).toBeNull();
});
