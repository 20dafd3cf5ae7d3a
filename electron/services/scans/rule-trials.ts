import { randomUUID } from 'node:crypto';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { RuleCost, RuleTrial, TrialCheck, TrialHit, TrialScope } from '../../../shared/domain/rule-trial.ts';
import type { LocalEngine } from '../../../shared/domain/scan.ts';
import { type Failure, fail, FailureError } from '../../../shared/failure.ts';
import type { CheckedRules, RuleLibrary } from '../../rules/rule-library.ts';
import { unknownOf } from '../../rules/scanning/file-variables.ts';
import type { FoundRule } from '../../rules/scanning/scan-verdict.ts';
import type { LibraryStore } from '../../storage/library-store.ts';
import type { PackageStore } from '../../storage/package-store.ts';
import type { ScanStore } from '../../storage/scan-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { type LocalScanner, type LocalScannerOptions, type LocalScanRequest, openLocalScanner } from './local-scanner.ts';
import { sampleFacts } from './known-facts.ts';
import type { RulesPort } from './rules-port.ts';
import { scanLimitBytes } from './scan-limit.ts';

export interface RuleTrialsOptions extends LocalScannerOptions {
  compiler: Pick<RuleLibrary, 'check'>;
  rules: Pick<RulesPort, 'pieces'>;
  packages: Pick<PackageStore, 'options'>;
  store: Pick<ScanStore, 'namesOf'>;
  vault: Pick<Vault, 'sourceOf' | 'unreadable'>;
  library: Pick<LibraryStore, 'find' | 'nameOf' | 'vaultPage' | 'count'>;
  settings(): ReturnType<LocalScannerOptions['settings']> & Parameters<typeof scanLimitBytes>[0];
  /** @returns the failure under whose id the log has it */
  logDefect(error: unknown): Failure;
}

const mostHits = 500;
const mostUnscanned = 100;
const samplesAPage = 200;
/** The ones before can still be read by a page that shows them. */
const mostKept = 4;

/** What is scanned for the cost of a rule. */
const costSamples = 20;
const costBytes = 16 * 1024 * 1024;
const costRounds = 3;
const nothingToFind: CheckedRules['pieces'] = { imports: [], rules: [{ name: 'nothing', text: 'rule nothing { condition: false }', uses: [], isGlobal: false, isPrivate: false }] };

/** Nobody is shown a job. All rules are named: an engine that has all rules of a package stays warm for it, these do not. */
const nothingToSay = (): void => undefined;

interface Sample {
  sha256: string;
  name: string | null;
  sizeBytes: number;
}

interface Running {
  trial: RuleTrial;
  abort: AbortController;
}

/** Rules that a person is writing, compiled and run over samples. It installs nothing, records no hit and tells no store of what was scanned. */
export class RuleTrials {
  readonly #options: RuleTrialsOptions;
  readonly #kept = new Map<string, Running>();
  #checking = new AbortController();
  #last: Promise<void> = Promise.resolve();
  #lastCost: Promise<void> = Promise.resolve();
  readonly #end = new AbortController();

  constructor(options: RuleTrialsOptions) {
    this.#options = options;
  }

  /** A check that is under way is cancelled: the person typed on. @throws FailureError `cancelled` */
  async check(workspaceId: string, source: string): Promise<TrialCheck> {
    this.#checking.abort();
    this.#checking = new AbortController();
    const { names, broken, warnings } = await this.#compiled(workspaceId, source, this.#checking.signal);
    return { rules: names, broken: [...broken], warnings: [...warnings] };
  }

  /** @throws FailureError `no-rules`, `not-in-vault`, `vault-empty` */
  async start(workspaceId: string, source: string, scope: TrialScope): Promise<RuleTrial> {
    for (const one of this.#kept.values()) one.abort.abort();
    const abort = new AbortController();
    const { variables } = this.#options.packages.options(workspaceId);
    const { names, pieces } = await this.#compiled(workspaceId, source, abort.signal);
    if (names.length === 0) fail({ kind: 'no-rules' });
    const total = scope.kind === 'vault' ? this.#options.library.count().inVault : scope.sha256s.length;
    if (total === 0) fail({ kind: 'vault-empty' });
    const trial: RuleTrial = { id: randomUUID(), state: 'running', failure: null, done: 0, total, scanned: 0, hitTotal: 0, hits: [], unscannedTotal: 0, unscanned: [], leftOut: [], unknown: [], namesLeftOut: 0 };
    this.#keep({ trial, abort });
    const before = this.#last;
    this.#last = this.#settled({ trial, abort }, before.then(() => this.#run({ trial, abort }, { pieces, variables }, scope)));
    return { ...trial };
  }

  state(id: string): RuleTrial | null {
    return this.#kept.get(id)?.trial ?? null;
  }

  cancel(id: string): void {
    this.#kept.get(id)?.abort.abort();
  }

  /** Measurements wait for each other: two at once would measure each other. @throws FailureError `rule-missing`, `vault-empty`, and what an engine or a sample fails with */
  cost(workspaceId: string, sha256: string, key: string): Promise<RuleCost> {
    const measured = this.#lastCost.then(() => this.#cost(workspaceId, sha256, key));
    this.#lastCost = measured.then(() => undefined, () => undefined);
    return measured;
  }

  async #cost(workspaceId: string, sha256: string, key: string): Promise<RuleCost> {
    const { signal } = this.#end;
    const pieces = await this.#options.rules.pieces(workspaceId, sha256);
    const { variables } = this.#options.packages.options(workspaceId);
    if (!pieces.rules.some(({ name }) => name === key)) fail({ kind: 'rule-missing', name: key });
    const samples = this.#costSamples();
    if (samples.length === 0) fail({ kind: 'vault-empty' });
    const withRule = await this.#timesOf({ pieces, variables, names: new Set([key]) }, samples, signal);
    const without = await this.#timesOf({ pieces: nothingToFind, variables, names: new Set(['nothing']) }, samples, signal);
    const bytes = samples.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const msPerMegabyte = Math.max(0, withRule.ms - without.ms) / (bytes / 1_000_000);
    return { msPerMegabyte, samples: samples.length, bytes, engine: withRule.engine, measured: currentInstant() };
  }

  /** The shortest time of each sample, in all. */
  async #timesOf(program: Pick<LocalScanRequest, 'pieces' | 'names' | 'variables'>, samples: readonly Sample[], signal: AbortSignal): Promise<{ ms: number; engine: LocalEngine }> {
    const { session, engine } = await openLocalScanner(this.#options, { ...program, signal, files: 1, step: nothingToSay, notice: (failure) => fail(failure) });
    try {
      let ms = 0;
      for (const { sha256, name, sizeBytes } of samples) {
        let shortest = Infinity;
        for (let round = 0; round < costRounds; round += 1) {
          const verdict = await session.scan({ name: name ?? sha256, sizeBytes, source: { kind: 'vault', source: this.#options.vault.sourceOf(sha256) } });
          if (verdict.kind === 'failed') fail(verdict.failure);
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

  /** Of the first pages of the vault, in order, as many as have room. */
  #costSamples(): Sample[] {
    const chosen: Sample[] = [];
    let bytes = 0;
    for (const sample of this.#options.library.vaultPage(0, samplesAPage)) {
      if (sample.sizeBytes === 0 || bytes + sample.sizeBytes > costBytes) continue;
      chosen.push(sample);
      bytes += sample.sizeBytes;
      if (chosen.length === costSamples) break;
    }
    return chosen;
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.#checking.abort();
    for (const one of this.#kept.values()) one.abort.abort();
    await Promise.all([this.#last, this.#lastCost]);
  }

  /** As a package of the workspace would be. */
  #compiled(workspaceId: string, source: string, signal: AbortSignal): Promise<CheckedRules> {
    const { relaxed: isRelaxed, variables } = this.#options.packages.options(workspaceId);
    return this.#options.compiler.check([{ path: 'rule.yar', bytes: Buffer.from(source) }], { signal, isRelaxed, variables });
  }

  #keep(running: Running): void {
    this.#kept.set(running.trial.id, running);
    for (const oldest of [...this.#kept.keys()].slice(0, -mostKept)) this.#kept.delete(oldest);
  }

  async #settled({ trial, abort }: Running, run: Promise<void>): Promise<void> {
    try {
      await run;
      trial.state = 'done';
    } catch (error) {
      trial.state = abort.signal.aborted ? 'cancelled' : 'failed';
      if (trial.state === 'failed') trial.failure = error instanceof FailureError ? error.failure : this.#options.logDefect(error);
    }
  }

  async #run({ trial, abort: { signal } }: Running, { pieces, variables }: Pick<LocalScanRequest, 'pieces' | 'variables'>, scope: TrialScope): Promise<void> {
    signal.throwIfAborted();
    const scanner = await openLocalScanner(this.#options, {
      pieces, variables, signal, files: trial.total, names: new Set(pieces.rules.map(({ name }) => name)), step: nothingToSay,
      notice: (failure) => void (failure.kind === 'scan-rule-left-out' && trial.leftOut.push(failure.rule)),
    });
    try {
      const going = new Set<Promise<void>>();
      for (const sample of this.#samples(scope)) {
        await scanner.session.room();
        signal.throwIfAborted();
        const one = this.#scan(trial, scanner, sample).finally(() => going.delete(one));
        // Whoever waits for all of them hears of it.
        one.catch(() => undefined);
        going.add(one);
      }
      await Promise.all(going);
      trial.total = trial.done;
    } finally {
      await scanner.session.close();
    }
  }

  *#samples(scope: TrialScope): Generator<Sample, void, void> {
    const { library } = this.#options;
    if (scope.kind === 'vault') {
      for (let page = library.vaultPage(0, samplesAPage); page.length > 0; page = library.vaultPage(page.at(-1)?.id ?? 0, samplesAPage)) yield* page;
      return;
    }
    for (const sha256 of scope.sha256s) yield { sha256, name: library.nameOf(sha256), sizeBytes: library.find(sha256)?.sizeBytes ?? 0 };
  }

  async #scan(trial: RuleTrial, { session, asked, defaults }: LocalScanner, { sha256, name, sizeBytes }: Sample): Promise<void> {
    const { vault, store, settings } = this.#options;
    const limitBytes = scanLimitBytes(settings());
    const shown = name ?? sha256;
    const unscanned = (failure: Failure): void => {
      trial.unscannedTotal += 1;
      if (trial.unscanned.length < mostUnscanned) trial.unscanned.push({ sha256, name, failure });
    };
    if (sizeBytes > limitBytes) unscanned({ kind: 'scan-too-large', name: shown, sizeBytes, limitBytes });
    else {
      const facts = asked.size === 0 ? [] : sampleFacts(store, sha256);
      const verdict = await session.scan({ name: shown, sizeBytes, ...(asked.size > 0 && { facts }), source: { kind: 'vault', source: vault.sourceOf(sha256) } });
      if (verdict.kind === 'failed') unscanned(verdict.failure);
      else if (verdict.kind === 'unreadable') unscanned(vault.unreadable(sha256, verdict.reason));
      else {
        trial.scanned += 1;
        trial.namesLeftOut += verdict.namesLeftOut > 0 ? 1 : 0;
        for (const variable of unknownOf(facts)) if (asked.has(variable) && !defaults.has(variable) && !trial.unknown.includes(variable)) trial.unknown.push(variable);
        if (verdict.found.length > 0) noteHit(trial, { sha256, name, rules: verdict.found.map(ruleOf), isCut: verdict.isCut || verdict.found.some(({ strings }) => strings.some(({ isAtLeast }) => isAtLeast)) });
      }
    }
    trial.done += 1;
  }
}

function noteHit(trial: RuleTrial, hit: TrialHit): void {
  trial.hitTotal += 1;
  if (trial.hits.length < mostHits) trial.hits.push(hit);
}

function ruleOf({ rule, strings }: FoundRule): TrialHit['rules'][number] {
  const offsets = strings.flatMap(({ matches }) => matches[0]?.offset ?? []);
  return { rule, matches: strings.reduce((sum, { total }) => sum + total, 0), offset: offsets.length === 0 ? null : Math.min(...offsets) };
}
