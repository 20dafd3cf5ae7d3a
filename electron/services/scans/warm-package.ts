import type { Failure } from '../../../shared/failure.ts';
import { FailureError } from '../../../shared/failure.ts';
import type { HuntPlanOptions } from './hunt-plan.ts';
import { compileRulesAhead, type LocalScannerOptions } from './local-scanner.ts';
import type { RulePieces } from '../../rules/rule-library.ts';
import type { ReadyLanes } from './ready-lanes.ts';
import type { RulesPort } from './rules-port.ts';

export interface WarmPackageOptions extends LocalScannerOptions {
  lanes: ReadyLanes;
  rules: RulesPort;
  packages: HuntPlanOptions['packages'];
  /** @returns the failure under whose id the log has it */
  logDefect(error: unknown): Failure;
}

/**
 * The package whose rules the lanes have compiled: they end when it is no longer the active one, or the engine another.
 */
export class WarmPackage {
  readonly #options: WarmPackageOptions;
  /** What lanes were last compiled for. */
  #of: { workspaceId: string; sha256: string; scanEngine: string } | null = null;
  #isCompiling = false;
  /** Its rules, as long as lanes are warm: to have them split and bound again takes longer than to scan a few files. */
  #pieces: { workspaceId: string; sha256: string; read: Promise<RulePieces> } | null = null;

  constructor(options: WarmPackageOptions) {
    this.#options = options;
    options.lanes.onCold(() => {
      this.#pieces = null;
    });
  }

  /** The rules of a package, for lanes that `note` was told of. Rejects as the port of rules does. */
  pieces(workspaceId: string, sha256: string): Promise<RulePieces> {
    if (this.#pieces?.workspaceId === workspaceId && this.#pieces.sha256 === sha256) return this.#pieces.read;
    const read = this.#options.rules.pieces(workspaceId, sha256);
    const kept = { workspaceId, sha256, read };
    this.#pieces = kept;
    // The next one asks again.
    read.catch(() => {
      if (this.#pieces === kept) this.#pieces = null;
    });
    return read;
  }

  /** Lanes compile for this package from now on. @returns whether they did so before, with this engine */
  note(workspaceId: string, sha256: string): boolean {
    const { scanEngine } = this.#options.settings();
    const isKnown =
      this.#of?.workspaceId === workspaceId && this.#of.sha256 === sha256 && this.#of.scanEngine === scanEngine;
    this.#of = { workspaceId, sha256, scanEngine };
    return isKnown;
  }

  /** Has the rules compiled for a scan that is about to come, unless they are. */
  compileAhead(workspaceId: string, sha256: string): void {
    const isKnown = this.note(workspaceId, sha256);
    if (this.#isCompiling || (isKnown && this.#options.lanes.areWarm)) return;
    this.#isCompiling = true;
    void this.#compile(workspaceId, sha256).finally(() => {
      this.#isCompiling = false;
    });
  }

  /** Something of packages or settings is not as it was. */
  changed(): void {
    const { lanes, packages, settings } = this.#options;
    // Of the same package other rules may be usable now.
    this.#pieces = null;
    if (this.#of === null) return;
    const { workspaceId, sha256, scanEngine } = this.#of;
    if (packages.pointers(workspaceId).active === sha256 && settings().scanEngine === scanEngine) return;
    this.#of = null;
    lanes.dropWarm();
  }

  async #compile(workspaceId: string, sha256: string): Promise<void> {
    const { packages, logDefect } = this.#options;
    try {
      await compileRulesAhead(
        this.#options,
        await this.pieces(workspaceId, sha256),
        packages.options(workspaceId).variables,
      );
    } catch (error) {
      // The scan itself tells why it cannot begin.
      if (!(error instanceof FailureError)) logDefect(error);
    }
  }
}
