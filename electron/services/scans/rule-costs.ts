import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { type CostMeasurement, type RuleCost, slowestRules } from '../../../shared/domain/publication.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { type Failure, fail, FailureError } from '../../../shared/failure.ts';
import type { EventHub } from '../../event-hub.ts';
import type { RulePieces } from '../../rules/rule-library.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { PackageStore } from '../../storage/package-store.ts';
import type { RuleCostStore } from '../../storage/rule-cost-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { WorkspaceNews } from '../../workspace-news.ts';
import { requireEngine } from './engine-choice.ts';
import { type LocalScannerOptions, type LocalScanRequest, openLocalScanner } from './local-scanner.ts';
import type { RulesPort } from './rules-port.ts';

export interface RuleCostsOptions extends LocalScannerOptions {
  rules: Pick<RulesPort, 'pieces' | 'fingerprints'>;
  packages: Pick<PackageStore, 'options' | 'pointers' | 'get'>;
  costs: RuleCostStore;
  vault: Pick<Vault, 'sourceOf' | 'unreadable'>;
  library: Pick<LibraryStore, 'vaultPage'>;
  events: EventHub;
  /** @returns the failure under whose id the log has it */
  logDefect(error: unknown): Failure;
}

export interface EndedHunt {
  workspaceId: string;
  sha256: string;
  /** Samples that it looked at. */
  samples: number;
  tookMs: number;
}

interface Sample {
  sha256: string;
  name: string | null;
  sizeBytes: number;
}

/** `names`: what is measured; `prints`: under which it is stored. */
interface Subject {
  pieces: RulePieces;
  variables: LocalScanRequest['variables'];
  prints: ReadonlyMap<string, string>;
  samples: readonly Sample[];
}

interface Group {
  names: readonly string[];
  cost: RuleCost;
}

interface Measuring {
  state: CostMeasurement;
  abort: AbortController;
  over: Promise<void>;
}

const samplesAtMost = 20;
const samplesAPage = 200;
/** A rule that is measured by itself, and the rules of a package: these are many. */
const bytesForOne = 16 * 1024 * 1024;
const bytesForAll = 4 * 1024 * 1024;
const roundsForOne = 3;
const roundsForGroup = 2;

/** The rules of a package are measured in so many groups first, and a slow group in so many parts. */
const groupsAtFirst = 24;
const partsOfGroup = 4;
/** A group that costs less in all has no slow rule. In milliseconds for each MB. */
const leastCost = 0.02;
const mostLeftOut = 100;
const printsARead = 1000;

/** After a hunt this share of its time may be used, unless that is too little to find out anything. */
const shareOfHunt = 0.1;
const leastHuntSamples = 50;
const leastHuntMs = 2000;

const nothingToFind: RulePieces = { imports: [], rules: [{ name: 'nothing', text: 'rule nothing { condition: false }', uses: [], isGlobal: false, isPrivate: false }] };

/** Nobody is shown a job. */
const nothingToSay = (): void => undefined;

/** This rule keeps the engine from scanning, or it does not compile without the others. */
class LeftOutError extends Error {
  readonly rule: string | null;

  constructor(rule: string | null) {
    super('a rule of the group cannot be measured');
    this.rule = rule;
  }
}

/**
 * Measures what rules cost over the first samples of the vault, and stores it under the fingerprints of the rules. One measurement scans at a time:
 * two at once would measure each other.
 */
export class RuleCosts {
  readonly #options: RuleCostsOptions;
  readonly #news: WorkspaceNews;
  readonly #measuring = new Map<string, Measuring>();
  readonly #afterHunts = new Set<Promise<void>>();
  readonly #end = new AbortController();
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(options: RuleCostsOptions) {
    this.#options = options;
    this.#news = new WorkspaceNews((workspaceId) => options.events.emit({ name: 'ruleCosts.changed', payload: { workspaceId, isRunning: this.state(workspaceId)?.state === 'running' } }));
  }

  /** One rule by itself. @throws FailureError `rule-missing`, `vault-empty`, and what an engine or a sample fails with */
  async one(workspaceId: string, sha256: string, key: string): Promise<RuleCost> {
    const subject = await this.#subjectOf(workspaceId, sha256, bytesForOne);
    const print = subject.prints.get(key);
    if (!subject.pieces.rules.some(({ name }) => name === key)) fail({ kind: 'rule-missing', name: key });
    try {
      const baseline = await this.#baseline(subject, this.#end.signal);
      const cost = await this.#costOf(subject, [key], baseline, this.#end.signal);
      if (print !== undefined) this.#options.costs.record([print], cost);
      this.#news.changed(workspaceId);
      return cost;
    } catch (error) {
      if (error instanceof LeftOutError) fail({ kind: 'scan-rule-left-out', rule: error.rule ?? key, reason: 'endless' });
      throw error;
    }
  }

  /** null: nothing was measured since the program started. */
  state(workspaceId: string): CostMeasurement | null {
    return this.#measuring.get(workspaceId)?.state ?? null;
  }

  /** All rules of the active package. @throws FailureError `check-busy`, `no-package`, `no-rules`, `vault-empty` */
  async start(workspaceId: string): Promise<CostMeasurement> {
    const { packages } = this.#options;
    const sha256 = packages.pointers(workspaceId).active ?? fail({ kind: 'no-package' });
    if (this.state(workspaceId)?.state === 'running') fail({ kind: 'check-busy' });
    const subject = await this.#subjectOf(workspaceId, sha256, bytesForAll);
    if (subject.prints.size === 0) fail({ kind: 'no-rules' });
    if (this.state(workspaceId)?.state === 'running') fail({ kind: 'check-busy' });
    return this.#begin(workspaceId, sha256, { subject, names: [...subject.prints.keys()], mostMs: null });
  }

  cancel(workspaceId: string): void {
    this.#measuring.get(workspaceId)?.abort.abort();
  }

  /** A scan begins: what nobody asked for makes room. */
  interrupt(): void {
    for (const { state, abort } of this.#measuring.values()) if (state.isAfterHunt) abort.abort();
  }

  /** Rules of the package that have no cost yet, in the tenth of the time that the hunt took. Resolves when it is over; never rejects. */
  afterHunt(hunt: EndedHunt): Promise<void> {
    const over = this.#afterHunt(hunt).finally(() => this.#afterHunts.delete(over));
    this.#afterHunts.add(over);
    return over;
  }

  async #afterHunt({ workspaceId, sha256, samples, tookMs }: EndedHunt): Promise<void> {
    const mostMs = tookMs * shareOfHunt;
    if (samples < leastHuntSamples || mostMs < leastHuntMs || this.state(workspaceId)?.state === 'running') return;
    try {
      const subject = await this.#subjectOf(workspaceId, sha256, bytesForAll);
      const names = await this.#unmeasured(subject);
      if (names.length === 0 || this.#end.signal.aborted || this.state(workspaceId)?.state === 'running') return;
      this.#begin(workspaceId, sha256, { subject, names, mostMs });
      await this.#measuring.get(workspaceId)?.over;
    } catch (error) {
      // Nobody asked for it: a package that is gone by now, or a vault without samples.
      if (!(error instanceof FailureError)) this.#options.logDefect(error);
    }
  }

  async close(): Promise<void> {
    this.#end.abort();
    for (const { abort } of this.#measuring.values()) abort.abort();
    await Promise.all([...this.#afterHunts, ...[...this.#measuring.values()].map(({ over }) => over)]);
    await this.#lastTurn;
    this.#news.close();
  }

  async #subjectOf(workspaceId: string, sha256: string, mostBytes: number): Promise<Subject> {
    const { rules, packages } = this.#options;
    const pieces = await rules.pieces(workspaceId, sha256);
    const prints = new Map((await rules.fingerprints(workspaceId, sha256)).map(({ rule, print }) => [rule, print]));
    const samples = this.#samples(mostBytes);
    if (samples.length === 0) fail({ kind: 'vault-empty' });
    return { pieces, variables: packages.options(workspaceId).variables, prints, samples };
  }

  /** Of the first page of the vault, in order, as many as have room. */
  #samples(mostBytes: number): Sample[] {
    const chosen: Sample[] = [];
    let bytes = 0;
    for (const sample of this.#options.library.vaultPage(0, samplesAPage)) {
      if (sample.sizeBytes === 0 || bytes + sample.sizeBytes > mostBytes) continue;
      chosen.push(sample);
      bytes += sample.sizeBytes;
      if (chosen.length === samplesAtMost) break;
    }
    return chosen;
  }

  async #unmeasured({ prints }: Subject): Promise<string[]> {
    const engine = await requireEngine(this.#options.native, this.#options.settings().scanEngine);
    const all = [...prints];
    const names: string[] = [];
    for (let at = 0; at < all.length; at += printsARead) {
      const some = all.slice(at, at + printsARead);
      const known = this.#options.costs.of(some.map(([, print]) => print), engine);
      names.push(...some.flatMap(([name, print]) => (known.has(print) ? [] : [name])));
      await nextTurn();
    }
    return names;
  }

  #begin(workspaceId: string, sha256: string, { subject, names, mostMs }: { subject: Subject; names: readonly string[]; mostMs: number | null }): CostMeasurement {
    const version = this.#options.packages.get(workspaceId, sha256)?.version ?? fail({ kind: 'package-missing', sha256 });
    const state: CostMeasurement = { workspaceId, sha256, version, state: 'running', failure: null, isAfterHunt: mostMs !== null, rules: names.length, done: 0, alone: 0, leftOut: [], ended: null };
    const measuring: Measuring = { state, abort: new AbortController(), over: Promise.resolve() };
    this.#measuring.set(workspaceId, measuring);
    measuring.over = this.#run(measuring, subject, names, mostMs);
    this.#news.changed(workspaceId);
    return state;
  }

  /** Never rejects. */
  async #run(measuring: Measuring, subject: Subject, names: readonly string[], mostMs: number | null): Promise<void> {
    const { abort } = measuring;
    const timeout = mostMs === null ? null : AbortSignal.timeout(mostMs);
    const signal = timeout === null ? abort.signal : AbortSignal.any([abort.signal, timeout]);
    const ended = currentInstant;
    try {
      await this.#measure(measuring, subject, names, signal);
      this.#change(measuring, { state: 'done', ended: ended() });
    } catch (error) {
      if (abort.signal.aborted) this.#change(measuring, { state: 'cancelled', ended: ended() });
      else if (timeout?.aborted === true) this.#change(measuring, { state: 'time-out', ended: ended() });
      else this.#change(measuring, { state: 'failed', failure: error instanceof FailureError ? error.failure : this.#options.logDefect(error), ended: ended() });
    }
  }

  /**
   * In groups, the costliest of which is divided until the slowest rules are alone. A group costs at least as much as any of its rules, so no rule
   * of the other groups is slower.
   */
  async #measure(measuring: Measuring, subject: Subject, names: readonly string[], signal: AbortSignal): Promise<void> {
    const baseline = await this.#baseline(subject, signal);
    const groups = new Set<Group>();
    try {
      for (const part of partsOf(names, groupsAtFirst)) {
        for (const group of await this.#groupsOf(measuring, subject, part, baseline, signal)) groups.add(group);
        this.#count(measuring, groups);
      }
      for (let next = divisible(groups); next !== null; next = divisible(groups)) {
        const parts: Group[] = [];
        for (const part of partsOf(next.names, partsOfGroup)) parts.push(...await this.#groupsOf(measuring, subject, part, baseline, signal));
        groups.delete(next);
        for (const part of parts) groups.add(part);
        this.#count(measuring, groups);
      }
    } finally {
      this.#store(subject, groups);
    }
  }

  /** One group, unless some of its rules cannot be measured: those are left out. */
  async #groupsOf(measuring: Measuring, subject: Subject, names: readonly string[], baseline: number, signal: AbortSignal): Promise<Group[]> {
    if (names.length === 0) return [];
    try {
      const cost = await this.#costOf(subject, names, baseline, signal);
      if (names.length === 1) this.#store(subject, [{ names, cost }]);
      return [{ names, cost }];
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof LeftOutError)) throw error;
      const { rule } = error;
      const rest = rule === null ? names : names.filter((name) => name !== rule);
      const isOut = names.length === 1 || rest.length < names.length;
      const { leftOut } = measuring.state;
      if (isOut && leftOut.length < mostLeftOut) this.#change(measuring, { leftOut: [...leftOut, rule ?? names[0] ?? ''] });
      if (names.length === 1) return [];
      const parts: Group[] = [];
      // A helper stops the engine, or nobody knows which rule does: the half without it can be measured.
      for (const part of isOut ? [rest] : partsOf(names, 2)) parts.push(...await this.#groupsOf(measuring, subject, part, baseline, signal));
      return parts;
    }
  }

  #count(measuring: Measuring, groups: Iterable<Group>): void {
    const sizes = Array.from(groups, ({ names }) => names.length);
    this.#change(measuring, { done: sizes.reduce((sum, size) => sum + size, 0), alone: sizes.filter((size) => size === 1).length });
  }

  #store({ prints }: Subject, groups: Iterable<Group>): void {
    for (const { names, cost } of groups) this.#options.costs.record(names.flatMap((name) => prints.get(name) ?? []), cost);
  }

  #change(measuring: Measuring, change: Partial<CostMeasurement>): void {
    measuring.state = { ...measuring.state, ...change };
    this.#news.changed(measuring.state.workspaceId);
  }

  /** Milliseconds that the samples take with a rule that decides nothing. */
  async #baseline({ variables, samples }: Subject, signal: AbortSignal): Promise<number> {
    const { ms } = await this.#timed({ pieces: nothingToFind, variables, names: new Set(['nothing']) }, samples, { rounds: roundsForOne, signal });
    return ms;
  }

  async #costOf({ pieces, variables, samples }: Subject, names: readonly string[], baseline: number, signal: AbortSignal): Promise<RuleCost> {
    const { ms, engine } = await this.#timed({ pieces, variables, names: new Set(names) }, samples, { rounds: names.length === 1 ? roundsForOne : roundsForGroup, signal });
    const bytes = samples.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return { msPerMegabyte: Math.max(0, ms - baseline) / (bytes / 1_000_000), together: names.length, samples: samples.length, bytes, engine, measured: currentInstant() };
  }

  #timed(program: Pick<LocalScanRequest, 'pieces' | 'names' | 'variables'>, samples: readonly Sample[], how: { rounds: number; signal: AbortSignal }): Promise<{ ms: number; engine: LocalEngine }> {
    const measured = this.#lastTurn.then(() => this.#timesOf(program, samples, how));
    this.#lastTurn = measured.then(nothingToSay, nothingToSay);
    return measured;
  }

  /** The shortest time of each sample, in all. @throws LeftOutError */
  async #timesOf(program: Pick<LocalScanRequest, 'pieces' | 'names' | 'variables'>, samples: readonly Sample[], { rounds, signal }: { rounds: number; signal: AbortSignal }): Promise<{ ms: number; engine: LocalEngine }> {
    signal.throwIfAborted();
    const faults: Failure[] = [];
    const { session, engine } = await this.#opened({ ...program, signal, files: 1, isTimed: true, step: nothingToSay, notice: (failure) => faults.push(failure) });
    try {
      let ms = 0;
      for (const { sha256, name, sizeBytes } of samples) {
        let shortest = Infinity;
        for (let round = 0; round < rounds; round += 1) {
          const verdict = await session.scan({ name: name ?? sha256, sizeBytes, source: { kind: 'vault', source: this.#options.vault.sourceOf(sha256) } });
          const [fault] = faults;
          if (fault !== undefined) throw new LeftOutError(fault.kind === 'scan-rule-left-out' ? fault.rule : null);
          if (verdict.kind === 'failed') throw verdict.failure.kind === 'cancelled' ? new FailureError(verdict.failure) : new LeftOutError(null);
          if (verdict.kind === 'unreadable') fail(this.#options.vault.unreadable(sha256, verdict.reason));
          shortest = Math.min(shortest, verdict.elapsedMs);
        }
        ms += shortest;
      }
      return { ms, engine };
    } finally {
      await session.close();
    }
  }

  /** Rules that only the other engine takes are not measured with it: nobody could compare them. */
  async #opened(request: LocalScanRequest): ReturnType<typeof openLocalScanner> {
    try {
      return await openLocalScanner(this.#options, request);
    } catch (error) {
      const kind = error instanceof FailureError ? error.failure.kind : null;
      if (kind === 'native-engine-refused' || kind === 'scan-engine-failed') throw new LeftOutError(null);
      throw error;
    }
  }
}

/** In their order, of equal size. */
function partsOf(names: readonly string[], parts: number): string[][] {
  const size = Math.ceil(names.length / parts);
  return Array.from({ length: Math.ceil(names.length / Math.max(1, size)) }, (_, part) => names.slice(part * size, (part + 1) * size));
}

/** The costliest group among as many as there are slowest rules, that has several rules and could hide a slow one. */
function divisible(groups: Iterable<Group>): Group | null {
  const first = [...groups].toSorted((a, b) => b.cost.msPerMegabyte - a.cost.msPerMegabyte).slice(0, slowestRules);
  return first.find(({ names, cost }) => names.length > 1 && cost.msPerMegabyte >= leastCost) ?? null;
}
