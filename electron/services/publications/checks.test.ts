import { expect, test } from 'vitest';
import type { LastCheck } from '../../../shared/domain/publication.ts';
import { FailureError } from '../../../shared/failure.ts';
import { Checks } from './checks.ts';

const upToDate: LastCheck = {
  at: '2026-11-23T20:00:00.000Z',
  outcome: 'up-to-date',
  version: '1.3',
  failure: null,
  reply: null,
  missing: [],
};

test('the reason a check could not be recorded is shown until another one begins', async () => {
  const defects: unknown[] = [];
  const checks = new Checks({
    changed: () => {},
    logDefect: (error) => ({ kind: 'unexpected', id: String(defects.push(error)) }),
  });
  const work = async () => ({ check: upToDate, found: null });
  const full = { kind: 'disk-full' as const, path: '/data/vitrine.db' };
  await checks.begin('team', work, () => Promise.reject(new FailureError(full)));
  expect(checks.unwritten('team')).toMatchObject({ outcome: 'failed', failure: full });
  expect(checks.unwritten('another')).toBeNull();
  expect(defects).toEqual([]);
  await checks.begin('team', work, async () => {});
  expect(checks.unwritten('team')).toBeNull();
});
