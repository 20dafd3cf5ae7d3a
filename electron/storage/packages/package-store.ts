import { isDeepStrictEqual } from 'node:util';
import { currentTime } from '../../../shared/domain/clock.ts';
import type { BrokenRule, LastCheck, RuleOptions, RuleWarning } from '../../../shared/domain/publication.ts';
import { fail } from '../../../shared/failure.ts';
import type { Database } from '../database/database.ts';
import type { Journal, JournalEntry } from '../journal/journal.ts';
import {
  type FoundPackage,
  type JudgedPackage,
  type PackageRow,
  PackageTable,
  type TokenPlaces,
} from './package-table.ts';
import { isBack, notKept, type PackagePointers, RuleState } from './rule-state.ts';

export type { FoundPackage, JudgedPackage, PackageRow } from './package-table.ts';
export type { PackagePointers } from './rule-state.ts';

type JournalledFacts = Pick<PackageRow, 'version' | 'group' | 'contents' | 'failure'>;

/**
 * The rule packages of each workspace: which are kept, which is active, and how checks came out. Their bytes lie in the
 * vault; of their rules only names of broken ones are here. What changes the rules in use is journalled with the
 * change.
 */
export class PackageStore {
  readonly #db: Database;
  readonly #journal: Journal;
  readonly #state: RuleState;
  readonly #packages: PackageTable;

  constructor(db: Database, journal: Journal) {
    this.#db = db;
    this.#journal = journal;
    this.#state = new RuleState(db);
    this.#packages = new PackageTable(db);
  }

  /** The defaults where none are stored, or none that can be read. */
  options(workspaceId: string): RuleOptions {
    return this.#state.options(workspaceId);
  }

  setOptions(workspaceId: string, options: RuleOptions): void {
    this.#db.transaction(() => this.#state.setOptions(workspaceId, options));
  }

  /** Those that have options or packages. */
  workspaceIds(): string[] {
    return this.#state.workspaceIds();
  }

  pointers(workspaceId: string): PackagePointers {
    return this.#state.pointers(workspaceId);
  }

  /** Newest received first. */
  list(workspaceId: string): PackageRow[] {
    return this.#packages.list(workspaceId);
  }

  get(workspaceId: string, sha256: string): PackageRow | null {
    return this.#packages.get(workspaceId, sha256);
  }

  /** The first of them, at most 10,000; the contents of the package say how many there are. */
  broken(workspaceId: string, sha256: string): BrokenRule[] {
    return this.#packages.broken(workspaceId, sha256);
  }

  /** The first of what the engine warns of in its rules. */
  engineWarnings(workspaceId: string, sha256: string): RuleWarning[] {
    return this.#packages.engineWarnings(workspaceId, sha256);
  }

  /**
   * What was taken out of its texts when it was received; nothing of one that is not known. Fails with `data-damaged`.
   */
  tokens(workspaceId: string, sha256: string): TokenPlaces[] {
    return this.#packages.tokens(workspaceId, sha256);
  }

  /**
   * Stores the result of a check, with the package it found as the candidate. Without one the candidate stays, unless
   * the service that it came from reports nothing new. Safe from a power cut when `synced` resolves. @returns packages
   * that are no longer kept, whose bytes can be removed then
   */
  recordCheck(workspaceId: string, check: LastCheck, found: FoundPackage | null): string[] {
    return this.#db.transaction(() => {
      this.#state.setLastCheck(workspaceId, check);
      if (found !== null) this.#take(workspaceId, found);
      else if (check.outcome === 'up-to-date') this.#dropServiceCandidate(workspaceId);
      const outcome = check.failure?.kind ?? check.outcome;
      this.#note(workspaceId, {
        hash: found?.sha256 ?? null,
        outcome,
        facts: found,
        rest: { step: 'check', offered: check.version, ...(check.of && { of: check.of }) },
      });
      return this.#prune(workspaceId);
    }, 'soon');
  }

  /**
   * Stores a package that a person opened, as the candidate. Safe from a power cut when `synced` resolves. @returns
   * packages that are no longer kept, whose bytes can be removed then
   */
  recordFile(workspaceId: string, found: FoundPackage): string[] {
    return this.#db.transaction(() => {
      this.#take(workspaceId, found);
      this.#note(workspaceId, {
        hash: found.sha256,
        outcome: found.failure?.kind ?? 'found',
        facts: found,
        rest: { step: 'file', ...(found.fileName ? { file: found.fileName } : {}) },
      });
      return this.#prune(workspaceId);
    }, 'soon');
  }

  /**
   * A package that is kept was compiled by other rules than when it was received, or with other regular expressions or
   * variables. Does nothing if it is no longer kept.
   */
  recompiled(workspaceId: string, judged: JudgedPackage): void {
    this.#db.transaction(() => {
      const row = this.#packages.get(workspaceId, judged.sha256);
      if (row === null) return;
      this.#packages.judge(workspaceId, judged);
      const step =
        row.isRelaxed !== judged.isRelaxed
          ? judged.isRelaxed
            ? 'relaxed'
            : 'strict'
          : isDeepStrictEqual(row.variables, judged.variables)
            ? 'recompile'
            : 'variables';
      // Its hash would say that it was received again.
      this.#note(workspaceId, {
        hash: null,
        outcome: 'recompiled',
        facts: { ...row, contents: judged.contents },
        rest: { step, package: judged.sha256 },
      });
    });
  }

  /**
   * Makes it the active one; does nothing where it is that already. Fails with `package-missing`. Safe from a power cut
   * when `synced` resolves. @returns packages that are no longer kept, whose bytes can be removed then
   */
  activate(workspaceId: string, sha256: string): string[] {
    return this.#db.transaction(() => {
      const next = this.#packages.get(workspaceId, sha256) ?? fail({ kind: 'package-missing', sha256 });
      const { active, candidate } = this.#state.pointers(workspaceId);
      if (active === sha256) return [];
      const former = active === null ? null : this.#packages.get(workspaceId, active);
      const outcome = isBack(this.#packages.turns(workspaceId), sha256, active) ? 'rolled-back' : 'installed';
      const now = currentTime();
      if (former !== null) this.#packages.end(workspaceId, former, now);
      this.#packages.begin(workspaceId, sha256, now);
      this.#state.point(workspaceId, 'active', sha256);
      if (candidate === sha256) this.#state.point(workspaceId, 'candidate', null);
      this.#note(workspaceId, { hash: sha256, outcome, facts: next, rest: { step: 'activate', from: active } });
      return this.#prune(workspaceId);
    }, 'soon');
  }

  /** Fails with `package-missing`. */
  pin(workspaceId: string, sha256: string | null): void {
    this.#db.transaction(() => {
      if (sha256 !== null && !this.#packages.has(workspaceId, sha256)) fail({ kind: 'package-missing', sha256 });
      this.#state.point(workspaceId, 'pinned', sha256);
    });
  }

  /** Fails with `package-in-use` for the active and the pinned one, and with `package-missing`. */
  remove(workspaceId: string, sha256: string): void {
    this.#db.transaction(() => {
      const { version } = this.#packages.get(workspaceId, sha256) ?? fail({ kind: 'package-missing', sha256 });
      const { active, candidate, pinned } = this.#state.pointers(workspaceId);
      if (sha256 === active || sha256 === pinned) fail({ kind: 'package-in-use', version });
      if (sha256 === candidate) this.#state.point(workspaceId, 'candidate', null);
      this.#packages.drop(workspaceId, sha256);
    });
  }

  /** Resolves when all that was written before is safe from a power cut. @throws FailureError as a write does */
  synced(): Promise<void> {
    return this.#db.synced();
  }

  isKnown(workspaceId: string, sha256: string): boolean {
    return this.#packages.has(workspaceId, sha256);
  }

  /** Workspaces that check by themselves: the hours between, and when they did last, or null. */
  scheduled(): { workspaceId: string; everyHours: number; lastAt: string | null }[] {
    return this.#state.scheduled();
  }

  /** A package left this computer. Its hash is that of no sample. */
  noteExport(
    workspaceId: string,
    { sha256, version }: Pick<PackageRow, 'sha256' | 'version'>,
    { outcome, ...how }: { outcome: string; to: string } & NonNullable<JournalEntry['detail']>,
  ): void {
    this.#journal.append({
      workspaceId,
      operation: 'export',
      hash: null,
      outcome,
      detail: { of: 'rules', version, package: sha256, ...how },
    });
  }

  /** What is active is not to be installed again: the candidate, if there is one, stays. */
  #take(workspaceId: string, found: FoundPackage): void {
    this.#packages.put(workspaceId, found);
    if (this.#state.pointers(workspaceId).active !== found.sha256)
      this.#state.point(workspaceId, 'candidate', found.sha256);
  }

  /** One that a person brought stays: the service knows nothing of it. */
  #dropServiceCandidate(workspaceId: string): void {
    const { candidate } = this.#state.pointers(workspaceId);
    if (candidate === null || this.#packages.get(workspaceId, candidate)?.source === 'file') return;
    this.#state.point(workspaceId, 'candidate', null);
  }

  #prune(workspaceId: string): string[] {
    const { keep } = this.#state.options(workspaceId);
    const gone = notKept(this.#packages.turns(workspaceId), this.#state.pointers(workspaceId), keep);
    for (const sha256 of gone) this.#packages.drop(workspaceId, sha256);
    return gone;
  }

  #note(
    workspaceId: string,
    {
      hash,
      outcome,
      facts,
      rest,
    }: { hash: string | null; outcome: string; facts: JournalledFacts | null; rest: Record<string, string | null> },
  ): void {
    const { version = null, group = null, contents = null } = facts ?? {};
    const detail = { version, group, rules: contents?.rules ?? null, broken: contents?.broken ?? null, ...rest };
    this.#journal.append({ workspaceId, operation: 'rule-update', hash, outcome, detail });
  }
}
