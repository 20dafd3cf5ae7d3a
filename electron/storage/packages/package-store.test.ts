import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type BrokenRule, defaultRuleOptions, type RuleWarning } from '../../../shared/domain/publication.ts';
import { FailureError } from '../../../shared/failure.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { checkWith, foundPackage, packageOfNumber, ruleOptionsWith } from '../testing/package.fixture.ts';
import { PackageStore } from './package-store.ts';
import type { TokenPlaces } from './package-table.ts';

let database: TestDatabase;
let store: PackageStore;
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 10) }));
afterEach(() => vi.useRealTimers());
const reopen = databaseForEachTest((opened) => {
  database = opened;
  store = new PackageStore(database.db, database.journal);
});

const [one, two, three] = [packageOfNumber(1), packageOfNumber(2), packageOfNumber(3)];
const found = (number: number, facts = {}): string[] =>
  store.recordCheck('lab', checkWith(), foundPackage(number, facts));
const install = (number: number): string[] => [...found(number), ...store.activate('lab', packageOfNumber(number))];
const pass = (ms: number): unknown => vi.setSystemTime(Date.now() + ms);
const pointers = (): (string | null)[] => {
  const { active, candidate, pinned } = store.pointers('lab');
  return [active, candidate, pinned];
};
const kept = (): string[] => store.list('lab').map(({ version }) => version);
const missing = (number: number): FailureError =>
  new FailureError({ kind: 'package-missing', sha256: packageOfNumber(number) });
const journalRow = z.object({
  workspace: z.string(),
  hash: z.string().nullable(),
  outcome: z.string(),
  detail: z.string().transform((text): unknown => JSON.parse(text)),
});
const journalled = () =>
  database.db
    .query(
      journalRow,
      `SELECT workspace_id AS workspace, hash, outcome, detail FROM journal WHERE operation = 'rule-update'
        ORDER BY number`,
    )
    .all();

test('a workspace has the default options until others are stored, and where those are unreadable', () => {
  expect(store.options('lab')).toEqual(defaultRuleOptions);
  const options = ruleOptionsWith({
    includeTest: true,
    checkHours: 24,
    keep: 2,
    mapping: { outdated: '/a', version: null, id: '/b/0' },
  });
  store.setOptions('lab', options);
  reopen();
  expect([store.options('lab'), store.options('w-1')]).toEqual([options, defaultRuleOptions]);
  for (const damaged of ['{"cut', '[]', '{"keep":-1}']) {
    database.db.command('UPDATE rule_state SET options = ?').run(damaged);
    expect(store.options('lab')).toEqual(defaultRuleOptions);
  }
});

test('a package found by a check is the candidate with all its details, also after a restart', () => {
  const broken: BrokenRule[] = [
    { rule: 'Bad', file: 'a/b.yar', line: 7, kind: 'engine', text: 'unknown identifier' },
    { rule: null, file: 'c.yar', line: 1, kind: 'text', text: 'no rule' },
  ];
  const engineWarnings: RuleWarning[] = [
    { rule: 'Slow', file: 'a/b.yar', line: 9, code: 'slow_pattern', text: 'slow pattern' },
  ];
  const tokens: TokenPlaces[] = [
    {
      sha256: packageOfNumber(9),
      at: [
        [3, 20],
        [40, 20],
      ],
    },
  ];
  const package2 = foundPackage(2, {
    group: null,
    published: '2030-01-01',
    source: 'file',
    fileName: 'community',
    warnings: ['backwards', 'same-version'],
    contents: { files: 3, rules: 8, broken: 2 },
    broken,
    engineWarnings,
    tokens,
  });
  const check = checkWith({ version: '1.2', reply: '{"v":"\\ud800"}', missing: ['id'] });
  expect(found(1)).toEqual([]);
  expect(store.recordCheck('lab', check, package2)).toEqual([one]);
  reopen();
  const { broken: _, tokens: __, engineWarnings: ___, ...row } = package2;
  expect(store.list('lab')).toEqual([{ ...row, activated: null, activeMs: 0 }]);
  expect(store.get('lab', two)).toEqual({ ...row, activated: null, activeMs: 0 });
  expect(store.broken('lab', two)).toEqual(broken);
  expect(store.engineWarnings('lab', two)).toEqual(engineWarnings);
  expect([store.tokens('lab', two), store.tokens('w-1', two)]).toEqual([tokens, []]);
  expect(store.pointers('lab')).toEqual({ active: null, candidate: two, pinned: null, lastCheck: check });
  expect([
    store.list('w-1'),
    store.get('w-1', two),
    store.broken('w-1', two),
    store.isKnown('w-1', two),
    store.isKnown('lab', two),
    store.isKnown('lab', one),
  ]).toEqual([[], null, [], false, true, false]);
});

test('a check without a package keeps the candidate, and an up-to-date result removes it', () => {
  found(1);
  expect(store.recordCheck('lab', checkWith({ outcome: 'failed', failure: { kind: 'cancelled' } }), null)).toEqual([]);
  expect(pointers()).toEqual([null, one, null]);
  expect(store.recordCheck('lab', checkWith({ outcome: 'up-to-date' }), null)).toEqual([one]);
  expect([pointers(), store.list('lab'), store.pointers('lab').lastCheck?.outcome]).toEqual([
    [null, null, null],
    [],
    'up-to-date',
  ]);
});

test('a candidate from a person stays when the service has nothing new', () => {
  store.recordFile('lab', foundPackage(1, { source: 'file' }));
  expect(store.recordCheck('lab', checkWith({ outcome: 'up-to-date' }), null)).toEqual([]);
  expect(pointers()).toEqual([null, one, null]);
});

test('a package from a file stays beside the service package and others until it is removed', () => {
  store.recordFile('lab', foundPackage(1, { source: 'file', fileName: 'community' }));
  expect(found(2)).toEqual([]);
  store.recordFile('lab', foundPackage(3, { source: 'file' }));
  expect([pointers(), store.list('lab').map(({ version, fileName }) => [version, fileName])]).toEqual([
    [null, packageOfNumber(3), null],
    [
      ['1.3', null],
      ['1.1', 'community'],
    ],
  ]);
  reopen();
  install(4);
  expect(store.list('lab').map(({ version }) => version)).toEqual(['1.4', '1.3', '1.1']);
  store.remove('lab', one);
  expect(store.list('lab').map(({ version }) => version)).toEqual(['1.4', '1.3']);
  expect(journalled()[0]).toMatchObject({ detail: { step: 'file', file: 'community' } });
});

test('activation ends the active time of one package, begins that of the other, and consumes the candidate', () => {
  install(1);
  found(2);
  expect(pointers()).toEqual([one, two, null]);
  pass(1000);
  expect(store.activate('lab', two)).toEqual([]);
  pass(500);
  expect(pointers()).toEqual([two, null, null]);
  expect(store.list('lab').map(({ version, activated, activeMs }) => [version, activated, activeMs])).toEqual([
    ['1.2', '2030-01-10T00:00:01.000Z', 500],
    ['1.1', '2030-01-10T00:00:00.000Z', 1000],
  ]);
  store.activate('lab', one);
  pass(50);
  expect([store.get('lab', one)?.activeMs, store.get('lab', two)?.activeMs]).toEqual([1050, 500]);
  pass(-10_000);
  expect(store.get('lab', one)?.activeMs).toBe(1000);
  store.activate('lab', two);
  expect(store.get('lab', one)?.activeMs).toBe(1000);
});

test('activating the active package changes nothing, and an unknown one is missing', () => {
  install(1);
  const before = [store.list('lab'), journalled()];
  expect(store.activate('lab', one)).toEqual([]);
  expect(() => store.activate('lab', two)).toThrow(missing(2));
  expect(() => store.activate('w-1', one)).toThrow(missing(1));
  expect([store.list('lab'), journalled()]).toEqual(before);
});

test('each change of the active rules is journalled with its differences and without rule text', () => {
  const secret = { rule: 'secret_name', file: 'secret.yar', line: 1, kind: 'engine' as const, text: 'secret reason' };
  install(1);
  store.recordCheck(
    'lab',
    checkWith({ version: '1.2' }),
    foundPackage(2, { contents: { files: 1, rules: 4, broken: 1 }, broken: [secret] }),
  );
  store.activate('lab', two);
  store.activate('lab', one);
  store.activate('lab', two);
  store.recordCheck('lab', checkWith({ outcome: 'failed', failure: { kind: 'cancelled' } }), null);
  store.recordCheck('lab', checkWith({ outcome: 'up-to-date', version: '1.2' }), null);
  store.recordFile(
    'lab',
    foundPackage(3, { group: null, contents: null, failure: { kind: 'package-unreadable', sha256: three, text: 'x' } }),
  );
  const facts = (number: number, rules = 10, broken = 0) => ({
    version: `1.${number}`,
    group: 'Release',
    rules,
    broken,
  });
  const nothing = { version: null, group: null, rules: null, broken: null };
  const rows = journalled();
  expect(rows).toEqual(
    [
      { hash: one, outcome: 'found', detail: { ...facts(1), step: 'check', offered: null } },
      { hash: one, outcome: 'installed', detail: { ...facts(1), step: 'activate', from: null } },
      { hash: two, outcome: 'found', detail: { ...facts(2, 4, 1), step: 'check', offered: '1.2' } },
      { hash: two, outcome: 'installed', detail: { ...facts(2, 4, 1), step: 'activate', from: one } },
      { hash: one, outcome: 'rolled-back', detail: { ...facts(1), step: 'activate', from: two } },
      { hash: two, outcome: 'installed', detail: { ...facts(2, 4, 1), step: 'activate', from: one } },
      { hash: null, outcome: 'cancelled', detail: { ...nothing, step: 'check', offered: null } },
      { hash: null, outcome: 'up-to-date', detail: { ...nothing, step: 'check', offered: '1.2' } },
      { hash: three, outcome: 'package-unreadable', detail: { ...nothing, version: '1.3', step: 'file' } },
    ].map((row) => ({ workspace: 'lab', ...row })),
  );
  expect(JSON.stringify(rows)).not.toContain('secret');
});

test('a package received again has its new details and keeps its time', () => {
  install(1);
  found(2);
  pass(700);
  expect(
    found(1, {
      version: '9',
      contents: null,
      failure: { kind: 'cancelled' },
      warnings: ['manifest-contradicts'],
      received: '2030-01-09T00:00:00.000Z',
      broken: [],
    }),
  ).toEqual([]);
  expect(store.get('lab', one)).toMatchObject({
    version: '9',
    contents: null,
    failure: { kind: 'cancelled' },
    warnings: ['manifest-contradicts'],
    activated: '2030-01-10T00:00:00.000Z',
    activeMs: 700,
  });
  expect(pointers()).toEqual([one, two, null]);
  expect(kept()).toEqual(['9', '1.2']);
});

test('a pin holds a package, and the active and the pinned one cannot be removed', () => {
  install(1);
  install(2);
  store.pin('lab', one);
  expect(pointers()).toEqual([two, null, one]);
  for (const [sha256, version] of [
    [one, '1.1'],
    [two, '1.2'],
  ] as const)
    expect(() => store.remove('lab', sha256)).toThrow(new FailureError({ kind: 'package-in-use', version }));
  expect(() => store.pin('lab', three)).toThrow(missing(3));
  expect(() => store.remove('lab', three)).toThrow(missing(3));
  expect(pointers()).toEqual([two, null, one]);
  store.pin('lab', null);
  store.remove('lab', one);
  found(3);
  store.remove('lab', three);
  expect([pointers(), kept(), store.broken('lab', one)]).toEqual([[two, null, null], ['1.2'], []]);
  store.pin('w-1', null);
  expect(store.pointers('w-1').pinned).toBeNull();
});

test('a limited number of formerly active packages is kept, the latest and all referenced ones', () => {
  store.setOptions('lab', ruleOptionsWith({ keep: 2 }));
  const gone = [1, 2, 3, 4, 5].flatMap((number) => {
    pass(1000);
    return install(number);
  });
  expect([gone, kept()]).toEqual([
    [one, two],
    ['1.5', '1.4', '1.3'],
  ]);
  pass(1000);
  store.activate('lab', three);
  store.pin('lab', packageOfNumber(4));
  pass(1000);
  expect([install(6), kept()]).toEqual([[], ['1.6', '1.5', '1.4', '1.3']]);
  expect([found(7), found(8), kept()]).toEqual([[], [packageOfNumber(7)], ['1.8', '1.6', '1.5', '1.4', '1.3']]);
  store.setOptions('lab', ruleOptionsWith({ keep: 1 }));
  // The third was made active after the fifth.
  expect([store.recordCheck('lab', checkWith({ outcome: 'unsure' }), null), kept()]).toEqual([
    [packageOfNumber(5)],
    ['1.8', '1.6', '1.4', '1.3'],
  ]);
});

test.each([
  ['back', -86_400_000],
  ['ahead', 86_400_000],
])('the last active package survives a clock set %s, and returning to it is a rollback', (_, step) => {
  store.setOptions('lab', ruleOptionsWith({ keep: 1 }));
  install(1);
  pass(1000);
  install(2);
  pass(step);
  const now = new Date().toISOString();
  found(3, { received: now });
  store.activate('lab', three);
  pass(-step + 1000);
  expect([store.get('lab', two) === null, install(4), kept().toSorted()]).toEqual([false, [two], ['1.3', '1.4']]);
  store.activate('lab', three);
  expect(journalled().at(-1)).toMatchObject({ hash: three, outcome: 'rolled-back' });
  expect([store.recordCheck('lab', checkWith({ outcome: 'unsure' }), null), kept().toSorted()]).toEqual([
    [],
    ['1.3', '1.4'],
  ]);
});

test('only workspaces with automatic checks are scheduled, with the time of their last check', () => {
  store.setOptions('lab', ruleOptionsWith({ checkHours: 1 }));
  store.setOptions('w-1', ruleOptionsWith({ checkHours: 24 }));
  store.setOptions('w-2', ruleOptionsWith({ checkHours: 0 }));
  store.recordCheck('lab', checkWith({ at: '2030-01-05T00:00:00.000Z' }), null);
  store.recordCheck('w-3', checkWith(), null);
  const expected = [
    { workspaceId: 'lab', everyHours: 1, lastAt: '2030-01-05T00:00:00.000Z' },
    { workspaceId: 'w-1', everyHours: 24, lastAt: null },
  ];
  expect(store.scheduled()).toEqual(expected);
  database.db.sql.exec(
    `UPDATE rule_state SET last_check = '{' WHERE workspace_id = 'lab'; UPDATE rule_state SET options = 'x'
      WHERE workspace_id = 'w-1'`,
  );
  expect(store.scheduled()).toEqual([{ ...expected[0], lastAt: null }]);
});

test.each(['contents', 'failure'])(
  'a package with an unreadable %s is shown as damaged, beside the others',
  (column) => {
    install(1);
    install(2);
    for (const damaged of ['{"cut', '[]', '{"kind":"of-tomorrow"}', '{"files":-1,"rules":0,"broken":0}']) {
      database.db.command(`UPDATE rule_package SET ${column} = ? WHERE sha256 = ?`).run(damaged, one);
      expect(store.list('lab')).toMatchObject([
        { version: '1.2', failure: null },
        { version: '1.1', contents: null, failure: { kind: 'data-damaged', path: database.db.path } },
      ]);
      expect(store.get('lab', one)?.failure?.kind).toBe('data-damaged');
    }
  },
);

test('places of removed tokens are known when a package returns without them, or reported as damaged', () => {
  const tokens: TokenPlaces[] = [{ sha256: packageOfNumber(9), at: [[3, 20]] }];
  found(1, { tokens });
  found(1);
  expect(store.tokens('lab', one)).toEqual(tokens);
  database.db.command('UPDATE rule_package_token SET places = ?').run('[{}]');
  expect(() => store.tokens('lab', one)).toThrow(
    new FailureError({ kind: 'data-damaged', path: database.db.path, code: 'rule_package_token' }),
  );
  expect(found(2)).toEqual([one]);
  expect(store.tokens('lab', one)).toEqual([]);
});

test('other unreadable fields of a row are left out', () => {
  install(1);
  database.db.sql
    .exec(`UPDATE rule_package SET warnings = '["backwards","of-tomorrow",7]', source = 'moon', size_bytes = -5,
      activated = 'never', active_ms = -1;
    UPDATE rule_package_broken
      SET rules = '[1,{"rule":"A","file":"a.yar","line":1,"kind":"engine","text":"x"},{"rule":"B"}]'; UPDATE rule_state
      SET last_check = '[]'`);
  expect(store.list('lab')).toMatchObject([{ warnings: ['backwards'], source: 'file', sizeBytes: 0, activeMs: 0 }]);
  expect([store.broken('lab', one).map(({ rule }) => rule), store.pointers('lab').lastCheck]).toEqual([['A'], null]);
  database.db.sql.exec("UPDATE rule_package SET warnings = '{'; UPDATE rule_package_broken SET rules = '[1'");
  expect([store.list('lab')[0]?.warnings, store.broken('lab', one)]).toEqual([[], []]);
});

test('a package with very many broken rules keeps the first ones and their true number', () => {
  const many = (text: string): BrokenRule[] =>
    Array.from({ length: 12_000 }, (_, index) => ({
      rule: `r${index}`,
      file: 'a.yar',
      line: index,
      kind: 'duplicate',
      text,
    }));
  const contents = { files: 1, rules: 0, broken: 100_000 };
  found(1, { broken: many('taken'), contents });
  const stored = store.broken('lab', one);
  expect([stored.length, stored.at(-1)?.rule, store.get('lab', one)?.contents]).toEqual([10_000, 'r9999', contents]);
  found(2, { broken: many('t'.repeat(5000)).map((broken) => ({ ...broken, file: 'f'.repeat(500) })), contents });
  const long = store.broken('lab', two);
  expect([long[0]?.text.length, long[0]?.file.length, JSON.stringify(long).length < 4_000_000]).toEqual([
    200,
    500,
    true,
  ]);
  expect(long.map(({ line }) => line)).toEqual(long.map((_, index) => index));
});

test('a broken rule with a truncated file name is dropped, since it could match another file', () => {
  const broken = ['f'.repeat(501), 'a.yar'].map((file): BrokenRule => ({
    rule: 'r',
    file,
    line: 1,
    kind: 'engine',
    text: 'x',
  }));
  found(1, { broken, contents: { files: 2, rules: 0, broken: 2 } });
  expect(store.broken('lab', one)).toEqual([broken[1]]);
});

test('any text of a service is kept as text and truncated', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
    fc.constant('x'.repeat(5000)),
  );
  fc.assert(
    fc.property(text, text, text, (version, name, reason) => {
      const broken: BrokenRule[] = [{ rule: name, file: name.slice(0, 500), line: 1, kind: 'engine', text: reason }];
      store.recordCheck(
        'lab',
        checkWith({ version: version.slice(0, 200), reply: reason }),
        foundPackage(1, { version, group: name, published: reason, broken }),
      );
      const [row] = store.list('lab');
      expect([row?.version, row?.group, row?.published].map((word) => (word?.length ?? 999) <= 200)).toEqual([
        true,
        true,
        true,
      ]);
      expect(row?.version).toBe(version.slice(0, 200).toWellFormed());
      expect(store.broken('lab', one)).toMatchObject([{ rule: name.slice(0, 500), text: reason.slice(0, 200) }]);
      expect(store.pointers('lab').lastCheck?.reply).toBe(reason);
    }),
    { numRuns: 60 },
  );
});
