import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { Command } from '../database/statement.ts';
import { MuteStore } from '../scans/mute-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { checkWith, foundPackage, packageOfNumber, ruleOptionsWith } from '../testing/package.fixture.ts';
import { statementsOf } from '../testing/written-statements.fixture.ts';
import { PackageStore } from './package-store.ts';

let database: TestDatabase;
let store: PackageStore;
databaseForEachTest((opened) => {
  database = opened;
  store = new PackageStore(database.db, database.journal);
  store.setOptions('lab', ruleOptionsWith({ keep: 1 }));
  for (const number of [1, 2, 3]) {
    store.recordCheck('lab', checkWith(), foundPackage(number));
    store.activate('lab', packageOfNumber(number));
  }
  store.recordCheck('lab', checkWith(), foundPackage(4));
});
afterEach(() => vi.restoreAllMocks());

const tables = ['rule_package', 'rule_package_broken', 'rule_package_warning', 'rule_state', 'journal', 'journal_end'];
const stored = (): unknown =>
  tables.map((table) =>
    database.db.query(z.record(z.string(), z.unknown()), `SELECT * FROM ${table} ORDER BY 1, 2`).all(),
  );

/** The program ends before the n-th statement that writes, from the database's point of view. */
function endBefore(n: number): void {
  const { run } = Command.prototype;
  let calls = 0;
  vi.spyOn(Command.prototype, 'run').mockImplementation(function counted(this: Command, ...parameters) {
    calls += 1;
    if (calls === n) throw new Error('ended');
    return run.apply(this, parameters);
  });
}

const changes: [string, number, () => unknown][] = [
  ['a check that found a package', 8, () => store.recordCheck('lab', checkWith(), foundPackage(5))],
  ['a check that found nothing new', 5, () => store.recordCheck('lab', checkWith({ outcome: 'up-to-date' }), null)],
  ['a package that a person opened', 7, () => store.recordFile('lab', foundPackage(5))],
  ['an installation', 7, () => store.activate('lab', packageOfNumber(4))],
  ['a roll back', 5, () => store.activate('lab', packageOfNumber(2))],
  ['a removal', 2, () => store.remove('lab', packageOfNumber(4))],
];

test.each(changes)('%s is stored whole or not at all, wherever it is interrupted', (_, writes, change) => {
  const before = stored();
  for (let n = 1; n <= writes; n += 1) {
    endBefore(n);
    expect(change).toThrow('ended');
    vi.restoreAllMocks();
    expect(stored()).toEqual(before);
  }
  endBefore(writes + 1);
  change();
  expect(stored()).not.toEqual(before);
  expect(database.journal.verify().broken).toBeNull();
});

/** See `statement.test.ts`. There is one row of state a workspace, and `scheduled` asks for all of them. */
test('every statement of packages and mutes finds its rows by an index', () => {
  const texts = statementsOf(database.db, () =>
    expect([
      new PackageStore(database.db, database.journal).get('lab', ''),
      new MuteStore(database.db, database.journal).get(1),
    ]).toEqual([null, null]),
  );
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts) {
    const plan = database.db
      .query(z.object({ detail: z.string() }), `EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => detail);
    const isSchedule = text.endsWith('FROM rule_state ORDER BY workspace_id');
    expect([text, plan.filter((detail) => /^SCAN (?!journal)/.test(detail) && !isSchedule)]).toEqual([text, []]);
    expect([text, plan.filter((detail) => detail.includes('TEMP B-TREE'))]).toEqual([text, []]);
  }
});
