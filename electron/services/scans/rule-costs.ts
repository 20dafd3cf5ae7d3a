import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { type CostMeasurement, type RuleCost, slowestRules } from '../../../shared/domain/publication.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { type EventHub, WorkspaceEvents } from '../../event-hub.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { RuleCostStore } from '../../storage/packages/rule-cost-store.ts';
import { requireEngine, type RulesPort } from './local-scanner.ts';
import { LeftOutError, RuleTimer, type RuleTimerOptions, type TimedRules, type TimedSample } from './rule-timer.ts';

export interface RuleCostsOptions extends RuleTimerOptions {
  rules: Pick<RulesPort, 'pieces' | 'fingerprints'>;
  packages: Pick<PackageStore, 'options' | 'pointers' | 'get'>;
  costs: RuleCostStore;
  library: Pick<LibraryStore, 'vaultPage'>;
  events: EventHub;
  /** @returns the failure under whose id the log has it */
  logDefect(error: unknown): Failure;
}

/** `samples`: that it looked at. */
export interface EndedHunt {
  workspaceId: string;
  sha256: string;
  samples: number;
  tookMs: number;
}

/** `prints`: under which the costs are stored. */
interface Subject extends TimedRules {
  prints: ReadonlyMap<string, string>;
}

interface Group {
  names: readonly string[];
  cost: RuleCost;
  /** It was measured twice: what else the computer did may have slowed the first time. */
  isSure: boolean;
}

interface Measuring {
  state: CostMeasurement;
  abort: AbortController;
  over: Promise<void>;
}

const [samplesAtMost, samplesAPage] = [20, 200];
/** A rule that is measured by itself, and the rules of a package: these are many. */
const bytesForOne = 16 * 1024 * 1024;
const bytesForAll = 4 * 1024 * 1024;
/** The rules of a package are measured in so many groups first, and a slow group in so many parts. */
const groupsAtFirst = 24;
const partsOfGroup = 4;
/**
 * A group that costs no more than that beyond what as many usual rules cost has no slow rule: for each MB, and at all
 * (two measurements of few bytes differ by that).
 */
const leastExcess = { msPerMegabyte: 0.1, ms: 0.5 };
const mostLeftOut = 100;
const printsARead = 1000;

/** Of a measurement that a person began. */
const mostMsAsked = 120_000;
/** After a hunt this share of its time may be used, unless that is too little to find out anything. */
const shareOfHunt = 0.1;
const leastHuntSamples = 50;
const leastHuntMs = 2000;

/**
 * Measures what rules cost over the first samples of the vault, and stores it under the fingerprints of the rules. One
 * measurement scans at a time: two at once would measure each other.
 */
export class RuleCosts {
  readonly #options: RuleCostsOptions;
  readonly #timer: RuleTimer;
  readonly #news: WorkspaceEvents;
  readonly #measuring = new Map<string, Measuring>();
  readonly #afterHunts = new Set<Promise<void>>();
  readonly #end = new AbortController();
  #interruptions = 0;

  constructor(options: RuleCostsOptions) {
    this.#options = options;
    this.#timer = new RuleTimer(options);
    this.#news = new WorkspaceEvents((workspaceId) =>
      options.events.emit({
        name: 'ruleCosts.changed',
        payload: { workspaceId, isRunning: this.state(workspaceId)?.state === 'running' },
      }),
    );
  }

  /**
   * One rule by itself. @throws FailureError `rule-missing`, `vault-empty`, and what an engine or a sample fails with
   */
  async one(workspaceId: string, sha256: string, key: string): Promise<RuleCost> {
    const subject = await this.#subjectOf(workspaceId, sha256, bytesForOne);
    const print = subject.prints.get(key);
    if (!subject.pieces.rules.some(({ name }) => name === key)) fail({ kind: 'rule-missing', name: key });
    try {
      const baseline = await this.#timer.baseline(subject, this.#end.signal);
      const cost = await this.#timer.costOf(subject, [key], baseline, this.#end.signal);
      if (print !== undefined) this.#options.costs.record([print], cost);
      this.#news.changed(workspaceId);
      return cost;
    } catch (error) {
      if (error instanceof LeftOutError)
        fail({ kind: 'scan-rule-left-out', rule: error.rule ?? key, reason: 'endless' });
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
    return this.#begin(workspaceId, sha256, {
      subject,
      names: [...subject.prints.keys()],
      mostMs: mostMsAsked,
      isAfterHunt: false,
    });
  }

  cancel(workspaceId: string): void {
    this.#measuring.get(workspaceId)?.abort.abort();
  }

  /** A scan begins: unrequested measurements yield to it. */
  interrupt(): void {
    this.#interruptions += 1;
    for (const { state, abort } of this.#measuring.values()) if (state.isAfterHunt) abort.abort();
  }

  /**
   * Rules of the package that have no cost yet, in the tenth of the time that the hunt took, unless a scan begins while
   * they are read. Resolves when it is over; never rejects.
   */
  afterHunt(hunt: EndedHunt): Promise<void> {
    const over = this.#afterHunt(hunt).finally(() => this.#afterHunts.delete(over));
    this.#afterHunts.add(over);
    return over;
  }

  async #afterHunt({ workspaceId, sha256, samples, tookMs }: EndedHunt): Promise<void> {
    const [mostMs, interruptions] = [tookMs * shareOfHunt, this.#interruptions];
    if (samples < leastHuntSamples || mostMs < leastHuntMs || this.state(workspaceId)?.state === 'running') return;
    try {
      const subject = await this.#subjectOf(workspaceId, sha256, bytesForAll);
      const names = await this.#unmeasured(subject);
      if (names.length === 0 || this.#interruptions > interruptions || this.state(workspaceId)?.state === 'running')
        return;
      this.#begin(workspaceId, sha256, { subject, names, mostMs, isAfterHunt: true });
      await this.#measuring.get(workspaceId)?.over;
    } catch (error) {
      // It was not requested: a package that is gone by now, or a vault without samples.
      if (!(error instanceof FailureError)) this.#options.logDefect(error);
    }
  }

  async close(): Promise<void> {
    this.#end.abort();
    for (const { abort } of this.#measuring.values()) abort.abort();
    await Promise.all([...this.#afterHunts, ...[...this.#measuring.values()].map(({ over }) => over)]);
    await this.#timer.idle();
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

  /** Of the first page of the vault, in order, as many as fit. */
  #samples(mostBytes: number): TimedSample[] {
    const chosen: TimedSample[] = [];
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
      const known = this.#options.costs.of(
        some.map(([, print]) => print),
        engine,
      );
      names.push(...some.flatMap(([name, print]) => (known.has(print) ? [] : [name])));
      await nextTurn();
    }
    return names;
  }

  #begin(
    workspaceId: string,
    sha256: string,
    {
      subject,
      names,
      mostMs,
      isAfterHunt,
    }: { subject: Subject; names: readonly string[]; mostMs: number; isAfterHunt: boolean },
  ): CostMeasurement {
    if (this.#end.signal.aborted) fail({ kind: 'cancelled' });
    const version =
      this.#options.packages.get(workspaceId, sha256)?.version ?? fail({ kind: 'package-missing', sha256 });
    const state: CostMeasurement = {
      workspaceId,
      sha256,
      version,
      state: 'running',
      failure: null,
      isAfterHunt,
      rules: names.length,
      done: 0,
      alone: 0,
      leftOut: [],
      ended: null,
    };
    const measuring: Measuring = { state, abort: new AbortController(), over: Promise.resolve() };
    this.#measuring.set(workspaceId, measuring);
    measuring.over = this.#run(measuring, subject, names, mostMs);
    this.#news.changed(workspaceId);
    return state;
  }

  /** Never rejects. */
  async #run(measuring: Measuring, subject: Subject, names: readonly string[], mostMs: number): Promise<void> {
    const { abort } = measuring;
    const timeout = AbortSignal.timeout(mostMs);
    const signal = AbortSignal.any([abort.signal, timeout]);
    try {
      await this.#measure(measuring, subject, names, signal);
      this.#change(measuring, { state: 'done', ended: currentInstant() });
    } catch (error) {
      if (abort.signal.aborted) this.#change(measuring, { state: 'cancelled', ended: currentInstant() });
      else if (timeout.aborted) this.#change(measuring, { state: 'time-out', ended: currentInstant() });
      else
        this.#change(measuring, {
          state: 'failed',
          failure: error instanceof FailureError ? error.failure : this.#options.logDefect(error),
          ended: currentInstant(),
        });
    }
  }

  /**
   * In groups, and those that cost more than as many usual rules do are divided until the slow rules are alone. A group
   * costs at least as much as any of its rules, so that of the others it is known what they cost at most.
   */
  async #measure(measuring: Measuring, subject: Subject, names: readonly string[], signal: AbortSignal): Promise<void> {
    const baseline = await this.#timer.baseline(subject, signal);
    const groups = new Set<Group>();
    try {
      for (const part of partsOf(names, groupsAtFirst)) {
        for (const group of await this.#groupsOf(measuring, subject, part, baseline, signal)) groups.add(group);
        this.#count(measuring, groups);
      }
      const usual = usualCost(groups);
      for (let next = suspectOf(groups, usual); next !== null; next = suspectOf(groups, usual)) {
        const found = next.isSure
          ? await this.#divided(measuring, subject, next, baseline, signal)
          : [await this.#again(subject, next, baseline, signal)];
        groups.delete(next);
        for (const group of found) groups.add(group);
        this.#count(measuring, groups);
      }
    } finally {
      this.#store(subject, groups);
    }
  }

  async #divided(
    measuring: Measuring,
    subject: Subject,
    { names }: Group,
    baseline: number,
    signal: AbortSignal,
  ): Promise<Group[]> {
    const found: Group[] = [];
    for (const part of partsOf(names, partsOfGroup))
      found.push(...(await this.#groupsOf(measuring, subject, part, baseline, signal)));
    return found;
  }

  /** The shorter time counts. */
  async #again(subject: Subject, { names, cost }: Group, baseline: number, signal: AbortSignal): Promise<Group> {
    const again = await this.#timer.costOf(subject, names, baseline, signal);
    return { names, cost: again.msPerMegabyte < cost.msPerMegabyte ? again : cost, isSure: true };
  }

  /** One group, unless some of its rules cannot be measured: those are left out. */
  async #groupsOf(
    measuring: Measuring,
    subject: Subject,
    names: readonly string[],
    baseline: number,
    signal: AbortSignal,
  ): Promise<Group[]> {
    if (names.length === 0) return [];
    try {
      const cost = await this.#timer.costOf(subject, names, baseline, signal);
      return [{ names, cost, isSure: false }];
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof LeftOutError)) throw error;
      const { rule } = error;
      const rest = rule === null ? names : names.filter((name) => name !== rule);
      const isOut = names.length === 1 || rest.length < names.length;
      const { leftOut } = measuring.state;
      if (isOut && leftOut.length < mostLeftOut)
        this.#change(measuring, { leftOut: [...leftOut, rule ?? names[0] ?? ''] });
      if (names.length === 1) return [];
      const parts: Group[] = [];
      // A helper stops the engine, or it is not known which rule does: the half without it can be measured.
      for (const part of isOut ? [rest] : partsOf(names, 2))
        parts.push(...(await this.#groupsOf(measuring, subject, part, baseline, signal)));
      return parts;
    }
  }

  #count(measuring: Measuring, groups: Iterable<Group>): void {
    const sizes = Array.from(groups, ({ names }) => names.length);
    this.#change(measuring, {
      done: sizes.reduce((sum, size) => sum + size, 0),
      alone: sizes.filter((size) => size === 1).length,
    });
  }

  #store({ prints }: Subject, groups: Iterable<Group>): void {
    for (const { names, cost } of groups)
      this.#options.costs.record(
        names.flatMap((name) => prints.get(name) ?? []),
        cost,
      );
  }

  #change(measuring: Measuring, change: Partial<CostMeasurement>): void {
    measuring.state = { ...measuring.state, ...change };
    this.#news.changed(measuring.state.workspaceId);
  }
}

/** In their order, of equal size. */
function partsOf(names: readonly string[], parts: number): string[][] {
  const size = Math.ceil(names.length / parts);
  return Array.from({ length: Math.ceil(names.length / Math.max(1, size)) }, (_, part) =>
    names.slice(part * size, (part + 1) * size),
  );
}

/** Of a rule, as the middle one of the groups has it. */
function usualCost(groups: Iterable<Group>): number {
  const costs = Array.from(groups, ({ names, cost }) => cost.msPerMegabyte / names.length).toSorted((a, b) => a - b);
  return costs[Math.floor(costs.length / 2)] ?? 0;
}

/**
 * The group that may hide the slowest rule, or the rule that seems to be it; null: what was measured alone and twice is
 * slower than what the others seem to hide.
 */
function suspectOf(groups: Iterable<Group>, usual: number): Group | null {
  const all = [...groups];
  const excessOf = ({ names, cost }: Group): number => cost.msPerMegabyte - usual * (names.length - 1);
  const isSettled = ({ names, isSure }: Group): boolean => names.length === 1 && isSure;
  const alone = all
    .filter(isSettled)
    .map(excessOf)
    .toSorted((a, b) => b - a);
  const [next = null] = all.filter((group) => !isSettled(group)).toSorted((a, b) => excessOf(b) - excessOf(a));
  const least = Math.max(
    leastExcess.msPerMegabyte,
    (leastExcess.ms * 1_000_000) / (next?.cost.bytes ?? 1),
    alone[slowestRules - 1] ?? 0,
  );
  return next !== null && excessOf(next) > least ? next : null;
}
