import type { HuntEstimate, HuntScope, ScanPackage } from '../../../shared/domain/scan.ts';
import { fail } from '../../../shared/failure.ts';
import { engineVersions } from '../../rules/engine/engine-versions.ts';
import type { RuleFingerprint } from '../../rules/rule-library.ts';
import type { PackageRow, PackageStore } from '../../storage/packages/package-store.ts';
import type { CoverageAnswer, ScanReader } from '../../storage/scans/scan-reader.ts';
import type { ScanStore } from '../../storage/scans/scan-store.ts';
import type { RulesPort } from './rules-port.ts';

export interface HuntPlanOptions {
  packages: Pick<PackageStore, 'pointers' | 'get' | 'options'>;
  store: Pick<ScanStore, 'lastHunt'>;
  reader: Pick<ScanReader, 'coverage'>;
  rules: Pick<RulesPort, 'fingerprints'>;
}

/** Samples that a hunt looks at with the same rules. */
export interface PlannedPass {
  /** null: all of the package. */
  names: readonly string[] | null;
  /** Numbers of the library; null: the whole vault. */
  samples: Int32Array | null;
  files: number;
  bytes: number;
}

/** What a hunt looks at. */
export interface HuntPlan {
  package: ScanPackage & { sha256: string };
  passes: PlannedPass[];
  /** Those of all passes whose hits count, in the order of the package. */
  reported: readonly string[];
  /** All rules that can hit. */
  rules: number;
  /** Rules with hits that the package has no more. */
  removed: readonly string[];
  /** Where their hits are. */
  removedFrom: Int32Array;
  against: HuntEstimate['against'];
  coverage: CoverageAnswer;
}

export interface HuntPlanRequest {
  workspaceId: string;
  scope: HuntScope;
  /** A package that is not the active one yet, as if it were. */
  asActive?: string | undefined;
  vault: { files: number; bytes: number };
  /** Whether the samples themselves are wanted. */
  withSamples: boolean;
}

/** @throws FailureError `no-package`, `package-missing`, `no-rules` */
export async function planHunt(options: HuntPlanOptions, request: HuntPlanRequest): Promise<HuntPlan> {
  const { packages, rules, reader, store } = options;
  const { workspaceId, scope, asActive, withSamples } = request;
  const used =
    asActive === undefined ? activePackage(packages, workspaceId) : keptPackage(packages, workspaceId, asActive);
  const prints = await rules.fingerprints(workspaceId, used.sha256);
  const passes = scope.kind === 'changed' ? 'unseen' : scope.kind === 'engine' ? 'older' : 'none';
  const coverage = await reader.coverage({
    workspaceId,
    rules: prints,
    engines: Object.values(engineVersions),
    passes,
    withSamples,
  });
  const planned = passesOf(request, prints, coverage);
  const removed = scope.kind === 'named' ? [] : coverage.gone;
  const names = planned.some((pass) => pass.names === null)
    ? null
    : new Set(planned.flatMap((pass) => pass.names ?? []));
  const reported = prints.map(({ rule }) => rule).filter((rule) => names === null || names.has(rule));
  const isEmpty = prints.length === 0 || (scope.kind === 'named' && reported.length === 0);
  if (isEmpty && removed.length === 0) fail({ kind: 'no-rules' });
  return {
    package: used,
    passes: planned,
    reported,
    rules: prints.length,
    removed,
    coverage,
    removedFrom: removed.length === 0 ? new Int32Array() : coverage.goneSamples,
    against: lastHuntOf(store, workspaceId),
  };
}

function passesOf(
  { scope, vault }: HuntPlanRequest,
  prints: readonly RuleFingerprint[],
  { passes }: CoverageAnswer,
): PlannedPass[] {
  if (prints.length === 0) return [];
  if (scope.kind === 'all') return [{ names: null, samples: null, ...vault }];
  if (scope.kind === 'named')
    return [
      { names: prints.map(({ rule }) => rule).filter((rule) => scope.rules.includes(rule)), samples: null, ...vault },
    ];
  return passes.map(({ rules, samples, files, bytes }) => ({
    names: rules.length === prints.length ? null : rules.flatMap((place) => prints[place]?.rule ?? []),
    samples,
    files,
    bytes,
  }));
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

const usedOf = (
  sha256: string,
  { version, contents }: Pick<PackageRow, 'version' | 'contents'>,
): HuntPlan['package'] => ({ sha256, version, rules: contents?.rules ?? null });

function lastHuntOf(store: HuntPlanOptions['store'], workspaceId: string): HuntPlan['against'] {
  const last = store.lastHunt(workspaceId);
  return last === null || last.version === null ? null : { version: last.version, hunted: last.ended };
}
