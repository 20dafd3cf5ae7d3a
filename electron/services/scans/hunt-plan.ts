import type { HuntEstimate, HuntScope, ScanPackage } from '../../../shared/domain/scan.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import type { RulePieces } from '../../rules/rule-library.ts';
import { programOf } from '../../rules/scanning/rule-program.ts';
import type { PackageRow, PackageStore } from '../../storage/package-store.ts';
import type { ScanStore } from '../../storage/scan-store.ts';
import { huntRules } from './hunt-rules.ts';
import type { RulesPort } from './rules-port.ts';

export interface HuntPlanOptions {
  packages: Pick<PackageStore, 'pointers' | 'get' | 'list' | 'options'>;
  store: Pick<ScanStore, 'lastHunt'>;
  rules: RulesPort;
}

/** What a hunt looks with, and what it is told against. */
export interface HuntPlan {
  package: ScanPackage & { sha256: string };
  pieces: RulePieces;
  /** null: all of them. */
  names: readonly string[] | null;
  /** Those whose hits count. */
  reported: readonly string[];
  /** Rules that the package has no more. */
  removed: readonly string[];
  against: HuntEstimate['against'];
}

/** `asActive`: a package that is not the active one yet, as if it were. @throws FailureError `no-package`, `package-missing`, `no-rules` */
export async function planHunt(options: HuntPlanOptions, workspaceId: string, scope: HuntScope, asActive?: string): Promise<HuntPlan> {
  const { packages, rules } = options;
  const used = asActive === undefined ? activePackage(packages, workspaceId) : keptPackage(packages, workspaceId, asActive);
  const pieces = await rules.pieces(workspaceId, used.sha256);
  const before = scope.kind === 'named' ? null : await earlierRules(options, workspaceId, used.sha256);
  const { touched, removed } = huntRules(before?.pieces ?? null, pieces);
  const names = scope.kind === 'named' ? scope.rules : scope.kind === 'all' || before === null ? null : touched;
  const { reported } = programOf(pieces, names === null ? null : new Set(names));
  if (reported.length === 0 && removed.length === 0) fail({ kind: 'no-rules' });
  return { package: used, pieces, names, reported, removed, against: before?.against ?? null };
}

/** @throws FailureError `no-package` */
export function activePackage(packages: HuntPlanOptions['packages'], workspaceId: string): HuntPlan['package'] {
  const { active } = packages.pointers(workspaceId);
  const row = active === null ? null : packages.get(workspaceId, active);
  if (active === null || row === null) fail({ kind: 'no-package' });
  return usedOf(active, row);
}

function keptPackage(packages: HuntPlanOptions['packages'], workspaceId: string, sha256: string): HuntPlan['package'] {
  return usedOf(sha256, packages.get(workspaceId, sha256) ?? fail({ kind: 'package-missing', sha256 }));
}

const usedOf = (sha256: string, { version, contents }: Pick<PackageRow, 'version' | 'contents'>): HuntPlan['package'] => ({ sha256, version, rules: contents?.rules ?? null });

interface Earlier {
  pieces: RulePieces;
  against: NonNullable<HuntEstimate['against']>;
}

/** The package of the last hunt, or else the one that was active before; null when neither is kept any more, or it cannot be opened: every rule counts as new then. */
async function earlierRules({ packages, store, rules }: HuntPlanOptions, workspaceId: string, active: string): Promise<Earlier | null> {
  const last = store.lastHunt(workspaceId);
  const sha256 = last === null ? previouslyActive(packages, workspaceId, active) : last.sha256;
  const row = sha256 === null ? null : packages.get(workspaceId, sha256);
  if (sha256 === null || row === null || row.contents === null) return null;
  const pieces = await piecesIfOpened(rules, workspaceId, sha256);
  return pieces && { pieces, against: { version: row.version, hunted: last?.ended ?? null } };
}

async function piecesIfOpened(rules: RulesPort, workspaceId: string, sha256: string): Promise<RulePieces | null> {
  try {
    return await rules.pieces(workspaceId, sha256);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return null;
  }
}

/** Of a package that is not the active one yet: the one that is. */
function previouslyActive(packages: HuntPlanOptions['packages'], workspaceId: string, active: string): string | null {
  const { active: current } = packages.pointers(workspaceId);
  if (current !== null && current !== active) return current;
  const earlier = packages.list(workspaceId).filter(({ sha256, activated }) => sha256 !== active && activated !== null);
  return earlier.toSorted((a, b) => ((a.activated ?? '') < (b.activated ?? '') ? 1 : -1))[0]?.sha256 ?? null;
}
