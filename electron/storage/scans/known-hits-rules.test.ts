import { expect, test } from 'vitest';
import { historyWeeks } from '../../../shared/domain/publication.ts';
import { readingsOf } from '../reading/reading-answers.ts';
import type { RuleHistory, RuleHits } from '../reading/reading-thread.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { sha256Of } from '../testing/scan.fixture.ts';

let database: TestDatabase;
databaseForEachTest((opened) => {
  database = opened;
});

/** `rule` hit the sample of this number. */
function hit(
  rule: string,
  number: number,
  {
    first,
    last,
    workspaceId = 'lab',
    side = 'local',
  }: { first: string; last: string; workspaceId?: string; side?: string },
): void {
  const { sql } = database.db;
  sql
    .prepare('INSERT OR IGNORE INTO hit_sample (workspace_id, sha256) VALUES (?, ?)')
    .run(workspaceId, sha256Of(number));
  sql.prepare('INSERT OR IGNORE INTO hit_rule (workspace_id, rule) VALUES (?, ?)').run(workspaceId, rule);
  sql
    .prepare(
      `INSERT INTO sample_hit (sample_id, side, rule_id, version, first_seen, last_seen, matches, job_id, position)
    SELECT hit_sample.id, ?, hit_rule.id, '1', ?, ?, 1, 1, 1 FROM hit_sample, hit_rule WHERE sha256 = ? AND rule = ?
      AND hit_sample.workspace_id = ? AND hit_rule.workspace_id = ?`,
    )
    .run(side, `${first}T00:00:00.000Z`, `${last}T00:00:00.000Z`, sha256Of(number), rule, workspaceId, workspaceId);
}

const hitsOf = (workspaceId: string): RuleHits[] => readingsOf(database.db.path).ruleHits({ workspaceId });
const historyOf = (key: string): RuleHistory =>
  readingsOf(database.db.path).ruleHistory({ workspaceId: 'lab', key, now: '2030-06-15T12:00:00.000Z' });

test('rules are counted by their hit samples in a workspace, a sample on both sides once', () => {
  hit('A', 1, { first: '2030-01-01', last: '2030-06-01' });
  hit('A', 1, { first: '2030-01-02', last: '2030-06-03', side: 'service' });
  hit('A', 2, { first: '2030-01-01', last: '2030-05-01' });
  hit('b.yar:A', 2, { first: '2030-01-01', last: '2030-05-02' });
  hit('A', 1, { first: '2030-01-01', last: '2030-06-09', workspaceId: 'team' });
  expect(hitsOf('lab')).toEqual([
    { key: 'A', samples: 2, lastHit: '2030-06-03T00:00:00.000Z' },
    { key: 'b.yar:A', samples: 1, lastHit: '2030-05-02T00:00:00.000Z' },
  ]);
  expect(hitsOf('none')).toEqual([]);
});

test('the history of a rule counts samples by the week of their first hit and names the latest hits', () => {
  hit('A', 1, { first: '2030-06-14', last: '2030-06-14' });
  hit('A', 2, { first: '2030-06-01', last: '2030-06-15' });
  hit('A', 3, { first: '2029-01-01', last: '2030-01-01' });
  hit('A', 4, { first: '2031-01-01', last: '2030-06-02' });
  const { samples, lastHit, weeks, newest } = historyOf('A');
  expect([samples, lastHit, weeks.length, weeks.slice(-3)]).toEqual([
    4,
    '2030-06-15T00:00:00.000Z',
    historyWeeks,
    [1, 0, 2],
  ]);
  expect(weeks.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(newest.map(({ sha256 }) => sha256)).toEqual([2, 1, 4, 3].map(sha256Of));
  expect(historyOf('B')).toMatchObject({ samples: 0, lastHit: null, newest: [] });
});
