import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hashes } from '../../../shared/domain/hash.ts';
import type { ItemState, JobItem } from '../../../shared/domain/job.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import type { JobWork } from '../../jobs/job-runner.ts';
import { engineVersions } from '../../rules/engine/scan-engine.ts';
import { mostFound } from '../../rules/scanning/scan-verdict.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import {
  type CoverageKind,
  type CoverageLook,
  lookWith,
  type ScanCoverage,
} from '../../storage/scans/scan-coverage.ts';
import type { ScanNote, ScanStore, StoredResult } from '../../storage/scans/scan-store.ts';
import { namesKnownOf } from './file-scanner.ts';
import type { RulesPort } from './local-scanner.ts';

export interface ScanRecorderOptions {
  store: ScanStore;
  coverage: ScanCoverage;
  library: LibraryStore;
  rules: RulesPort;
  work: JobWork;
  workspaceId: string;
  /** Something is new to be shown. */
  reported(): void;
}

/** What came of one file. */
export interface ScannedItem {
  item: JobItem;
  sizeBytes: number | null;
  results: readonly StoredResult[];
  state: Exclude<ItemState, 'waiting'>;
  failure: Failure | null;
  /**
   * Rules that a hit kept from before is not one of any more, where they do not find it now; `all` where that is the
   * whole package.
   */
  rules: ScanNote['rulesLookedWith'];
  /** Those, and rules that looked without knowing all they ask for: they have seen the sample as well as they can. */
  looked: ScanNote['rulesLookedWith'];
  /** What it was looked at under; null: no rule asks, or nothing looked. */
  names: readonly string[] | null;
  /** Computed from the bytes; null where they are not available. */
  hashes: Hashes | null;
}

/**
 * What is written before the thread is free again: some milliseconds' worth. A file with hits costs as much as some
 * without.
 */
const mostWeight = 64;
const weightOf = ({ results }: ScannedItem): number =>
  1 + results.reduce((sum, { hits }) => sum + (hits.length === 0 ? 0 : 6 + hits.length / 4), 0);
const rulesATurn = 250;

function* partsOf(scanned: readonly ScannedItem[]): Generator<ScannedItem[], void, void> {
  let part: ScannedItem[] = [];
  let weight = 0;
  for (const one of scanned) {
    if (part.length > 0 && weight + weightOf(one) > mostWeight) {
      yield part;
      part = [];
      weight = 0;
    }
    part.push(one);
    weight += weightOf(one);
  }
  if (part.length > 0) yield part;
}

interface LookedAt {
  look: CoverageLook;
  kind: CoverageKind;
  samples: { sha256: string; names: ScannedItem['names'] }[];
}

/**
 * A file with more hits than are kept, and one that a global rule was not there for, have hits that are not those of
 * the rules.
 */
function kindOf({ withoutGlobal, isCut, hits }: StoredResult, rules: ScannedItem['rules']): CoverageKind {
  if (withoutGlobal.length > 0 || (isCut && hits.length >= mostFound.rules)) return 'unsure';
  return rules === 'all' ? 'all' : 'some';
}

/** Where results become durable: results, hits, items, library and journal in one transaction. */
export class ScanRecorder {
  readonly #options: ScanRecorderOptions;
  /** Of the package that is scanned with; null: no rule of it can be named. */
  readonly #sha256: string | null;
  readonly #looks = new Map<string, CoverageLook>();
  /** Sets of rules that were looked with, numbered as they came: they get smaller, and are no others. */
  readonly #sets = new Map<ScannedItem['rules'], number>();
  /** All rules of the package, before the first result is there. */
  #ahead: { engine: LocalEngine; look: Promise<CoverageLook> } | null = null;

  constructor(options: ScanRecorderOptions, sha256: string | null) {
    this.#options = options;
    this.#sha256 = sha256;
  }

  /** What the first result of an engine needs is made while rules are compiled. */
  prepare(engine: LocalEngine): void {
    if (this.#sha256 === null) return;
    const look = this.#number(engine, this.#sha256);
    // The caller that records the first result gets it again.
    look.catch(() => undefined);
    this.#ahead = { engine, look };
  }

  /**
   * In parts between which the thread is free. `journalled`: each file has a row of its own in the journal. `also` is
   * stored with each part or not at all.
   */
  async settle(
    scanned: readonly ScannedItem[],
    { journalled, also }: { journalled: boolean; also?: () => void },
  ): Promise<void> {
    for (const part of partsOf(scanned)) {
      await this.#nameRules(part);
      const looked = await this.#lookedAt(part);
      this.#options.store.together(() => {
        this.#record(part, journalled);
        for (const one of looked) this.#cover(one);
        also?.();
      });
      this.#options.reported();
      await nextTurn();
    }
  }

  #record(scanned: readonly ScannedItem[], journalled: boolean): void {
    const { store, library, work } = this.#options;
    store.record(
      work.id,
      scanned.flatMap((one) =>
        one.results.map((result): ScanNote => ({
          position: one.item.position,
          sha256: one.item.hash,
          result,
          rulesLookedWith: result.side === 'local' ? one.rules : 'all',
        })),
      ),
    );
    work.settle(
      scanned.map(({ item, state, failure, sizeBytes }) => ({
        position: item.position,
        state,
        failure,
        sizeBytes: sizeBytes === item.sizeBytes ? null : sizeBytes,
      })),
    );
    if (journalled) library.recordScans(scanned.map((one) => this.#noteOf(one)));
  }

  /** A name may have come while the sample was looked at. */
  #cover({ look, kind, samples }: LookedAt): void {
    const { coverage, store } = this.#options;
    const hasNamesLeft = ({ sha256, names }: LookedAt['samples'][number]): boolean =>
      look.asksName && names !== null && namesKnownOf(store, sha256).some((name) => !names.includes(name));
    for (const [namesLeft, alike] of Map.groupBy(samples, hasNamesLeft))
      coverage.record(
        look,
        kind,
        alike.map(({ sha256 }) => sha256),
        namesLeft,
      );
  }

  /** Of what was scanned here: with which rules, and what that makes of the hits that are kept of the samples. */
  async #lookedAt(scanned: readonly ScannedItem[]): Promise<LookedAt[]> {
    const looked = scanned.flatMap(({ item, results, looked: rules, names }) =>
      results.flatMap((result) =>
        result.side === 'local' && result.state === 'scanned' && result.engine !== null
          ? [{ engine: result.engine, rules, kind: kindOf(result, rules), sample: { sha256: item.hash, names } }]
          : [],
      ),
    );
    const groups: LookedAt[] = [];
    for (const [key, alike] of Map.groupBy(
      looked,
      ({ engine, rules, kind }) => `${engine} ${kind} ${this.#nameOf(rules)}`,
    )) {
      const [first] = alike;
      if (first === undefined) continue;
      const look = this.#looks.get(key) ?? (await this.#lookOf(first));
      this.#looks.set(key, look);
      groups.push({ look, kind: first.kind, samples: alike.map(({ sample }) => sample) });
    }
    return groups;
  }

  #nameOf(rules: ScannedItem['rules']): string {
    const number = this.#sets.get(rules) ?? this.#sets.size;
    this.#sets.set(rules, number);
    return rules === 'all' ? rules : `${number} ${rules.size}`;
  }

  async #lookOf({ engine, rules }: { engine: LocalEngine; rules: ScannedItem['rules'] }): Promise<CoverageLook> {
    const ahead = this.#ahead;
    this.#ahead = null;
    const look = await (ahead?.engine === engine
      ? ahead.look
      : this.#number(engine, this.#sha256 ?? fail({ kind: 'no-package' })));
    return rules === 'all' ? look : lookWith(look, rules);
  }

  /** All rules of the package. */
  async #number(engine: LocalEngine, sha256: string): Promise<CoverageLook> {
    const { workspaceId, coverage, rules } = this.#options;
    const steps = coverage.prepareInSteps(workspaceId, {
      key: sha256,
      engine: engineVersions[engine],
      rules: await rules.fingerprints(workspaceId, sha256),
    });
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      await nextTurn();
    }
  }

  /** The metadata of a local rule is read once a job. */
  async #nameRules(scanned: readonly ScannedItem[]): Promise<void> {
    const { store, work } = this.#options;
    if (this.#sha256 === null) return;
    const hit = [
      ...new Set(
        scanned.flatMap(({ results }) =>
          results.flatMap(({ side, hits }) => (side === 'local' ? hits.map(({ rule }) => rule) : [])),
        ),
      ),
    ];
    for (let at = 0; at < hit.length; at += rulesATurn) {
      const unnamed = store.newRules(work.id, hit.slice(at, at + rulesATurn));
      if (unnamed.length > 0) await this.#nameThese(this.#sha256, unnamed);
      await nextTurn();
    }
  }

  async #nameThese(sha256: string, names: string[]): Promise<void> {
    const { store, rules, work, workspaceId } = this.#options;
    const facts = await rules.facts(workspaceId, sha256, names);
    store.addRules(
      work.id,
      facts.flatMap((fact) => {
        if (fact === null) return [];
        const { name: rule, tags, meta, family, number, file, line } = fact;
        return [{ rule, tags, meta, family, place: { number, file, line } }];
      }),
    );
  }

  #noteOf({
    item,
    results,
    state,
    failure,
    sizeBytes,
    hashes,
  }: ScannedItem): Parameters<LibraryStore['recordScans']>[0][number] {
    const { work, workspaceId } = this.#options;
    const sides = results.map(
      ({ side, engine, state: came, hits }) =>
        [side, `${engine ?? 'rule editor'}, ${came}, ${hits.length} hits`] as const,
    );
    return {
      workspaceId,
      sha256: item.hash,
      hashes,
      sizeBytes,
      outcome: failure?.kind ?? state,
      detail: { job: work.id, ...Object.fromEntries(sides) },
    };
  }
}
