import { hash } from 'node:crypto';
import { z } from 'zod';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { LastScan } from '../../../shared/domain/scan.ts';
import type { Database } from '../database/database.ts';
import type { Command } from '../database/statement.ts';
import { type CoverageState, decodeState, encodeState, noCoverage, stateAfter } from './coverage-state.ts';

/** A rule by its name and by what it does: 32 hexadecimal digits. */
export interface CoverageRule {
  rule: string;
  print: string;
  /** Whether its hits depend on what a file is called. */
  asksName?: boolean;
}

/** The numbers of a rule and of its form. */
interface NumberedRule {
  rule: number;
  look: number;
  asksName: boolean;
}

/** Some of the rules of a package, in the form in which one engine runs them on samples. */
export interface CoverageLook {
  readonly space: number;
  readonly rules: ReadonlyMap<string, NumberedRule>;
  readonly state: CoverageState;
  /** Whether one of them asks for the name of a file. */
  readonly asksName: boolean;
  /** Rules of the workspace that there were by then, and the newest of them. */
  readonly known: { readonly rules: ReadonlySet<number>; readonly newest: number };
}

/**
 * What a look makes of the hits of a sample. `all`: those of any other rule are gone. `some`: others stay as they are.
 * `unsure`: they may not be what the rules would find, such as without a global rule, and nothing counts as looked at.
 */
export type CoverageKind = 'all' | 'some' | 'unsure';

const idRow = z.object({ id: z.number() });
const namedRow = z.object({ id: z.number(), rule: z.string() });
const lookRow = z.object({ id: z.number(), ruleId: z.number() });
const idsRow = z.object({ ids: z.string() });
const ids = z.array(z.number());
const sampleRow = z.object({ id: z.number(), state: z.number(), namesLeft: z.number() });
const lastRow = z.object({ body: z.instanceof(Uint8Array), time: z.string().nullable() });
const bodyRow = z.object({ body: z.instanceof(Uint8Array) });
const stateRow = z.object({ id: z.number(), samples: z.number() });
const sumRow = z.object({ bytes: z.number() });

const lastScanOfSample = `SELECT body, strftime('%FT%TZ', scanned, 'unixepoch') AS time FROM sample
  CROSS JOIN coverage_sample AS seen ON seen.space = (SELECT id FROM coverage_space WHERE workspace_id = ?)
    AND seen.sample_id = sample.id
  CROSS JOIN coverage_body ON coverage_body.state = seen.state WHERE sample.sha256 = ?`;

const rulesAStep = 250;
const packagesKept = 4;
/**
 * Of all states of a workspace together. Beyond it those of the fewest samples go, and these samples count as not
 * looked at.
 */
const mostBodyBytes = 64 * 1024 * 1024;
const digestDigits = 32;

interface NextState {
  state: CoverageState;
  body: Uint8Array;
  digest: Uint8Array;
}

/**
 * Which rules scanned which samples, so that a hunt knows what is left to do. It follows the kept hits of the samples:
 * for each sample and rule it records which form of the rule they are from. Every change of local hits must be reported
 * here in the same transaction, whether the vault has the bytes or they were read elsewhere. Samples that the library
 * does not know are left out.
 */
export class ScanCoverage {
  readonly #db: Database;
  readonly #space;
  readonly #addSpace;
  readonly #addRules;
  readonly #ruleIds;
  readonly #addLooks;
  readonly #lookIds;
  readonly #knownRules;
  readonly #samples;
  readonly #last;
  readonly #body;
  readonly #asking;
  readonly #putState;
  readonly #putBody;
  readonly #putSamples;
  readonly #dropSamples;
  readonly #leave;
  readonly #dropEmpty;
  readonly #bodyBytes;
  readonly #smallest;
  readonly #dropState;
  readonly #forgetRules;
  readonly #forgetLooks;
  readonly #sweeping;
  readonly #packages = new Map<string, CoverageLook>();
  readonly #next = new WeakMap<CoverageLook, Map<string, NextState>>();

  constructor(db: Database) {
    this.#db = db;
    this.#space = db.query(idRow, 'SELECT id FROM coverage_space WHERE workspace_id = ?');
    this.#addSpace = db.command('INSERT INTO coverage_space (workspace_id) VALUES (?)');
    this.#addRules = db.command(
      'INSERT INTO coverage_rule (space, rule) SELECT ?1, value FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING',
    );
    this.#ruleIds = db.query(
      namedRow,
      'SELECT id, rule FROM coverage_rule WHERE space = ? AND rule IN (SELECT value FROM json_each(?))',
    );
    this.#addLooks = db.command(
      `INSERT INTO coverage_look (rule_id, print, engine, asks_name)
        SELECT value ->> 0, unhex(value ->> 1), ?1, value ->> 2 FROM json_each(?2) WHERE true
      ON CONFLICT DO UPDATE SET asks_name = excluded.asks_name WHERE asks_name IS NOT excluded.asks_name`,
    );
    this.#lookIds = db.query(
      lookRow,
      `SELECT look.id, rule_id AS ruleId FROM json_each(?2) AS each CROSS JOIN coverage_look AS look
      ON look.rule_id = each.value ->> 0 AND look.print = unhex(each.value ->> 1) AND look.engine = ?1`,
    );
    this.#knownRules = db.query(
      idsRow,
      'SELECT json_group_array(id) AS ids FROM (SELECT id FROM coverage_rule WHERE space = ? ORDER BY id)',
    );
    this.#samples = db.query(
      sampleRow,
      `SELECT sample.id, ifnull(seen.state, 0) AS state, ifnull(seen.names_left, 0) AS namesLeft FROM sample
        LEFT JOIN coverage_sample AS seen ON seen.space = ? AND seen.sample_id = sample.id
      WHERE sample.sha256 IN (SELECT value FROM json_each(?))`,
    );
    this.#last = db.query(lastRow, lastScanOfSample);
    this.#body = db.query(bodyRow, 'SELECT body FROM coverage_body WHERE state = ?');
    this.#asking = db.query(
      idRow,
      `SELECT value AS id FROM json_each(?) LEFT JOIN coverage_look AS look ON look.id = value
        WHERE look.asks_name IS NOT 0`,
    );
    this.#putState = db.query(
      stateRow,
      `INSERT INTO coverage_state (space, digest, bytes, samples) VALUES (?, ?, ?, ?) ON CONFLICT (space, digest) DO
        UPDATE SET samples = samples + excluded.samples
      RETURNING id, samples`,
    );
    this.#putBody = db.command('INSERT INTO coverage_body (state, body) VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.#putSamples = db.command(
      `INSERT INTO coverage_sample (space, sample_id, state, names_left, scanned)
        SELECT ?1, value, ?2, ?3, unixepoch(?5) FROM json_each(?4) WHERE true
      ON CONFLICT DO UPDATE SET state = excluded.state, names_left = excluded.names_left, scanned = excluded.scanned`,
    );
    this.#dropSamples = db.command(
      'DELETE FROM coverage_sample WHERE space = ? AND sample_id IN (SELECT value FROM json_each(?))',
    );
    this.#leave = db.command('UPDATE coverage_state SET samples = samples - ? WHERE id = ?');
    this.#dropEmpty = db.command(
      'DELETE FROM coverage_state WHERE id IN (SELECT value FROM json_each(?)) AND samples <= 0',
    );
    this.#bodyBytes = db.query(sumRow, 'SELECT ifnull(sum(bytes), 0) AS bytes FROM coverage_state WHERE space = ?');
    this.#smallest = db.query(
      idRow,
      'SELECT id FROM coverage_state WHERE space = ?1 AND id <> ?2 ORDER BY samples, id LIMIT 1',
    );
    this.#dropState = db.command('DELETE FROM coverage_state WHERE id = ?');
    const named = 'FROM coverage_rule WHERE space = ? AND rule IN (SELECT value FROM json_each(?))';
    this.#forgetLooks = db.command(`DELETE FROM coverage_look WHERE rule_id IN (SELECT id ${named})`);
    this.#forgetRules = db.command(`DELETE ${named}`);
    this.#sweeping = new CoverageSweep(db);
  }

  /**
   * Gives the rules of a package their numbers, some at each step. To be made before `record`; the last few are kept.
   * `key` names the package.
   * @returns all of them
   */
  *prepareInSteps(
    workspaceId: string,
    { key, engine, rules }: { key: string; engine: string; rules: readonly CoverageRule[] },
  ): Generator<void, CoverageLook, undefined> {
    const space = this.#db.transaction(
      () => this.#space.get(workspaceId)?.id ?? this.#addSpace.run(workspaceId).rowId,
      'soon',
    );
    const kept = `${space} ${engine} ${key}`;
    const known = this.#packages.get(kept);
    if (known !== undefined) return known;
    const numbers = new Map<string, NumberedRule>();
    for (let at = 0; at < rules.length; at += rulesAStep) {
      this.#db.transaction(
        () => this.#number(space, engine, { rules: rules.slice(at, at + rulesAStep), numbers }),
        'soon',
      );
      yield;
    }
    const all = this.#knownRules.all(space).flatMap((row) => ids.parse(JSON.parse(row.ids)));
    const look = lookOf(space, numbers, { rules: new Set(all), newest: all.at(-1) ?? 0 });
    this.#packages.set(kept, look);
    for (const [oldest] of [...this.#packages].slice(0, -packagesKept)) this.#packages.delete(oldest);
    return look;
  }

  /**
   * Samples that these rules looked at, and of which the hits are as they left them. `namesLeft`: each of them has a
   * name that it was not looked at under, and rules that ask for names have not seen it.
   */
  record(look: CoverageLook, kind: CoverageKind, sha256s: readonly string[], namesLeft = false): void {
    this.#db.transaction(() => {
      const rows = this.#samples.all(look.space, JSON.stringify(sha256s));
      for (const samples of Map.groupBy(rows, (row) => 2 * row.state + row.namesLeft).values())
        this.#move(look, kind, { samples, namesLeft });
    }, 'soon');
  }

  /** The rules of this computer that scanned a sample; null: none, or it is not known which. */
  lastScan(workspaceId: string, sha256: string): LastScan | null {
    const last = this.#last.get(workspaceId, sha256);
    return last && { rules: decodeState(last.body).length / 2, time: last.time };
  }

  /**
   * Called when the hits of these rules are removed from all samples: forgets which samples the rules scanned, some
   * rules at each step.
   */
  *forgetRulesInSteps(workspaceId: string, rules: readonly string[]): Generator<void, void, undefined> {
    const space = this.#space.get(workspaceId)?.id;
    if (space === undefined || rules.length === 0) return;
    this.#packages.clear();
    for (let at = 0; at < rules.length; at += rulesAStep) {
      const some = JSON.stringify(rules.slice(at, at + rulesAStep));
      this.#db.transaction(() => {
        this.#forgetLooks.run(space, some);
        this.#forgetRules.run(space, some);
      }, 'soon');
      yield;
    }
  }

  /** Removes rows of workspaces that are gone, and those that nothing needs, some at each step. */
  *sweepInSteps(): Generator<void, void, undefined> {
    const used = new Set(
      [...this.#packages.values()].flatMap(({ rules }) => [...rules.values()].map(({ look }) => look)),
    );
    yield* this.#sweeping.inSteps(used);
  }

  #number(
    space: number,
    engine: string,
    { rules, numbers }: { rules: readonly CoverageRule[]; numbers: Map<string, NumberedRule> },
  ): void {
    const names = JSON.stringify(rules.map(({ rule }) => rule));
    this.#addRules.run(space, names);
    const idOf = new Map(this.#ruleIds.all(space, names).map(({ id, rule }) => [rule, id]));
    const prints = JSON.stringify(
      rules.map(({ rule, print, asksName = false }) => [idOf.get(rule), print, Number(asksName)]),
    );
    this.#addLooks.run(engine, prints);
    const lookOfRule = new Map(this.#lookIds.all(engine, prints).map(({ id, ruleId }) => [ruleId, id]));
    for (const { rule, asksName = false } of rules) {
      const id = idOf.get(rule) ?? 0;
      numbers.set(rule, { rule: id, look: lookOfRule.get(id) ?? 0, asksName });
    }
  }

  /** Samples in one state. */
  #move(
    look: CoverageLook,
    kind: CoverageKind,
    { samples, namesLeft }: { samples: readonly z.infer<typeof sampleRow>[]; namesLeft: boolean },
  ): void {
    const { state: from, namesLeft: left } = samples[0] ?? { state: 0, namesLeft: 0 };
    // Other rules that ask for names have not met those that were left until now: what they saw is not all.
    const isMet = kind === 'some' && look.asksName && left === 1 && !namesLeft;
    const leftNow = look.asksName ? Number(namesLeft) : kind === 'some' ? left : 0;
    const next = this.#nextOf(look, kind, { from, isMet });
    const numbers = JSON.stringify(samples.map(({ id }) => id));
    if (next.state.length === 0) {
      if (from !== 0) this.#dropSamples.run(look.space, numbers);
    } else {
      const { id } = this.#putState.get(look.space, next.digest, next.body.length, samples.length) ?? missing();
      if (this.#putBody.run(id, next.body).changes > 0) this.#keepWithin(look.space, id);
      this.#putSamples.run(look.space, id, leftNow, numbers, currentInstant());
      if (from !== 0) this.#leave.run(samples.length, from);
    }
    if (from !== 0) this.#dropEmpty.run(JSON.stringify([from]));
  }

  #nextOf(look: CoverageLook, kind: CoverageKind, old: { from: number; isMet: boolean }): NextState {
    const known = this.#next.get(look) ?? new Map<string, NextState>();
    this.#next.set(look, known);
    const key = kind === 'some' ? `some ${old.from} ${old.isMet}` : kind;
    const next = known.get(key) ?? encoded(this.#stateAfter(look, kind, old));
    known.set(key, next);
    return next;
  }

  #stateAfter(
    { state, known }: CoverageLook,
    kind: CoverageKind,
    { from, isMet }: { from: number; isMet: boolean },
  ): CoverageState {
    if (kind !== 'some') return kind === 'all' ? state : noCoverage;
    const body = from === 0 ? null : this.#body.get(from);
    const old = body === null ? noCoverage : decodeState(body.body);
    return stateAfter(
      isMet ? this.#withoutAsking(old) : old,
      state,
      (rule) => known.rules.has(rule) || rule > known.newest,
    );
  }

  /** Of a rule that was noted before it was known whether it asks, it may. */
  #withoutAsking(state: CoverageState): CoverageState {
    const asking = new Set(
      this.#asking.all(JSON.stringify([...state].filter((_, at) => at % 2 === 1))).map(({ id }) => id),
    );
    return state.filter((_, at) => !asking.has(state[at % 2 === 1 ? at : at + 1] ?? 0));
  }

  /** Samples of a state that is gone count as not looked at. */
  #keepWithin(space: number, added: number): void {
    while ((this.#bodyBytes.get(space)?.bytes ?? 0) > mostBodyBytes) {
      const smallest = this.#smallest.get(space, added);
      if (smallest === null) return;
      this.#dropState.run(smallest.id);
    }
  }
}

/** Some of the rules. */
export function lookWith({ space, rules, known }: CoverageLook, names: ReadonlySet<string>): CoverageLook {
  return lookOf(space, new Map([...rules].filter(([rule]) => names.has(rule))), known);
}

function lookOf(space: number, rules: CoverageLook['rules'], known: CoverageLook['known']): CoverageLook {
  const numbered = [...rules.values()];
  const state = Int32Array.from(numbered.toSorted((a, b) => a.rule - b.rule).flatMap(({ rule, look }) => [rule, look]));
  return { space, rules, known, state, asksName: numbered.some(({ asksName }) => asksName) };
}

function encoded(state: CoverageState): NextState {
  const body = encodeState(state);
  return { state, body, digest: Buffer.from(hash('sha256', body, 'hex').slice(0, digestDigits), 'hex') };
}

function missing(): never {
  throw new TypeError('a row that was put in is not there');
}

const countRow = z.object({ looks: z.number(), rules: z.number() });

const rowsAStep = 500;
/** Earlier forms of the rules are looked through when they are so many times the rules. */
const formsOfEach = 4;
const fewLooks = 1000;

/** Numbers of spaces that a table has rows of: one step in its index for each. */
const spacesIn = (table: string): string => `SELECT id
  FROM (WITH RECURSIVE each(id) AS (SELECT min(space) FROM ${table} UNION ALL
  SELECT (SELECT min(space) FROM ${table} WHERE space > each.id) FROM each WHERE each.id IS NOT NULL)
  SELECT id FROM each WHERE id IS NOT NULL)`;

/** Removes unused entries of the coverage. Each step takes some milliseconds. */
class CoverageSweep {
  readonly #db: Database;
  readonly #gone;
  readonly #ofSpace;
  readonly #empty;
  readonly #spaces;
  readonly #counts;
  readonly #states;
  readonly #body;
  readonly #looks;
  readonly #dropLooks;

  constructor(db: Database) {
    this.#db = db;
    this.#gone = db.query(
      idRow,
      `SELECT id FROM (${['coverage_sample', 'coverage_state', 'coverage_rule'].map(spacesIn).join(' UNION ')})
        WHERE id NOT IN (SELECT id FROM coverage_space)`,
    );
    this.#ofSpace = [
      `DELETE FROM coverage_sample WHERE space = ?1 AND sample_id IN (SELECT sample_id FROM coverage_sample
        WHERE space = ?1 LIMIT ?2)`,
      'DELETE FROM coverage_state WHERE id IN (SELECT id FROM coverage_state WHERE space = ?1 LIMIT ?2)',
      `DELETE FROM coverage_look WHERE id IN (SELECT look.id FROM coverage_rule AS rule JOIN coverage_look AS look
        ON look.rule_id = rule.id WHERE rule.space = ?1 LIMIT ?2)`,
      'DELETE FROM coverage_rule WHERE id IN (SELECT id FROM coverage_rule WHERE space = ?1 LIMIT ?2)',
    ].map((text) => db.command(text));
    this.#empty = db.command(
      'DELETE FROM coverage_state WHERE id IN (SELECT id FROM coverage_state WHERE samples <= 0 LIMIT ?)',
    );
    this.#spaces = db.query(idRow, 'SELECT id FROM coverage_space');
    this.#counts = db.query(
      countRow,
      `SELECT count(look.id) AS looks, count(DISTINCT rule.id) AS rules
        FROM coverage_rule AS rule JOIN coverage_look AS look ON look.rule_id = rule.id WHERE rule.space = ?`,
    );
    this.#states = db.query(idRow, 'SELECT id FROM coverage_state WHERE space = ?');
    this.#body = db.query(bodyRow, 'SELECT body FROM coverage_body WHERE state = ?');
    this.#looks = db.query(
      idRow,
      `SELECT look.id FROM coverage_rule AS rule JOIN coverage_look AS look ON look.rule_id = rule.id
        WHERE rule.space = ? AND look.id > ? ORDER BY look.id LIMIT ?`,
    );
    this.#dropLooks = db.command('DELETE FROM coverage_look WHERE id IN (SELECT value FROM json_each(?))');
  }

  /**
   * `used`: looks that are about to be recorded. One that goes all the same means nothing: its samples are looked at
   * again.
   */
  *inSteps(used: ReadonlySet<number>): Generator<void, void, undefined> {
    for (const { id } of this.#gone.all())
      for (const drop of this.#ofSpace) yield* this.#untilNone(drop, id, rowsAStep);
    yield* this.#untilNone(this.#empty, rowsAStep);
    for (const { id } of this.#spaces.all()) yield* this.#earlierForms(id, used);
  }

  *#untilNone(drop: Command, ...parameters: number[]): Generator<void, void, undefined> {
    while (this.#db.transaction(() => drop.run(...parameters).changes, 'soon') === rowsAStep) yield;
  }

  /** Of rules, that no state of a sample has any more. */
  *#earlierForms(space: number, used: ReadonlySet<number>): Generator<void, void, undefined> {
    const { looks, rules } = this.#counts.get(space) ?? { looks: 0, rules: 0 };
    if (looks <= formsOfEach * rules + fewLooks) return;
    const live = new Set(used);
    for (const { id } of this.#states.all(space)) {
      const state = decodeState(this.#body.get(id)?.body ?? new Uint8Array());
      for (let at = 1; at < state.length; at += 2) live.add(state[at] ?? 0);
      yield;
    }
    for (
      let page = this.#looks.all(space, 0, rowsAStep);
      page.length > 0;
      page = this.#looks.all(space, page.at(-1)?.id ?? 0, rowsAStep)
    ) {
      const dead = page.filter(({ id }) => !live.has(id)).map(({ id }) => id);
      this.#db.transaction(() => this.#dropLooks.run(JSON.stringify(dead)), 'soon');
      yield;
    }
  }
}
