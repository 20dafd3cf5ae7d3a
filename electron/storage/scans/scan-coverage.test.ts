import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { LibraryStore } from '../library/library-store.ts';
import { reading } from '../reading/reading-connection.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { beginScan, noteOf, resultOf, scanFile, scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { type CoverageAnswer, type CoverageRequest, readCoverage } from './coverage-reading.ts';
import { forgetScansOf } from './sample-hits.ts';
import { type CoverageKind, type CoverageLook, type CoverageRule, lookWith, ScanCoverage } from './scan-coverage.ts';
import { ScanStore } from './scan-store.ts';

let database: TestDatabase;
let library: LibraryStore;
let coverage: ScanCoverage;
let scans: ScanStore;
let jobs: SqliteJobStore;
databaseForEachTest((opened) => {
  database = opened;
  library = new LibraryStore(database.db, database.journal);
  coverage = new ScanCoverage(database.db);
  scans = new ScanStore(database.db);
  jobs = new SqliteJobStore(database.db);
});

const printOf = (form: number): string => form.toString(16).padStart(32, '0');
const keep = (number: number): void =>
  library.recordDownload({
    workspaceId: 'lab',
    md5: scanHashesOf(number).md5,
    hashes: scanHashesOf(number),
    sizeBytes: 10,
    outcome: 'done',
  });
const read = (rules: readonly CoverageRule[], given: Partial<CoverageRequest> = {}): CoverageAnswer =>
  reading(database.db.path, (sql) =>
    readCoverage(sql, { workspaceId: 'lab', rules, engines: ['new'], passes: 'unseen', withSamples: true, ...given }),
  );

function prepared(rules: readonly CoverageRule[], engine = 'new', workspaceId = 'lab'): CoverageLook {
  const steps = coverage.prepareInSteps(workspaceId, { key: JSON.stringify(rules), engine, rules });
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

const record = (look: CoverageLook, kind: CoverageKind, ...samples: number[]): void =>
  coverage.record(look, kind, samples.map(sha256Of));
const rows = (table: string): number =>
  database.db.query(z.object({ rows: z.number() }), `SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? 0;

const ruleNames = ['a', 'b', 'c', 'd', 'e'];
const engines = ['old', 'new'] as const;
/** Whether this form of a rule hits the sample. */
const hits = (print: string, sample: number): boolean => (Number.parseInt(print, 16) * 7 + sample * 13) % 3 === 0;

const sampleNumbers = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1 });
/** Each rule in one of three forms, or not there. */
const somePackage = fc
  .tuple(...ruleNames.map(() => fc.integer({ min: 0, max: 3 })))
  .map((forms) =>
    ruleNames.flatMap((rule, at): CoverageRule[] => (forms[at] ? [{ rule, print: printOf(10 * at + forms[at]) }] : [])),
  )
  .filter((rules) => rules.length > 0);
const step = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      rules: somePackage,
      engine: fc.constantFrom(...engines),
      samples: sampleNumbers,
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('hunt' as const),
      rules: somePackage,
      engine: fc.constantFrom(...engines),
      samples: sampleNumbers,
      names: fc.subarray(ruleNames),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('without-global' as const), rules: somePackage, samples: sampleNumbers }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('lose' as const), names: fc.subarray(ruleNames, { minLength: 1 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('keep' as const, 'all' as const, 'bytes' as const),
      samples: sampleNumbers,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('workspace' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Bit by bit: for each sample the look of each rule. */
class Model {
  readonly inVault = new Set<number>();
  readonly inLibrary = new Set<number>();
  readonly seen = new Map<number, Map<string, { print: string; engine: string }>>();

  see(sample: number, rules: readonly CoverageRule[], { engine, isWhole }: { engine: string; isWhole: boolean }): void {
    if (!this.inLibrary.has(sample)) return;
    const known = isWhole
      ? new Map<string, { print: string; engine: string }>()
      : (this.seen.get(sample) ?? new Map<string, { print: string; engine: string }>());
    for (const { rule, print } of rules) known.set(rule, { print, engine });
    this.seen.set(sample, known);
  }

  pairs(rules: readonly CoverageRule[], wanted: 'unseen' | 'older'): string[] {
    return [...this.inVault].flatMap((sample) =>
      rules
        .filter(({ rule, print }) => {
          const last = this.seen.get(sample)?.get(rule);
          return wanted === 'unseen' ? last?.print !== print : last?.print === print && last.engine === 'old';
        })
        .map(({ rule }) => `${rule} ${sample}`),
    );
  }
}

/**
 * A scan or a hunt as the recorder reports it. Results of a sample that is not in the vault are reported too: it was
 * staged.
 */
function lookedAt(
  model: Model,
  rules: readonly CoverageRule[],
  {
    samples,
    engine,
    kind,
    names,
  }: { samples: readonly number[]; engine: string; kind: CoverageKind; names: readonly string[] | null },
): void {
  const looked = names === null ? rules : rules.filter(({ rule }) => names.includes(rule));
  const whole = prepared(rules, engine);
  const jobId = beginScan(jobs, names === null ? 'scan' : 'hunt', 6);
  scans.together(() => {
    for (const sample of samples) {
      const found = looked.filter(({ print }) => hits(print, sample)).map(({ rule }) => rule);
      scans.record(jobId, [
        noteOf(sample, resultOf('local', found), names === null ? 'all' : new Set(looked.map(({ rule }) => rule))),
      ]);
      if (kind === 'unsure') model.seen.delete(sample);
      else model.see(sample, looked, { engine, isWhole: names === null });
    }
    record(names === null ? whole : lookWith(whole, new Set(names)), kind, ...samples);
  });
}

function take(model: Model, one: Step): void {
  switch (one.kind) {
    case 'scan':
      return lookedAt(model, one.rules, { ...one, kind: 'all', names: null });
    case 'hunt':
      return lookedAt(model, one.rules, { ...one, kind: 'some' });
    case 'without-global':
      return lookedAt(model, one.rules, { ...one, engine: 'new', kind: 'unsure', names: null });
    case 'lose': {
      for (const _ of coverage.forgetRulesInSteps('lab', one.names)) expect(_).toBeUndefined();
      const jobId = beginScan(jobs, 'hunt', 6);
      for (const lost of scans.loseRulesInSteps(jobId, 'lab', one.names)) expect(lost).toBeGreaterThanOrEqual(0);
      for (const known of model.seen.values()) for (const name of one.names) known.delete(name);
      return;
    }
    case 'keep':
      for (const sample of one.samples) {
        keep(sample);
        model.inVault.add(sample);
        model.inLibrary.add(sample);
      }
      return;
    case 'all':
    case 'bytes':
      library.forget(one.samples.map(sha256Of), one.kind);
      for (const sample of one.samples) {
        model.inVault.delete(sample);
        if (one.kind === 'bytes') continue;
        model.inLibrary.delete(sample);
        model.seen.delete(sample);
      }
      return;
    case 'sweep':
      for (const _ of coverage.sweepInSteps()) expect(_).toBeUndefined();
      return;
    case 'workspace':
      database.db.transaction(() => forgetScansOf(database.db, 'lab'));
      model.seen.clear();
  }
}

function empty(): void {
  for (const table of [
    'sample',
    'coverage_space',
    'hit_sample',
    'hit_rule',
    'sample_hit',
    'job_item',
    'scan_hit',
    'scan_rule',
    'scan_total',
    'scan_result',
    'scan_body',
  ])
    database.db.sql.exec(`DELETE FROM ${table}`);
}

test(
  'coverage is exact bit by bit, and hits are those of its rules, after any scan, loss and return',
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 24 }), somePackage, (steps, rules) => {
        empty();
        const model = new Model();
        take(model, { kind: 'keep', samples: [1, 2, 3, 4] });
        for (const one of steps) take(model, one);
        // Also of what was scanned while its bytes were elsewhere.
        if (steps.length % 2 === 0) take(model, { kind: 'keep', samples: [1, 2, 3, 4, 5, 6] });
        for (const passes of ['unseen', 'older'] as const) {
          const answer = read(rules, { passes });
          const expected = model.pairs(rules, passes);
          expect(answer[passes].pairs).toBe(expected.length);
          const ids = database.db
            .query(z.object({ id: z.number(), sha256: z.string() }), 'SELECT id, sha256 FROM sample')
            .all();
          const numberOf = new Map(
            ids.map(({ id, sha256 }) => [id, [1, 2, 3, 4, 5, 6].find((number) => sha256Of(number) === sha256)]),
          );
          const planned = new Set(
            answer.passes.flatMap((pass) =>
              [...pass.samples].flatMap((id) => pass.rules.map((place) => `${rules[place]?.rule} ${numberOf.get(id)}`)),
            ),
          );
          expect(expected.filter((pair) => !planned.has(pair))).toEqual([]);
        }
        for (const [sample, known] of model.seen) {
          const found = new Set(scans.hitsOf('lab', sha256Of(sample)).map(({ rule }) => rule));
          for (const [rule, { print }] of known)
            expect({ sample, rule, isHit: found.has(rule) }).toEqual({ sample, rule, isHit: hits(print, sample) });
        }
      }),
      { numRuns: 60 },
    );
  },
);

test('samples with the same history share a state, and an unused state is removed', () => {
  for (let number = 1; number <= 20; number += 1) keep(number);
  const rules = ruleNames.map((rule, at): CoverageRule => ({ rule, print: printOf(at) }));
  const whole = prepared(rules);
  for (const number of [7, 3, 15, 1]) record(whole, 'all', number);
  record(whole, 'some', ...Array.from({ length: 20 }, (_, at) => at + 1));
  expect([rows('coverage_state'), rows('coverage_body'), rows('coverage_sample')]).toEqual([1, 1, 20]);
  expect(read(rules)).toMatchObject({ isKnown: true, unseen: { rules: 0, samples: 0, pairs: 0 }, passes: [] });
  const more = [...rules, { rule: 'f', print: printOf(9) }];
  expect(read(more)).toMatchObject({
    unseen: { rules: 1, samples: 20, pairs: 20 },
    passes: [{ rules: [5], files: 20, bytes: 200 }],
  });
  record(lookWith(prepared(more), new Set(['f'])), 'some', 1, 2);
  expect([rows('coverage_state'), read(more).unseen]).toEqual([2, { rules: 1, samples: 18, pairs: 18 }]);
});

test('each workspace has its own coverage, and a removed one leaves nothing behind', () => {
  keep(1);
  const rules = [{ rule: 'a', print: printOf(1) }];
  record(prepared(rules), 'all', 1);
  expect([read(rules).unseen.pairs, read(rules, { workspaceId: 'other' }).unseen.pairs]).toEqual([0, 1]);
  record(prepared(rules, 'new', 'other'), 'all', 1);
  database.db.transaction(() => forgetScansOf(database.db, 'lab'));
  expect([read(rules).isKnown, read(rules).unseen.pairs, read(rules, { workspaceId: 'other' }).unseen.pairs]).toEqual([
    false,
    1,
    0,
  ]);
  for (const _ of coverage.sweepInSteps()) expect(_).toBeUndefined();
  expect(['coverage_state', 'coverage_body', 'coverage_sample', 'coverage_look', 'coverage_rule'].map(rows)).toEqual([
    1, 1, 1, 1, 1,
  ]);
});

test('earlier forms of a rule without samples are deleted, and the others stay', () => {
  keep(1);
  keep(2);
  const formOf = (form: number): CoverageRule[] => [{ rule: 'a', print: printOf(form) }];
  record(prepared(formOf(5000)), 'all', 2);
  for (let form = 0; form < 1200; form += 1) record(prepared(formOf(form)), 'all', 1);
  for (const _ of coverage.sweepInSteps()) expect(_).toBeUndefined();
  expect(rows('coverage_look')).toBeLessThan(10);
  expect([
    read(formOf(5000)).unseen.samples,
    read(formOf(1199)).unseen.samples,
    read(formOf(1)).unseen.samples,
  ]).toEqual([1, 1, 2]);
});

test('a library row reassigned to another sample has no coverage', () => {
  keep(1);
  const rules = [{ rule: 'a', print: printOf(1) }];
  record(prepared(rules), 'all', 1);
  const idOf = (number: number): number | undefined =>
    database.db.query(z.object({ id: z.number() }), 'SELECT id FROM sample WHERE sha256 = ?').get(sha256Of(number))?.id;
  const before = idOf(1);
  library.forget([sha256Of(1)], 'all');
  keep(2);
  expect(idOf(2)).toBe(before);
  expect(read(rules).unseen).toEqual({ rules: 1, samples: 1, pairs: 1 });
});

const nameStep = fc.oneof(
  fc.record({
    kind: fc.constant('record' as const),
    workspace: fc.integer({ min: 1, max: 2 }),
    name: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    kind: fc.constant('file' as const),
    names: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant('look' as const),
    rules: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
    misses: fc.boolean(),
    isWhole: fc.boolean(),
  }),
);

test('a rule with names covers a sample only under all of them, and other rules keep coverage', () => {
  const rules = ['a', 'b', 'c'].map((rule, at) => ({ rule, print: printOf(at), asksName: rule !== 'c' }));
  fc.assert(
    fc.property(fc.array(nameStep, { minLength: 1, maxLength: 12 }), (steps) => {
      library.forget([sha256Of(1)], 'all');
      keep(1);
      const jobId = beginScan(jobs, 'scan', 1);
      database.db.sql.exec('DELETE FROM scan_file; DELETE FROM record;');
      const seen = new Map<string, readonly string[]>();
      let position = 0;
      for (const one of steps) {
        if (one.kind === 'record')
          library.noteRecord({
            workspaceId: `w${one.workspace}`,
            md5: scanHashesOf(1).md5,
            record: recordWith({ sha256: sha256Of(1), name: `n${one.name}` }),
          });
        else if (one.kind === 'file') {
          const [name = '', ...also] = one.names.map((number) => `n${number}`);
          scans.addFiles(jobId, [
            {
              ...scanFile((position += 1), { name, also: also.map((other) => ({ name: other, path: null })) }),
              hashes: scanHashesOf(1),
            },
          ]);
        } else {
          const names = scans.namesOf(sha256Of(1)).slice(one.misses ? 1 : 0);
          const looked = one.isWhole ? ['a', 'b', 'c'] : one.rules;
          coverage.record(
            lookWith(prepared(rules), new Set(looked)),
            one.isWhole ? 'all' : 'some',
            [sha256Of(1)],
            scans.namesOf(sha256Of(1)).length > names.length,
          );
          for (const rule of looked) seen.set(rule, names);
        }
        const current = scans.namesOf(sha256Of(1));
        const unseen = new Set(read(rules).passes.flatMap((pass) => pass.rules.map((place) => rules[place]?.rule)));
        for (const rule of ['a', 'b'])
          if (!(seen.has(rule) && current.every((name) => seen.get(rule)?.includes(name))))
            expect(unseen).toContain(rule);
        expect(unseen.has('c')).toBe(!seen.has('c'));
        // A look of all of them under all names leaves nothing.
        if (one.kind === 'look' && one.isWhole && !one.misses) expect(unseen.size).toBe(0);
      }
    }),
  );
});

test(
  'ten thousand rules and a million samples, in any order and many packages, take less than 200 MB',
  { tags: ['long'], timeout: 300_000 },
  () => {
    const [samples, versions, cuts] = [50_000, 10, 300];
    database.db.sql.exec(`INSERT INTO sample (md5, sha256, size_bytes, in_vault, first_seen, last_seen)
    WITH RECURSIVE each(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < ${samples})
      SELECT printf('%032x', n), printf('%064x', n), 10, 1, '', '' FROM each`);
    const numberedSha256 = (number: number): string => number.toString(16).padStart(64, '0');
    const packageOf = (version: number): CoverageRule[] =>
      Array.from({ length: 10_000 }, (_, at) => ({
        rule: `rule_${at}`,
        print: printOf((at * 31 + version) % 5 === 0 ? version * 10_000 + at : at),
      }));
    const before = pagesOf();
    const looks = Array.from({ length: versions }, (_, version) => prepared(packageOf(version)));
    const order = shuffled(samples);
    const noted = (look: CoverageLook, kind: CoverageKind, numbers: Iterable<number>): void =>
      coverage.record(look, kind, [...numbers].map(numberedSha256));
    // Single scans, each with the package of the day, and then with others again.
    for (let at = 0; at < samples; at += 64)
      noted(looks[(at / 64) % versions] ?? expect.fail(), 'all', order.subarray(at, at + 64));
    const singles = pagesOf();
    // Hunts with some rules by name that were stopped soon: each makes a history that no other sample has.
    for (let cut = 0; cut < cuts; cut += 1) {
      const names = new Set(Array.from({ length: 3000 }, (_, at) => `rule_${(at * 7919 + cut * 104_729) % 10_000}`));
      noted(lookWith(looks[cut % versions] ?? expect.fail(), names), 'some', order.subarray(cut * 16, cut * 16 + 16));
    }
    expect(((singles - before) * 1_000_000) / samples + pagesOf() - singles).toBeLessThan(200 * 10 ** 6);
    expect(rows('coverage_state')).toBeGreaterThan(200);
    expect(read(packageOf(versions), { withSamples: false })).toMatchObject({ unseen: { samples } });
  },
);

const pagesOf = (): number =>
  database.db
    .query(
      z.object({ bytes: z.number() }),
      'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
    )
    .get()?.bytes ?? 0;

/** 1 to `count` in an order that is always the same. */
function shuffled(count: number): Int32Array {
  const numbers = Int32Array.from({ length: count }, (_, at) => at + 1);
  let seed = 1;
  for (let at = count - 1; at > 0; at -= 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const other = seed % (at + 1);
    [numbers[at], numbers[other]] = [numbers[other] ?? 0, numbers[at] ?? 0];
  }
  return numbers;
}
