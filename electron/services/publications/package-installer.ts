import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LastCheck, removesMany, type RuleOptions } from '../../../shared/domain/publication.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { KeyedMutex, Mutex } from '../../../shared/mutex.ts';
import type { PackageRow, PackageStore } from '../../storage/packages/package-store.ts';
import type { Packages } from '../../vault/packages.ts';
import type { CheckResult } from './check-run.ts';
import { shown } from './package-opening.ts';
import type { PackageReading } from './package-reading.ts';

interface PackageInstallerOptions {
  packages: Packages;
  store: PackageStore;
  reading: Pick<PackageReading, 'difference'>;
  /** Whether the workspace names a rule editor; null: there is no such workspace. */
  hasRuleEditor(workspaceId: string): boolean | null;
  /** Another package is active. */
  changed(workspaceId: string): void;
}

/** @throws FailureError `package-missing` */
export function requirePackage(store: PackageStore, workspaceId: string, sha256: string): PackageRow {
  return store.get(workspaceId, sha256) ?? fail({ kind: 'package-missing', sha256 });
}

/**
 * Records found packages and makes them active, pinned or removed: one change of a workspace after the other, in an
 * order that a power cut leaves with an active package that has its bytes.
 */
export class PackageInstaller {
  readonly #options: PackageInstallerOptions;
  readonly #mutexes = new KeyedMutex();
  /** Checks of many workspaces may end at the same moment: their results are recorded one by one. */
  readonly #settling = new Mutex();

  constructor(options: PackageInstallerOptions) {
    this.#options = options;
  }

  /** Resolves when every change that was requested before has ended. */
  async idle(): Promise<void> {
    await this.#mutexes.idle();
  }

  /**
   * `isConfirmed`: the person confirmed that many of the active rules are removed.
   * @throws FailureError `package-missing`, `package-pinned`, `package-has-broken`, `package-removes-many`,
   * `package-unreadable`, `vault-damaged`
   */
  activate(workspaceId: string, sha256: string, isConfirmed: boolean): Promise<void> {
    return this.#mutexes.run(workspaceId, async () => {
      const row = requirePackage(this.#options.store, workspaceId, sha256);
      const reason =
        whyNotActive(row, this.#installRules(workspaceId)) ??
        (isConfirmed ? null : await this.#whyConfirm(workspaceId, row));
      if (reason !== null) fail(reason);
      await this.#makeActive(workspaceId, sha256);
    });
  }

  /** @throws FailureError `package-missing` */
  pin(workspaceId: string, sha256: string | null): Promise<void> {
    return this.#mutexes.run(workspaceId, async () => this.#options.store.pin(workspaceId, sha256));
  }

  /** @throws FailureError `package-missing`, `package-in-use` */
  remove(workspaceId: string, sha256: string): Promise<void> {
    return this.#mutexes.run(workspaceId, async () => {
      this.#options.store.remove(workspaceId, sha256);
      await this.#options.packages.remove(workspaceId, sha256);
    });
  }

  removeWorkspace(workspaceId: string): Promise<void> {
    return this.#mutexes.run(workspaceId, () => this.#options.packages.removeWorkspace(workspaceId));
  }

  /**
   * Records the result of an opened file. It is no check, so the last response of the service stays. A file that cannot
   * be opened is recorded as a failed check with the name of the file.
   */
  settleFile(workspaceId: string, name: string, { check, found }: CheckResult): Promise<void> {
    const { store, packages } = this.#options;
    return this.#mutexes.run(workspaceId, async () => {
      if (this.#options.hasRuleEditor(workspaceId) === null) return;
      if (found !== null) await packages.check(workspaceId, found.sha256);
      await this.#removeAll(
        workspaceId,
        found === null
          ? store.recordCheck(workspaceId, { ...check, file: shown(name) }, null)
          : store.recordFile(workspaceId, found),
      );
    });
  }

  /**
   * Records the result of a check, and installs the package if the workspace installs updates automatically.
   * @returns the check as recorded
   */
  settle(workspaceId: string, { check, found }: CheckResult): Promise<LastCheck> {
    const { store, packages, hasRuleEditor } = this.#options;
    return this.#mutexes.run(workspaceId, async () => {
      await this.#settling.run(() => nextTurn());
      // The workspace may have been removed during the request.
      if (hasRuleEditor(workspaceId) === null) return check;
      // A package that came a second time may have been removed meanwhile.
      if (found !== null) await packages.check(workspaceId, found.sha256);
      await this.#removeAll(workspaceId, store.recordCheck(workspaceId, check, found));
      const row = found && store.get(workspaceId, found.sha256);
      if (
        row === null ||
        !installsItself(row, this.#installRules(workspaceId)) ||
        (await this.#whyConfirm(workspaceId, row)) !== null
      )
        return check;
      await this.#makeActive(workspaceId, row.sha256);
      const installed: LastCheck = { ...check, outcome: 'installed' };
      store.recordCheck(workspaceId, installed, null);
      await store.synced();
      return installed;
    });
  }

  /**
   * Why the package needs a confirmation; null: it needs none. An active package that cannot be read has no rules that
   * could be lost.
   */
  async #whyConfirm(workspaceId: string, row: PackageRow): Promise<Failure | null> {
    const { active } = this.#options.store.pointers(workspaceId);
    const inUse = active === null ? null : (this.#options.store.get(workspaceId, active)?.contents ?? null);
    if (active === null || inUse === null || row.activated !== null || active === row.sha256) return null;
    try {
      const { counts } = await this.#options.reading.difference(workspaceId, active, row.sha256, {
        offset: 0,
        limit: 1,
      });
      return whyConfirm(row, inUse.rules, counts.removed);
    } catch (error) {
      if (
        error instanceof FailureError &&
        (error.failure.kind === 'package-missing' || error.failure.kind === 'vault-damaged')
      )
        return null;
      throw error;
    }
  }

  /**
   * Checks the bytes once more before; afterwards nothing can fail between the old package and the new one. Resolves
   * when the change is safe from a power cut.
   */
  async #makeActive(workspaceId: string, sha256: string): Promise<void> {
    await this.#options.packages.check(workspaceId, sha256);
    const left = this.#options.store.activate(workspaceId, sha256);
    try {
      await this.#removeAll(workspaceId, left);
    } finally {
      // The package is active by now, also if the disk refuses what follows.
      this.#options.changed(workspaceId);
    }
  }

  /** After the rows without them are on the disk: otherwise a power cut would bring back a package without bytes. */
  async #removeAll(workspaceId: string, sha256s: readonly string[]): Promise<void> {
    await this.#options.store.synced();
    for (const sha256 of sha256s) await this.#options.packages.remove(workspaceId, sha256);
  }

  #installRules(workspaceId: string): InstallRules {
    const { store } = this.#options;
    const { active, pinned } = store.pointers(workspaceId);
    return {
      options: store.options(workspaceId),
      active,
      pinned: pinned === null ? null : store.get(workspaceId, pinned),
    };
  }
}

interface InstallRules {
  options: RuleOptions;
  /** The one that is pinned. */
  pinned: PackageRow | null;
  active: string | null;
}

/**
 * Why a package may not become the active one; null: it may. One that was active before may be again: the way back is
 * always open.
 */
export function whyNotActive(row: PackageRow, { options, pinned, active }: InstallRules): Failure | null {
  if (row.contents === null) return row.failure ?? { kind: 'package-unreadable', sha256: row.sha256, text: '' };
  if (pinned !== null && pinned.sha256 === active && pinned.sha256 !== row.sha256)
    return { kind: 'package-pinned', version: pinned.version };
  const { broken } = row.contents;
  if (options.policy === 'refuse-broken' && broken > 0 && row.activated === null)
    return { kind: 'package-has-broken', version: row.version, broken };
  return null;
}

/**
 * Why it has to be confirmed first: more than a fifth of the rules in use would go. null: it need not be. The way back
 * is open without a question.
 */
function whyConfirm({ version, activated }: PackageRow, inUse: number, removed: number): Failure | null {
  return activated === null && removesMany(removed, inUse)
    ? { kind: 'package-removes-many', version, removed, rules: inUse }
    : null;
}

/** Whether the workspace wants it installed without a click: all of it can be used, and nothing speaks against it. */
export function installsItself(row: PackageRow, rules: InstallRules): boolean {
  const isWhole = row.contents?.broken === 0 && row.contents.rules > 0 && row.warnings.length === 0;
  return (
    rules.options.policy === 'install-whole' && isWhole && row.activated === null && whyNotActive(row, rules) === null
  );
}
