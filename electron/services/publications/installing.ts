import { removesMany, type RuleOptions } from '../../../shared/domain/publication.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { PackageRow } from '../../storage/packages/package-store.ts';

export interface InstallRules {
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
export function whyConfirm({ version, activated }: PackageRow, inUse: number, removed: number): Failure | null {
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
