import { currentInstant } from '../../../shared/domain/clock.ts';
import type { CheckProgress } from '../../../shared/domain/publication.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { FailureError, type FailureKind } from '../../../shared/failure.ts';
import type { Gated, RuleLibrary } from '../../rules/rule-library.ts';
import type { FoundPackage, PackageStore } from '../../storage/packages/package-store.ts';
import type { Packages } from '../../vault/packages.ts';
import { countsOf, libraryKey, type LoadedRules } from './loaded-rules.ts';
import type { OpenedPackage } from './opened-package.ts';
import { factsOf, type PackageOrigin, shown } from './package-facts.ts';
import { forgetUnknown } from './unknown-package.ts';

export interface PackageOpeningOptions {
  library: RuleLibrary;
  rules: LoadedRules;
  store: PackageStore;
  packages: Packages;
}

export interface OpeningWatch {
  signal: AbortSignal;
  onProgress(progress: CheckProgress): void;
}

/** Why bytes that arrived whole cannot be used here. They are kept, and said to be so. */
const cannotOpen: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'package-unreadable',
  'package-too-large',
  'archive-damaged',
  'archive-truncated',
  'archive-limit',
  'archive-password',
  'archive-unsupported',
  'archive-duplicate',
  'archive-name-refused',
]);

/**
 * Opens a package that has arrived and compiles every rule of it. What throws leaves nothing of it that was not there
 * before.
 * @throws FailureError `cancelled`, `worker-ended`, and what the disk throws
 */
export async function openReceived(
  options: PackageOpeningOptions,
  workspaceId: string,
  { sha256, sizeBytes }: { sha256: string; sizeBytes: number },
  origin: PackageOrigin,
  watch: OpeningWatch,
): Promise<FoundPackage> {
  const { store } = options;
  const { active: activeId } = store.pointers(workspaceId);
  const active = activeId === null ? null : store.get(workspaceId, activeId);
  const received = {
    sha256,
    sizeBytes,
    remoteId: origin.remoteId,
    source: origin.source,
    fileName: origin.fileName && shown(origin.fileName),
    received: currentInstant(),
  };
  const { leftOut = 0, links = 0, unread = [] } = origin.beside ?? {};
  watch.onProgress({ phase: 'opening', done: 0, total: null });
  try {
    const opened = await options.rules.open(workspaceId, sha256, { signal: watch.signal });
    const { relaxed: isRelaxed, variables } = store.options(workspaceId);
    const { rules, namespaces, broken, brokenTotal, warnings } = await compile(
      options,
      { key: libraryKey(workspaceId, sha256), isRelaxed, variables },
      { ...opened, refused: [...unread, ...opened.refused] },
      watch,
    );
    const reading = {
      ...opened.reading,
      leftOut: opened.reading.leftOut + leftOut,
      links: opened.reading.links + links,
    };
    const contents = {
      files: opened.files.length,
      rules,
      broken: brokenTotal,
      namespaces,
      engineWarnings: countsOf(warnings),
      ...(Object.values(reading).some((number) => number > 0) && { reading }),
    };
    return {
      ...received,
      ...(await factsOf(sha256, opened, origin, active)),
      contents,
      isRelaxed,
      variables,
      failure: null,
      broken,
      engineWarnings: warnings,
      tokens: opened.tokens,
    };
  } catch (error) {
    if (!(error instanceof FailureError) || !cannotOpen.has(error.failure.kind)) {
      await forgetUnknown(options, workspaceId, sha256);
      throw error;
    }
    return { ...received, ...(await factsOf(sha256, null, origin, active)), ...unopened, failure: error.failure };
  }
}

/** Of a package that could not be opened. */
const unopened = { contents: null, isRelaxed: false, variables: [], broken: [], engineWarnings: [], tokens: [] };

async function compile(
  { library }: PackageOpeningOptions,
  { key, isRelaxed, variables }: { key: string; isRelaxed: boolean; variables: readonly RuleVariable[] },
  { files, refused }: OpenedPackage,
  { signal, onProgress }: OpeningWatch,
): Promise<Gated> {
  signal.throwIfAborted();
  return library.gate(key, {
    signal,
    files,
    isRelaxed,
    variables,
    unread: refused,
    onProgress: (done, total) => onProgress({ phase: 'compiling', done, total }),
  });
}
