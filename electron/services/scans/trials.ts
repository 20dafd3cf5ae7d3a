import { isDeepStrictEqual } from 'node:util';
import { currentInstant } from '../../../shared/domain/clock.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { type TrialHit, trialNamesShown, type TrialState } from '../../../shared/domain/trial.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { type EventHub, WorkspaceEvents } from '../../event-hub.ts';
import type { RuleFingerprint, RulePieces } from '../../rules/rule-library.ts';
import { unknownOf } from '../../rules/scanning/file-variables.ts';
import type { ScanVerdict } from '../../rules/scanning/scan-verdict.ts';
import type { Journal } from '../../storage/journal/journal.ts';
import type { PackageStore } from '../../storage/packages/package-store.ts';
import type { Staging } from '../../vault/staging.ts';
import { unreadStagedFailure, unreadStagedOf } from '../../vault/staging/staged-bytes.ts';
import {
  type LocalScanner,
  type LocalScannerOptions,
  openLocalScanner,
  type RulesPort,
  scanLimitBytes,
} from './local-scanner.ts';
import type { ScanSource } from './read-scan-source.ts';

export interface TrialsOptions extends LocalScannerOptions {
  packages: Pick<PackageStore, 'pointers' | 'get' | 'options'>;
  rules: RulesPort;
  staging: Staging;
  journal: Pick<Journal, 'append'>;
  events: EventHub;
  settings(): Pick<Settings, 'scanEngine' | 'scanSeconds' | 'scanMebibytes' | 'scanMemoryMebibytes'>;
  /** @returns the failure under whose id the log has it */
  logDefect(error: unknown): Failure;
}

interface Trial {
  state: TrialState;
  stop: AbortController;
  over: Promise<void>;
}

/** A file of a trial, and what hit it with the package that is tried. */
interface TriedFile {
  name: string;
  sizeBytes: number;
  source: ScanSource;
  found: string[];
}

const mostNotices = 100;
const examples = 5;

/**
 * Packages tried on files before they are installed: one trial a workspace, which lives in memory alone. Nothing is
 * installed, and nothing of it comes into the library.
 */
export class Trials {
  readonly #options: TrialsOptions;
  readonly #news: WorkspaceEvents;
  readonly #trials = new Map<string, Trial>();

  constructor(options: TrialsOptions) {
    this.#options = options;
    this.#news = new WorkspaceEvents((workspaceId) =>
      options.events.emit({ name: 'trials.changed', payload: { workspaceId } }),
    );
  }

  /** null: nothing was tried since the program started. */
  state(workspaceId: string): TrialState | null {
    return this.#trials.get(workspaceId)?.state ?? null;
  }

  /**
   * Begins it; the one before is forgotten. The staged files are gone afterwards. @throws FailureError `check-busy`
   * while another is under way, `package-missing`, `nothing-selected`
   */
  start(workspaceId: string, sha256: string, stagedIds: readonly string[]): TrialState {
    const { packages } = this.#options;
    const before = this.#trials.get(workspaceId);
    if (before !== undefined && before.state.ended === null) fail({ kind: 'check-busy' });
    if (stagedIds.length === 0) fail({ kind: 'nothing-selected' });
    const { version } = packages.get(workspaceId, sha256) ?? fail({ kind: 'package-missing', sha256 });
    const { active } = packages.pointers(workspaceId);
    const against = active === null || active === sha256 ? null : (packages.get(workspaceId, active)?.version ?? null);
    const state: TrialState = {
      workspaceId,
      sha256,
      version,
      against,
      phase: 'compiling',
      rules: 0,
      files: stagedIds.length,
      done: 0,
      hits: [],
      notScanned: { files: 0, first: [] },
      notices: [],
      failure: null,
      ended: null,
    };
    const trial: Trial = { state, stop: new AbortController(), over: Promise.resolve() };
    this.#trials.set(workspaceId, trial);
    trial.over = this.#run(trial, active === sha256 ? null : active, stagedIds);
    return state;
  }

  cancel(workspaceId: string): void {
    this.#trials.get(workspaceId)?.stop.abort(new FailureError({ kind: 'cancelled' }));
  }

  async close(): Promise<void> {
    for (const workspaceId of this.#trials.keys()) this.cancel(workspaceId);
    await Promise.all([...this.#trials.values()].map(({ over }) => over));
    this.#news.close();
  }

  /** Never rejects. */
  async #run(trial: Trial, active: string | null, stagedIds: readonly string[]): Promise<void> {
    try {
      await this.#try(trial, active, stagedIds);
      this.#change(trial, { phase: 'done', ended: currentInstant() });
    } catch (error) {
      const failure = error instanceof FailureError ? error.failure : this.#options.logDefect(error);
      const isCancelled = failure.kind === 'cancelled';
      this.#change(trial, {
        phase: isCancelled ? 'cancelled' : 'failed',
        failure: isCancelled ? null : failure,
        ended: currentInstant(),
      });
    }
    await this.#end(trial, stagedIds);
  }

  /** Copies of the files are thrown away; one that cannot be removed now is swept at the next start. */
  async #end({ state }: Trial, stagedIds: readonly string[]): Promise<void> {
    const { staging, journal, logDefect } = this.#options;
    const { workspaceId, version, rules, files, done, hits, phase, failure } = state;
    try {
      journal.append({
        workspaceId,
        operation: 'scan',
        hash: null,
        outcome: failure?.kind ?? phase,
        detail: { of: 'trial', version, rules, files, done, rulesHit: hits.length },
      });
      for (const id of stagedIds) await staging.discard(id);
    } catch (error) {
      if (!(error instanceof FailureError)) logDefect(error);
    }
  }

  async #try(trial: Trial, active: string | null, stagedIds: readonly string[]): Promise<void> {
    const { workspaceId, sha256 } = trial.state;
    const { rules } = this.#options;
    const now = await rules.pieces(workspaceId, sha256);
    const before = active === null ? null : await rules.pieces(workspaceId, active);
    const names = changedRules(
      active === null ? [] : await rules.fingerprints(workspaceId, active),
      await rules.fingerprints(workspaceId, sha256),
    );
    const files = this.#filesOf(trial, stagedIds);
    if (names.size === 0) return;
    const scanner = await this.#open(trial, now, names, files.length);
    try {
      this.#change(trial, { phase: 'scanning', rules: scanner.reported.length });
      await this.#each(
        trial,
        scanner,
        files,
        (file, found) => {
          file.found = found;
          this.#change(trial, { done: trial.state.done + 1 });
        },
        1,
      );
    } finally {
      await scanner.session.close();
    }
    await this.#compare(
      trial,
      before,
      files.filter(({ found }) => found.length > 0),
    );
  }

  /** What the active package hits in the same file is nothing new. */
  async #compare(trial: Trial, before: RulePieces | null, files: readonly TriedFile[]): Promise<void> {
    const earlier = new Set(before?.rules.map(({ name }) => name));
    const hit = new Set(files.flatMap(({ found }) => found.filter((name) => earlier.has(name))));
    const known = new Map<TriedFile, ReadonlySet<string>>();
    if (before !== null && hit.size > 0) {
      const some = files.filter(({ found }) => found.some((name) => hit.has(name)));
      const scanner = await this.#open(trial, before, hit, some.length);
      try {
        await this.#each(trial, scanner, some, (file, found) => known.set(file, new Set(found)), 0);
      } finally {
        await scanner.session.close();
      }
    }
    this.#change(trial, { hits: hitsOf(files, known, earlier) });
  }

  #open(trial: Trial, pieces: RulePieces, names: ReadonlySet<string>, files: number): Promise<LocalScanner> {
    return openLocalScanner(this.#options, {
      pieces,
      variables: this.#options.packages.options(trial.state.workspaceId).variables,
      names,
      files,
      signal: trial.stop.signal,
      notice: (failure) => this.#notice(trial, failure),
      step: (step) => this.#change(trial, { phase: step ?? 'scanning' }),
    });
  }

  #notice(trial: Trial, failure: Failure): void {
    const isKnown = trial.state.notices.some((one) => isDeepStrictEqual(one, failure));
    if (!isKnown && trial.state.notices.length < mostNotices)
      this.#change(trial, { notices: [...trial.state.notices, failure] });
  }

  /** Too large, or not here any more: named, and not looked at. */
  #filesOf(trial: Trial, stagedIds: readonly string[]): TriedFile[] {
    const { staging, settings } = this.#options;
    const limitBytes = scanLimitBytes(settings());
    return stagedIds.flatMap((id): TriedFile[] => {
      const source = staging.sourceOf(id);
      if (source === null) return this.#leaveOut(trial, id, { kind: 'staged-file-missing', id });
      const { name, sizeBytes } = staging.fileOf(id);
      if (sizeBytes > limitBytes)
        return this.#leaveOut(trial, name, { kind: 'scan-too-large', name, sizeBytes, limitBytes });
      return [{ name, sizeBytes, source: { kind: 'staged', source }, found: [] }];
    });
  }

  /** A few at a time: the session decides when another is welcome. */
  async #each(
    trial: Trial,
    { session, asked, defaults }: LocalScanner,
    files: readonly TriedFile[],
    scanned: (file: TriedFile, found: string[]) => void,
    counted: 0 | 1,
  ): Promise<void> {
    const waiting = new Set<Promise<void>>();
    const unknown = new Set<string>();
    for (const file of files) {
      await session.waitForSpace();
      const facts = [
        {
          name: file.name,
          path:
            file.source.kind === 'staged' && file.source.source.kind === 'in-place' ? file.source.source.path : null,
          owner: null,
        },
      ];
      for (const name of unknownOf(facts)) if (asked.has(name) && !defaults.has(name)) unknown.add(name);
      const one: Promise<void> = session
        .scan({ ...file, facts })
        .then((verdict) => this.#judge(trial, file, verdict, scanned, counted))
        .finally(() => waiting.delete(one));
      // The caller that waits for all of them gets the error, too.
      one.catch(() => undefined);
      waiting.add(one);
    }
    await Promise.all(waiting);
    trial.stop.signal.throwIfAborted();
    if (unknown.size === 0) return;
    const rules = new Set([...unknown].flatMap((name) => [...(asked.get(name) ?? [])])).size;
    this.#notice(trial, { kind: 'scan-variables-unknown', variables: [...unknown], rules, of: 'files' });
  }

  #judge(
    trial: Trial,
    file: TriedFile,
    verdict: ScanVerdict,
    scanned: (file: TriedFile, found: string[]) => void,
    counted: 0 | 1,
  ): void {
    if (verdict.kind === 'scanned')
      return scanned(
        file,
        verdict.found.map(({ rule }) => rule),
      );
    this.#leaveOut(
      trial,
      file.name,
      verdict.kind === 'failed' ? verdict.failure : unreadStagedFailure(file.name, unreadStagedOf(verdict.reason)),
      counted,
    );
  }

  /** `counted`: a file that is looked at a second time was counted before. */
  #leaveOut(trial: Trial, name: string, failure: Failure, counted: 0 | 1 = 1): [] {
    const { files, first } = trial.state.notScanned;
    this.#change(trial, {
      done: trial.state.done + counted,
      notScanned: { files: files + 1, first: first.length < trialNamesShown ? [...first, { name, failure }] : first },
    });
    return [];
  }

  #change(trial: Trial, change: Partial<TrialState>): void {
    trial.state = { ...trial.state, ...change };
    this.#news.changed(trial.state.workspaceId);
  }
}

/** Those that are new, or may hit other files than before. */
function changedRules(before: readonly RuleFingerprint[], now: readonly RuleFingerprint[]): ReadonlySet<string> {
  const prints = new Map(before.map(({ rule, print }) => [rule, print]));
  return new Set(now.flatMap(({ rule, print }) => (prints.get(rule) === print ? [] : [rule])));
}

function hitsOf(
  files: readonly TriedFile[],
  known: ReadonlyMap<TriedFile, ReadonlySet<string>>,
  earlier: ReadonlySet<string>,
): TrialHit[] {
  const hits = new Map<string, TrialHit>();
  for (const file of files) {
    for (const rule of file.found) {
      if (known.get(file)?.has(rule) === true) continue;
      const hit = hits.get(rule) ?? { rule, change: earlier.has(rule) ? 'changed' : 'added', files: 0, examples: [] };
      hit.files += 1;
      if (hit.examples.length < examples) hit.examples.push(file.name);
      hits.set(rule, hit);
    }
  }
  return [...hits.values()].toSorted((a, b) => b.files - a.files || (a.rule < b.rule ? -1 : 1));
}
