import { randomUUID } from 'node:crypto';
import { assertNever } from '../../../shared/assert-never.ts';
import type { RuleTrial, TrialCheck, TrialHit, TrialScope } from '../../../shared/domain/rule-trial.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { CheckedRules, RuleLibrary } from '../../rules/rule-library.ts';
import { type FileFacts, unknownOf } from '../../rules/scanning/file-variables.ts';
import type { FoundRule } from '../../rules/scanning/scan-verdict.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { ScanStore } from '../../storage/scans/scan-store.ts';
import type { Staging } from '../../vault/staging.ts';
import { unreadStagedFailure, unreadStagedOf } from '../../vault/staging/staged-bytes.ts';
import type { Vault } from '../../vault/vault.ts';
import { sampleFacts } from './file-scanner.ts';
import {
  type LocalScanner,
  type LocalScannerOptions,
  type LocalScanRequest,
  openLocalScanner,
  scanLimitBytes,
} from './local-scanner.ts';
import type { ScanSource } from './read-scan-source.ts';

export interface RuleTrialsOptions extends LocalScannerOptions {
  compiler: Pick<RuleLibrary, 'check'>;
  packages: Pick<PackageStore, 'options'>;
  store: Pick<ScanStore, 'namesOf'>;
  vault: Pick<Vault, 'sourceOf' | 'unreadable'>;
  staging: Pick<Staging, 'sourceOf' | 'fileOf' | 'discard'>;
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

/**
 * No job is shown for it. All rules are named: an engine that has all rules of a package stays warm for it, these do
 * not.
 */
const nothingToReport = (): void => undefined;

/** A sample of the vault, or a file that is staged. */
interface Tried {
  sha256: string | null;
  /** As a failure names it, where it has no name. */
  id: string;
  name: string | null;
  sizeBytes: number;
  /** null: it is no longer here. */
  source: ScanSource | null;
}

interface Running {
  trial: RuleTrial;
  abort: AbortController;
}

/**
 * Rules that a person is writing, compiled and run over samples. It installs nothing, records no hit and notifies no
 * store of what was scanned.
 */
export class RuleTrials {
  readonly #options: RuleTrialsOptions;
  readonly #kept = new Map<string, Running>();
  #checking = new AbortController();
  #last: Promise<void> = Promise.resolve();

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
    try {
      const { names, pieces } = await this.#compiled(workspaceId, source, abort.signal);
      if (names.length === 0) fail({ kind: 'no-rules' });
      const total = this.#countOf(scope);
      if (total === 0) fail({ kind: 'vault-empty' });
      const trial: RuleTrial = {
        id: randomUUID(),
        state: 'running',
        failure: null,
        done: 0,
        total,
        scanned: 0,
        hitTotal: 0,
        hits: [],
        unscannedTotal: 0,
        unscanned: [],
        leftOut: [],
        unknown: [],
        namesLeftOut: 0,
      };
      this.#keep({ trial, abort });
      const before = this.#last;
      this.#last = this.#settled(
        { trial, abort },
        before.then(() => this.#run({ trial, abort }, { pieces, variables }, scope)),
        scope,
      );
      return { ...trial };
    } catch (error) {
      await this.#discard(scope);
      throw error;
    }
  }

  #countOf(scope: TrialScope): number {
    switch (scope.kind) {
      case 'vault':
        return this.#options.library.count().inVault;
      case 'samples':
        return scope.sha256s.length;
      case 'files':
        return scope.files.length;
      default:
        return assertNever(scope);
    }
  }

  /** One that cannot be removed now is swept at the next start. */
  async #discard(scope: TrialScope): Promise<void> {
    if (scope.kind !== 'files') return;
    try {
      for (const { id } of scope.files) await this.#options.staging.discard(id);
    } catch (error) {
      if (!(error instanceof FailureError)) this.#options.logDefect(error);
    }
  }

  state(id: string): RuleTrial | null {
    return this.#kept.get(id)?.trial ?? null;
  }

  cancel(id: string): void {
    this.#kept.get(id)?.abort.abort();
  }

  async close(): Promise<void> {
    this.#checking.abort();
    for (const one of this.#kept.values()) one.abort.abort();
    await this.#last;
  }

  /** As a package of the workspace would be. */
  #compiled(workspaceId: string, source: string, signal: AbortSignal): Promise<CheckedRules> {
    const { relaxed: isRelaxed, variables } = this.#options.packages.options(workspaceId);
    return this.#options.compiler.check([{ path: 'rule.yar', bytes: Buffer.from(source) }], {
      signal,
      isRelaxed,
      variables,
    });
  }

  #keep(running: Running): void {
    this.#kept.set(running.trial.id, running);
    for (const oldest of [...this.#kept.keys()].slice(0, -mostKept)) this.#kept.delete(oldest);
  }

  async #settled({ trial, abort }: Running, run: Promise<void>, scope: TrialScope): Promise<void> {
    try {
      await run;
      trial.state = 'done';
    } catch (error) {
      trial.state = abort.signal.aborted ? 'cancelled' : 'failed';
      if (trial.state === 'failed')
        trial.failure = error instanceof FailureError ? error.failure : this.#options.logDefect(error);
    }
    await this.#discard(scope);
  }

  async #run(
    { trial, abort: { signal } }: Running,
    { pieces, variables }: Pick<LocalScanRequest, 'pieces' | 'variables'>,
    scope: TrialScope,
  ): Promise<void> {
    signal.throwIfAborted();
    const scanner = await openLocalScanner(this.#options, {
      pieces,
      variables,
      signal,
      files: trial.total,
      names: new Set(pieces.rules.map(({ name }) => name)),
      step: nothingToReport,
      notice: (failure) => void (failure.kind === 'scan-rule-left-out' && trial.leftOut.push(failure.rule)),
    });
    try {
      const going = new Set<Promise<void>>();
      for (const sample of this.#samples(scope)) {
        await scanner.session.waitForSpace();
        signal.throwIfAborted();
        const one = this.#scan(trial, scanner, sample).finally(() => going.delete(one));
        // The caller that waits for all of them gets the error.
        one.catch(() => undefined);
        going.add(one);
      }
      await Promise.all(going);
      trial.total = trial.done;
    } finally {
      await scanner.session.close();
    }
  }

  *#samples(scope: TrialScope): Generator<Tried, void, void> {
    const { library, vault, staging } = this.#options;
    const kept = ({ sha256, name, sizeBytes }: { sha256: string; name: string | null; sizeBytes: number }): Tried => ({
      sha256,
      id: sha256,
      name,
      sizeBytes,
      source: { kind: 'vault', source: vault.sourceOf(sha256) },
    });
    switch (scope.kind) {
      case 'vault':
        for (
          let page = library.vaultPage(0, samplesAPage);
          page.length > 0;
          page = library.vaultPage(page.at(-1)?.id ?? 0, samplesAPage)
        )
          for (const sample of page) yield kept(sample);
        return;
      case 'samples':
        for (const sha256 of scope.sha256s)
          yield kept({ sha256, name: library.nameOf(sha256), sizeBytes: library.find(sha256)?.sizeBytes ?? 0 });
        return;
      case 'files':
        for (const { id } of scope.files) {
          const source = staging.sourceOf(id);
          const { name, sizeBytes } = source === null ? { name: null, sizeBytes: 0 } : staging.fileOf(id);
          yield { sha256: null, id, name, sizeBytes, source: source && { kind: 'staged', source } };
        }
        return;
      default:
        assertNever(scope);
    }
  }

  async #scan(trial: RuleTrial, { session, asked, defaults }: LocalScanner, tried: Tried): Promise<void> {
    const { sha256, id, name, sizeBytes, source } = tried;
    const limitBytes = scanLimitBytes(this.#options.settings());
    const shown = name ?? id;
    const unscanned = (failure: Failure): void => {
      trial.unscannedTotal += 1;
      if (trial.unscanned.length < mostUnscanned) trial.unscanned.push({ sha256, name, failure });
    };
    if (source === null) unscanned({ kind: 'staged-file-missing', id });
    else if (sizeBytes > limitBytes) unscanned({ kind: 'scan-too-large', name: shown, sizeBytes, limitBytes });
    else {
      const facts = asked.size === 0 ? [] : this.#factsOf(tried);
      const verdict = await session.scan({ name: shown, sizeBytes, ...(asked.size > 0 && { facts }), source });
      if (verdict.kind === 'failed') unscanned(verdict.failure);
      else if (verdict.kind === 'unreadable')
        unscanned(
          sha256 === null
            ? unreadStagedFailure(shown, unreadStagedOf(verdict.reason))
            : this.#options.vault.unreadable(sha256, verdict.reason),
        );
      else {
        trial.scanned += 1;
        trial.namesLeftOut += verdict.namesLeftOut > 0 ? 1 : 0;
        for (const variable of unknownOf(facts))
          if (asked.has(variable) && !defaults.has(variable) && !trial.unknown.includes(variable))
            trial.unknown.push(variable);
        if (verdict.found.length > 0)
          noteHit(trial, {
            sha256,
            name,
            rules: verdict.found.map(ruleOf),
            isCut: verdict.isCut || verdict.found.some(({ strings }) => strings.some(({ isAtLeast }) => isAtLeast)),
          });
      }
    }
    trial.done += 1;
  }

  #factsOf({ sha256, name, source }: Tried): FileFacts[] {
    if (sha256 !== null) return sampleFacts(this.#options.store, sha256);
    return [
      {
        name,
        path: source?.kind === 'staged' && source.source.kind === 'in-place' ? source.source.path : null,
        owner: null,
      },
    ];
  }
}

function noteHit(trial: RuleTrial, hit: TrialHit): void {
  trial.hitTotal += 1;
  if (trial.hits.length < mostHits) trial.hits.push(hit);
}

function ruleOf({ rule, strings }: FoundRule): TrialHit['rules'][number] {
  const offsets = strings.flatMap(({ matches }) => matches[0]?.offset ?? []);
  return {
    rule,
    matches: strings.reduce((sum, { total }) => sum + total, 0),
    offset: offsets.length === 0 ? null : Math.min(...offsets),
  };
}
