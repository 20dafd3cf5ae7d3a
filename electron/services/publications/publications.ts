import type { ExportResult } from '../../../shared/domain/export.ts';
import type {
  LastCheck,
  PackageView,
  PublicationsState,
  RuleOptions,
  RulesFrom,
} from '../../../shared/domain/publication.ts';
import { isAbsent, isUsable, type WorkspaceActions } from '../../../shared/domain/server-action.ts';
import type { TokenChange } from '../../../shared/domain/workspace.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import type { Connect } from '../../api/connections.ts';
import { type EventHub, WorkspaceEvents } from '../../event-hub.ts';
import type { RuleLibrary } from '../../rules/rule-library.ts';
import type { FoundPackage, PackageRow, PackageStore } from '../../storage/packages/package-store.ts';
import type { Packages } from '../../vault/packages.ts';
import type { Staging } from '../../vault/staging.ts';
import { type CheckResult, packagesToRecompile, recompile, runCheck } from './check-run.ts';
import { CheckClock, Checks, type Clock, systemClock } from './checks.ts';
import type { LoadedRules } from './loaded-rules.ts';
import {
  convertPackage,
  type DifferenceExportRequest,
  exportDifference,
  exportPackage,
  type PackageExportOptions,
  type PackageExportRequest,
} from './package-export.ts';
import { PackageInstaller, requirePackage } from './package-installer.ts';
import { GatheredFiles, type GivenFile, type LastOfFiles, openGivenFiles, openPickedFile } from './package-intake.ts';
import type { OpeningWatch } from './package-opening.ts';
import type { PackagePasswords } from './package-passwords.ts';
import type { PackageReading } from './package-reading.ts';

export interface PublicationsOptions {
  connect: Connect;
  library: RuleLibrary;
  packages: Packages;
  store: PackageStore;
  staging: Staging;
  passwords: PackagePasswords;
  events: EventHub;
  /** Whether the workspace names a rule editor; null: there is no such workspace. */
  hasRuleEditor(workspaceId: string): boolean | null;
  /** What is known of the actions of a workspace's servers by now. */
  actions(workspaceId: string): WorkspaceActions;
  rules: LoadedRules;
  reading: PackageReading;
  files: PackageExportOptions['files'];
  offer: PackageExportOptions['offer'];
  /** @returns the failure under whose id the log has it */
  logDefect(error: unknown): Failure;
  clock?: Clock;
}

/** Rule packages: what is published, what of it is here, which one is in use, and the way there and back. */
export class Publications {
  readonly #options: PublicationsOptions;
  readonly #news: WorkspaceEvents;
  readonly #checks: Checks;
  readonly #installer: PackageInstaller;
  readonly #gathered = new GatheredFiles();
  readonly #clock: CheckClock;
  readonly #scheduled: () => ReturnType<PackageStore['scheduled']>;
  #checksByItself = true;
  #isClosing = false;

  constructor(options: PublicationsOptions) {
    const { events, store, logDefect, clock = systemClock } = options;
    this.#options = options;
    this.#news = new WorkspaceEvents((workspaceId) =>
      events.emit({ name: 'publications.changed', payload: { workspaceId } }),
    );
    const changed = (workspaceId: string): void => this.#news.changed(workspaceId);
    this.#checks = new Checks({ logDefect, changed });
    this.#installer = new PackageInstaller({ ...options, changed });
    this.#scheduled = () =>
      !this.#checksByItself
        ? []
        : store.scheduled().filter(({ workspaceId }) => options.hasRuleEditor(workspaceId) === true);
    this.#clock = new CheckClock(
      { scheduled: this.#scheduled },
      (workspaceId) => this.#checkByItself(workspaceId),
      clock,
    );
  }

  /** Removes what a crash left behind, and winds the clock of the checks that come by themselves. */
  async start({ resumesUnfinished }: { resumesUnfinished: boolean } = { resumesUnfinished: true }): Promise<void> {
    const { packages, store } = this.#options;
    await packages.sweep((workspaceId, sha256) => store.isKnown(workspaceId, sha256));
    this.#checksByItself = resumesUnfinished;
    this.#clock.wind();
    if (resumesUnfinished) for (const workspaceId of store.workspaceIds()) void this.#judgeAgain(workspaceId);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#clock.stop();
    await this.#checks.close();
    await this.#installer.idle();
    this.#news.close();
  }

  /** Whether some workspace is checked without being asked. */
  get checksByItself(): boolean {
    return this.#scheduled().length > 0;
  }

  /** @throws FailureError `workspace-missing` */
  state(workspaceId: string): PublicationsState {
    const { store, hasRuleEditor, actions, passwords } = this.#options;
    const hasEditor = hasRuleEditor(workspaceId) ?? fail({ kind: 'workspace-missing', id: workspaceId });
    const { active, candidate, pinned, lastCheck } = store.pointers(workspaceId);
    return {
      workspaceId,
      active,
      candidate,
      pinned,
      lastCheck: this.#checks.unwritten(workspaceId) ?? lastCheck,
      hasRuleEditor: hasEditor,
      rulesFrom: hasEditor ? rulesFromOf(actions(workspaceId)) : null,
      packages: store.list(workspaceId).map(viewOf),
      check: this.#checks.progressOf(workspaceId),
      options: store.options(workspaceId),
      hasPassword: passwords.has(workspaceId),
    };
  }

  /** Begins a check. @throws FailureError `check-busy`, `service-not-set`, `workspace-missing` */
  check(workspaceId: string): void {
    if (!this.state(workspaceId).hasRuleEditor) fail({ kind: 'service-not-set', service: 'rule-editor' });
    void this.#beginCheck(workspaceId, false);
  }

  cancelCheck(workspaceId: string): void {
    this.#checks.cancel(workspaceId);
  }

  /**
   * Begins to open a staged file, which is gone afterwards. @throws FailureError `check-busy`, `staged-file-missing`,
   * `workspace-missing`
   */
  addFile(workspaceId: string, stagedId: string, version: string | null): void {
    void this.#beginFile(workspaceId, stagedId, version);
  }

  /**
   * The same, when no check is under way. Resolves when it is the candidate, or the last check shows why not.
   *
   * @throws FailureError as `addFile` does
   */
  async bringFile(workspaceId: string, stagedId: string, version: string | null): Promise<void> {
    while (this.#checks.progressOf(workspaceId) !== null) await this.#checks.ended(workspaceId);
    await this.#beginFile(workspaceId, stagedId, version);
  }

  #beginFile(workspaceId: string, stagedId: string, version: string | null): Promise<void> {
    this.state(workspaceId);
    const { name } = this.#options.staging.fileOf(stagedId);
    return this.#checks.begin(
      workspaceId,
      async (watch) => foundFile(await openPickedFile(this.#options, workspaceId, { stagedId, name, version }, watch)),
      (result) => this.#installer.settleFile(workspaceId, name, result),
    );
  }

  /**
   * Names files of a package to come, and with `last` begins to put them together and to open it; they are gone
   * afterwards.
   *
   * @returns the list to continue with
   *
   * @throws FailureError `check-busy`, `staged-file-missing`, `draft-too-large`, `workspace-missing`
   */
  addFiles(
    workspaceId: string,
    { list, files, last }: { list: string | null; files: readonly GivenFile[]; last: LastOfFiles | null },
  ): string {
    this.state(workspaceId);
    const id = this.#gathered.add(list, files);
    if (last === null) return id;
    if (this.#checks.progressOf(workspaceId) !== null) fail({ kind: 'check-busy' });
    const given = this.#gathered.take(id);
    const work = async (watch: OpeningWatch): Promise<CheckResult> =>
      foundFile(await openGivenFiles(this.#options, workspaceId, given, last, watch));
    void this.#checks.begin(workspaceId, work, (result) => this.#installer.settleFile(workspaceId, last.name, result));
    return id;
  }

  /**
   * Begins to make a package with its files as UTF-8, which takes its place. @throws FailureError `check-busy`,
   * `package-missing`
   */
  convert(workspaceId: string, sha256: string): void {
    const row = this.#row(workspaceId, sha256);
    const work = async (watch: OpeningWatch): Promise<CheckResult> =>
      foundFile(await convertPackage(this.#options, workspaceId, row, watch));
    void this.#checks.begin(workspaceId, work, async (result) => {
      await this.#installer.settleFile(workspaceId, row.fileName ?? row.version, result);
      const { active, pinned } = this.#options.store.pointers(workspaceId);
      const isReplaced =
        result.found !== null &&
        result.found.sha256 !== sha256 &&
        row.activated === null &&
        active !== sha256 &&
        pinned !== sha256;
      if (isReplaced) await this.remove(workspaceId, sha256);
    });
  }

  /**
   * `removesMany`: a person knows that many of the rules in use go.
   * @throws FailureError `package-missing`, `package-pinned`, `package-has-broken`, `package-removes-many`,
   * `package-unreadable`, `vault-damaged`
   */
  async activate(workspaceId: string, sha256: string, removesMany = false): Promise<PublicationsState> {
    await this.#installer.activate(workspaceId, sha256, removesMany);
    return this.state(workspaceId);
  }

  /** @throws FailureError `package-missing`, `workspace-missing` */
  async pin(workspaceId: string, sha256: string | null): Promise<PublicationsState> {
    this.state(workspaceId);
    await this.#installer.pin(workspaceId, sha256);
    return this.#changed(workspaceId);
  }

  /** @throws FailureError `package-missing`, `package-in-use` */
  async remove(workspaceId: string, sha256: string): Promise<PublicationsState> {
    await this.#installer.remove(workspaceId, sha256);
    return this.#changed(workspaceId);
  }

  export(request: PackageExportRequest & { sha256: string }, folder: string | null): Promise<ExportResult> {
    return exportPackage(this.#options, this.#row(request.workspaceId, request.sha256), request, folder);
  }

  /** @throws FailureError as `export` does, and where a package cannot be opened */
  exportDifference(request: DifferenceExportRequest, folder: string | null): Promise<ExportResult> {
    const { workspaceId, from, sha256 } = request;
    const rows = { from: from === null ? null : this.#row(workspaceId, from), to: this.#row(workspaceId, sha256) };
    return exportDifference(this.#options, rows, request, folder);
  }

  async setOptions(workspaceId: string, options: RuleOptions, password: TokenChange): Promise<PublicationsState> {
    this.state(workspaceId);
    await this.#options.passwords.change(workspaceId, password);
    this.#options.store.setOptions(workspaceId, options);
    this.#clock.wind();
    void this.#judgeAgain(workspaceId);
    return this.#changed(workspaceId);
  }

  /**
   * Compiles packages again that were compiled with other variables or regular expressions than the workspace wants
   * now: what is under way comes first.
   */
  async #judgeAgain(workspaceId: string): Promise<void> {
    while (this.#checks.progressOf(workspaceId) !== null) await this.#checks.ended(workspaceId);
    const { store } = this.#options;
    if (
      this.#isClosing ||
      this.#options.hasRuleEditor(workspaceId) === null ||
      packagesToRecompile(store, workspaceId).length === 0
    )
      return;
    await this.#checks.begin(
      workspaceId,
      (watch) => recompile(this.#options, workspaceId, watch),
      async ({ check }) => {
        // It is no check: what the service was last heard to say stays.
        if (check.outcome === 'failed') store.recordCheck(workspaceId, check, null);
      },
    );
  }

  /** The workspace is gone, and what was kept for it goes too. */
  async workspaceRemoved(workspaceId: string): Promise<void> {
    this.#checks.cancel(workspaceId);
    await this.#checks.ended(workspaceId);
    await this.#installer.removeWorkspace(workspaceId);
    await this.#options.passwords.change(workspaceId, { kind: 'clear' });
    this.#clock.wind();
  }

  #checkByItself(workspaceId: string): void {
    const isPossible =
      this.#options.hasRuleEditor(workspaceId) === true && this.#checks.progressOf(workspaceId) === null;
    if (isPossible) void this.#beginCheck(workspaceId, true);
  }

  #beginCheck(workspaceId: string, isByItself: boolean): Promise<void> {
    const work = (watch: OpeningWatch): Promise<CheckResult> =>
      runCheck(this.#options, workspaceId, { ...watch, isByItself });
    return this.#checks.begin(workspaceId, work, async (result) => {
      const { outcome } = await this.#installer.settle(workspaceId, result);
      this.#clock.wind();
      if (
        outcome === 'installed' ||
        (isByItself && (outcome === 'failed' || (outcome === 'found' && result.found !== null)))
      )
        await this.#notify(workspaceId, outcome, result);
    });
  }

  /** The check is recorded by now: an error here is logged, and changes nothing of its result. */
  async #notify(workspaceId: string, outcome: LastCheck['outcome'], { check, found }: CheckResult): Promise<void> {
    const { events, logDefect } = this.#options;
    const kind = outcome === 'installed' || outcome === 'found' ? outcome : 'failed';
    try {
      const counts = kind === 'found' && found?.contents ? await this.#countsAgainstActive(workspaceId, found) : null;
      const version = found?.version ?? check.version;
      events.emit({ name: 'publications.news', payload: { workspaceId, kind, version, counts } });
    } catch (error) {
      logDefect(error);
    }
  }

  /** null if the packages cannot be compared. */
  async #countsAgainstActive(
    workspaceId: string,
    { sha256 }: FoundPackage,
  ): Promise<EventPayload<'publications.news'>['counts']> {
    const { store, reading, logDefect } = this.#options;
    const { active } = store.pointers(workspaceId);
    try {
      return (await reading.difference(workspaceId, active, sha256, { offset: 0, limit: 1 })).counts;
    } catch (error) {
      logDefect(error);
      return null;
    }
  }

  #row(workspaceId: string, sha256: string): PackageRow {
    return requirePackage(this.#options.store, workspaceId, sha256);
  }

  #changed(workspaceId: string): PublicationsState {
    this.#news.changed(workspaceId);
    return this.state(workspaceId);
  }
}

/** What is not known is tried: a check finds it out. */
function rulesFromOf(known: WorkspaceActions): RulesFrom {
  if (!isAbsent(known, 'checkpackageversion')) return 'publications';
  if (isUsable(known, 'exportfile')) return 'export';
  if (!known.mayUse) return 'not-allowed';
  return isAbsent(known, 'exportfile') ? 'nothing' : 'publications';
}

const foundFile = (found: FoundPackage): CheckResult => ({
  check: { at: found.received, outcome: 'found', version: found.version, failure: null, reply: null, missing: [] },
  found,
});

/** What the service calls it is between the host and the service. */
function viewOf({
  sha256,
  version,
  group,
  published,
  source,
  fileName,
  sizeBytes,
  received,
  contents,
  failure,
  warnings,
  activated,
  activeMs,
}: PackageRow): PackageView {
  return {
    sha256,
    version,
    group,
    published,
    source,
    fileName,
    sizeBytes,
    received,
    contents,
    failure,
    warnings,
    activated,
    activeMs,
  };
}
