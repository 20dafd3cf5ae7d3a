import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { HuntShare } from '../../../shared/domain/scan.ts';
import { eachRow, idsOf, rowsOf } from '../database/statement.ts';
import { isInVault } from '../library/sample-table.ts';
import { decodeState } from './coverage-state.ts';
import type { CoverageRule } from './scan-coverage.ts';

/** A set of the rules of a package, by their places in it: a bit each. */
type RuleBits = Uint32Array;

export const bitsFor = (rules: number): RuleBits => new Uint32Array(Math.ceil(rules / 32));

export function setBit(bits: RuleBits, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
}

function clearBit(bits: RuleBits, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) & ~(1 << (place & 31));
}

export function countBits(bits: RuleBits): number {
  let count = 0;
  for (const word of bits) if (word !== 0) count += bitsOfWord(word);
  return count;
}

/** Bits of pairs, of fours and of bytes, added up beside each other. */
function bitsOfWord(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function placesIn(bits: RuleBits): number[] {
  const places: number[] = [];
  for (const [index, word] of bits.entries())
    for (let bit = 0; bit < 32; bit += 1) if ((word & (1 << bit)) !== 0) places.push(32 * index + bit);
  return places;
}

/** Samples that a hunt looks at with the same rules. `states`: of the coverage. */
export interface HuntGroup {
  rules: RuleBits;
  samples: number;
  bytes: number;
  states: number[];
}

const mostPasses = 8;

/**
 * In units of what one rule takes of one small file: reading and scanning a file at all is as much as 500 rules, a rule
 * is compiled in the time of 1,500 files, and a pass takes a moment to begin.
 */
const costOf = (rules: number, samples: number): number => samples * (rules + 500) + 1500 * rules + 1_000_000;

/**
 * Few passes in which every group is looked at with all of its rules. Two groups share a pass, with the rules of both,
 * only where that takes no longer than a pass for each: five new rules for a whole vault and all rules for three new
 * samples stay apart.
 */
export function huntPasses(groups: readonly HuntGroup[]): HuntGroup[] {
  const passes: HuntGroup[] = [];
  const costs = new Map(groups.map((group) => [group, costOfGroup(group)]));
  for (const group of groups.toSorted((a, b) => (costs.get(b) ?? 0) - (costs.get(a) ?? 0))) {
    const best = cheapest(passes, group);
    if (best === null || (best.increase > costOfGroup(group) && passes.length < mostPasses))
      passes.push({ ...group, states: [...group.states] });
    else passes[best.index] = joined(passes[best.index] ?? group, group);
  }
  return passes;
}

const costOfGroup = ({ rules, samples }: HuntGroup): number => costOf(countBits(rules), samples);

function cheapest(passes: readonly HuntGroup[], group: HuntGroup): { index: number; increase: number } | null {
  let best: { index: number; increase: number } | null = null;
  for (const [index, pass] of passes.entries()) {
    const increase =
      costOf(countBits(pass.rules.map((word, at) => word | (group.rules[at] ?? 0))), pass.samples + group.samples) -
      costOfGroup(pass);
    if (best === null || increase < best.increase) best = { index, increase };
  }
  return best;
}

function joined(pass: HuntGroup, group: HuntGroup): HuntGroup {
  return {
    rules: pass.rules.map((word, at) => word | (group.rules[at] ?? 0)),
    samples: pass.samples + group.samples,
    bytes: pass.bytes + group.bytes,
    states: [...pass.states, ...group.states],
  };
}

export interface CoverageRequest {
  workspaceId: string;
  /** All that can hit, of the package that is asked about. */
  rules: readonly CoverageRule[];
  /** Those that scan now: what another one looked at counts as looked at with an older one. */
  engines: readonly string[];
  /**
   * Of which pairs of a rule and a sample there are to be passes: those not looked at, or those that an older engine
   * looked at.
   */
  passes: 'unseen' | 'older' | 'none';
  /** Whether the samples themselves are wanted. */
  withSamples: boolean;
}

/**
 * One pass of a hunt. `rules`: places in those of the request; `samples`: numbers of the library, rising, where they
 * were wanted.
 */
export interface CoveragePass {
  rules: number[];
  files: number;
  bytes: number;
  samples: Int32Array;
}

export interface CoverageAnswer {
  /** Whether anything was ever noted for the workspace. */
  isKnown: boolean;
  unseen: HuntShare;
  older: HuntShare;
  passes: CoveragePass[];
  /** Rules of which local hits are kept, and that are none of the request's. */
  gone: string[];
  /** Samples with such hits, where they were wanted. */
  goneSamples: Int32Array;
}

const idRow = z.object({ id: z.number() });
const lookRow = z.object({ id: z.number(), rule: z.string(), print: z.string(), engine: z.string() });
/** `state`: twice its number, and one more where a name is left that it was not looked at under. */
const stateRow = z.object({ state: z.number(), samples: z.number(), bytes: z.number() });
const bodyRow = z.object({ body: z.instanceof(Uint8Array) });
const goneRow = z.object({ id: z.number(), rule: z.string() });

/** Samples of the vault with their states. There may be none by that number any more. */
const seenSamples = `FROM sample INDEXED BY sample_in_vault LEFT JOIN coverage_sample AS seen ON seen.space = :space
  AND seen.sample_id = sample.id WHERE ${isInVault} AND sample.sha256 IS NOT NULL`;

const stateOfSample = '2 * ifnull(seen.state, 0) + ifnull(seen.names_left, 0)';

/** How much of the rules and the samples of the vault have not met, and how a hunt would go through that. */
export function readCoverage(sql: DatabaseSync, request: CoverageRequest): CoverageAnswer {
  const { workspaceId, rules, passes: wanted, withSamples } = request;
  const space =
    rowsOf(sql, idRow, 'SELECT id FROM coverage_space WHERE workspace_id = :workspaceId', { workspaceId })[0]?.id ?? 0;
  const looks = looksOf(sql, space, request);
  const [unseen, older] = [new Tally(rules.length), new Tally(rules.length)];
  const text = `SELECT ${stateOfSample} AS state, count(*) AS samples, total(sample.size_bytes) AS bytes ${seenSamples}
    GROUP BY 1`;
  for (const { state, ...sizes } of rowsOf(sql, stateRow, text, { space })) {
    const { missing, old } = bitsOf(sql, state, { looks, rules });
    unseen.add(missing, state, sizes);
    older.add(old, state, sizes);
  }
  const groups = wanted === 'none' ? [] : (wanted === 'unseen' ? unseen : older).groups;
  const gone = goneRules(sql, request);
  return {
    isKnown: space !== 0,
    unseen: unseen.share,
    older: older.share,
    passes: huntPasses(groups).map((group) => passOf(sql, group, { space, withSamples })),
    gone: gone.map(({ rule }) => rule),
    goneSamples: withSamples
      ? samplesWith(
          sql,
          workspaceId,
          gone.map(({ id }) => id),
        )
      : new Int32Array(),
  };
}

interface Looks {
  /** The place of a rule by a look that is of what the rule does. */
  current: ReadonlyMap<number, number>;
  older: ReadonlyMap<number, number>;
}

function looksOf(sql: DatabaseSync, space: number, { rules, engines }: CoverageRequest): Looks {
  const places = new Map(rules.map(({ rule, print }, place) => [rule, { print, place }]));
  const [current, older] = [new Map<number, number>(), new Map<number, number>()];
  const text = `SELECT look.id, rule, lower(hex(print)) AS print, engine
    FROM coverage_rule AS rule JOIN coverage_look AS look ON look.rule_id = rule.id WHERE rule.space = :space`;
  for (const { id, rule, print, engine } of eachRow(sql, lookRow, text, { space })) {
    const known = places.get(rule);
    if (known?.print === print) (engines.includes(engine) ? current : older).set(id, known.place);
  }
  return { current, older };
}

function bitsOf(
  sql: DatabaseSync,
  state: number,
  { looks: { current, older }, rules }: { looks: Looks; rules: readonly CoverageRule[] },
): { missing: RuleBits; old: RuleBits } {
  const [missing, old] = [bitsFor(rules.length), bitsFor(rules.length)];
  for (let place = 0; place < rules.length; place += 1) setBit(missing, place);
  const [row] =
    state < 2
      ? []
      : rowsOf(sql, bodyRow, 'SELECT body FROM coverage_body WHERE state = :state', { state: Math.floor(state / 2) });
  if (row === undefined) return { missing, old };
  const looks = decodeState(row.body);
  for (let at = 1; at < looks.length; at += 2) {
    const look = looks[at] ?? 0;
    const place = current.get(look) ?? older.get(look);
    if (place === undefined || (state % 2 === 1 && rules[place]?.asksName === true)) continue;
    clearBit(missing, place);
    if (!current.has(look)) setBit(old, place);
  }
  return { missing, old };
}

/** Pairs of a rule and a sample. */
class Tally {
  readonly #groups = new Map<string, HuntGroup>();
  readonly #all: RuleBits;
  #samples = 0;
  #pairs = 0;

  constructor(rules: number) {
    this.#all = bitsFor(rules);
  }

  get groups(): HuntGroup[] {
    return [...this.#groups.values()];
  }

  get share(): HuntShare {
    return { rules: countBits(this.#all), samples: this.#samples, pairs: this.#pairs };
  }

  add(rules: RuleBits, state: number, { samples, bytes }: { samples: number; bytes: number }): void {
    const count = countBits(rules);
    if (count === 0) return;
    this.#samples += samples;
    this.#pairs += count * samples;
    for (const [at, word] of rules.entries()) this.#all[at] = (this.#all[at] ?? 0) | word;
    const key = Buffer.from(rules.buffer).toString('latin1');
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, { rules, samples, bytes, states: [state] });
    else {
      group.samples += samples;
      group.bytes += bytes;
      group.states.push(state);
    }
  }
}

function passOf(
  sql: DatabaseSync,
  { rules, samples, bytes, states }: HuntGroup,
  { space, withSamples }: { space: number; withSamples: boolean },
): CoveragePass {
  const text = `SELECT sample.id AS id ${seenSamples} AND ${stateOfSample} IN (SELECT value FROM json_each(:states))
    ORDER BY sample.id`;
  const found = withSamples
    ? Int32Array.from(idsOf(sql, text, { space, states: JSON.stringify(states) }))
    : new Int32Array();
  return { rules: placesIn(rules), files: samples, bytes, samples: found };
}

function goneRules(sql: DatabaseSync, { workspaceId, rules }: CoverageRequest): z.infer<typeof goneRow>[] {
  const names = new Set(rules.map(({ rule }) => rule));
  const others = rowsOf(sql, goneRow, 'SELECT id, rule FROM hit_rule WHERE workspace_id = :workspaceId ORDER BY rule', {
    workspaceId,
  }).filter(({ rule }) => !names.has(rule));
  if (others.length === 0) return [];
  const text = `SELECT DISTINCT rule_id AS id FROM sample_hit WHERE side = 'local'
      AND rule_id IN (SELECT value FROM json_each(:ids))`;
  const hit = new Set(
    rowsOf(sql, idRow, text, { ids: JSON.stringify(others.map(({ id }) => id)) }).map(({ id }) => id),
  );
  return others.filter(({ id }) => hit.has(id));
}

function samplesWith(sql: DatabaseSync, workspaceId: string, rules: readonly number[]): Int32Array {
  if (rules.length === 0) return new Int32Array();
  const text = `SELECT DISTINCT sample.id AS id FROM hit_sample JOIN sample_hit ON sample_hit.sample_id = hit_sample.id
    AND side = 'local' JOIN sample ON sample.sha256 = hit_sample.sha256
    WHERE hit_sample.workspace_id = :workspaceId AND rule_id IN (SELECT value FROM json_each(:rules))
      ORDER BY sample.id`;
  return Int32Array.from(idsOf(sql, text, { workspaceId, rules: JSON.stringify(rules) }));
}
