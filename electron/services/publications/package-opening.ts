import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { compareVersions, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type {
  BrokenRule,
  CheckProgress,
  PackageContents,
  PackageSource,
  PackageWarning,
} from '../../../shared/domain/publication.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { FailureError, type FailureKind } from '../../../shared/failure.ts';
import type { RuleFile } from '../../rules/package-files.ts';
import type { Gated, RuleLibrary } from '../../rules/rule-library.ts';
import type { FoundPackage, PackageStore } from '../../storage/packages/package-store.ts';
import type { PackageRow } from '../../storage/packages/package-table.ts';
import type { Packages } from '../../vault/packages.ts';
import { countsOf, libraryKey, type LoadedRules } from './loaded-rules.ts';
import { atOnceBytes, type OpenedPackage } from './opened-package.ts';

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
      ...(origin.empty && { empty: origin.empty }),
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

/** Where a package came from, before it is opened. */
export interface PackageOrigin {
  source: PackageSource;
  remoteId: string | null;
  /** Its version according to the service, or the person. */
  version: string | null;
  /** For files: what they were called, the last resort for a version. */
  fileName: string | null;
  /** What came with it and not in it. */
  manifest: PackageManifest | null;
  /** Of files that were put together here: what was seen beside them, and is not in the package. */
  beside?: { leftOut?: number; links?: number; unread: readonly BrokenRule[] };
  /** Of an export: files that are not in it because they have no rules. */
  empty?: PackageContents['empty'];
}

interface PackageFacts {
  version: string;
  group: string | null;
  published: string | null;
  warnings: PackageWarning[];
}

const longest = 200;

/**
 * Words of others, without what would change how the words around them are shown: control characters, marks that turn
 * the direction, ends of lines.
 */
export const shown = (word: string | null | undefined): string =>
  (word ?? '')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, longest)
    .toWellFormed();

/** What a package is called, and what speaks against it. `active` is the one it would take the place of. */
export async function factsOf(
  sha256: string,
  opened: OpenedPackage | null,
  origin: PackageOrigin,
  active: PackageRow | null,
): Promise<PackageFacts> {
  const manifest = opened?.manifest ?? origin.manifest;
  const [stated, own] = [shown(origin.version), shown(manifest?.version)];
  const version = (origin.source === 'file' ? stated || own : own || stated) || nameOf(origin, sha256);
  const namesOther =
    manifest !== null && origin.version !== null && origin.version !== '' && manifest.version !== origin.version;
  const hasOther = opened?.manifest ? await contradicts(opened.manifest, opened.files) : false;
  return {
    version,
    group: shown(manifest?.group) || null,
    published: shown(manifest?.published) || null,
    warnings: [
      // The version of an export is a time: a file that is gone, or a clock, may put it back.
      ...(origin.source === 'export' ? [] : againstActive(sha256, version, active)),
      ...(namesOther || hasOther ? ['manifest-contradicts' as const] : []),
    ],
  };
}

function againstActive(sha256: string, version: string, active: PackageRow | null): PackageWarning[] {
  if (active === null || active.sha256 === sha256) return [];
  if (active.version === version) return ['same-version'];
  return (compareVersions(version, active.version) ?? 1) < 0 ? ['backwards'] : [];
}

const nameOf = ({ fileName, remoteId }: PackageOrigin, sha256: string): string =>
  shown(fileName?.replace(/\.[A-Za-z0-9]{1,5}$/, '')) || shown(remoteId) || sha256.slice(0, 12);

/** Whether a manifest lists other files than there are. Files that are no rules are ignored. */
export async function contradicts({ files: stated }: PackageManifest, files: readonly RuleFile[]): Promise<boolean> {
  const found = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const statedPaths = new Set(stated.map(({ path }) => path));
  if (files.some(({ path }) => !statedPaths.has(path))) return true;
  const hashes = await hashesOf(found);
  return stated.some(({ path, sha256 }) => (hashes.get(path) ?? sha256) !== sha256);
}

/** SHA-256 by path. */
async function hashesOf(files: ReadonlyMap<string, Uint8Array>): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  let sinceRest = 0;
  for (const [path, bytes] of files) {
    const sum = createHash('sha256');
    for (let at = 0; at < bytes.length; at += atOnceBytes) {
      const piece = bytes.subarray(at, at + atOnceBytes);
      sum.update(piece);
      sinceRest += piece.length;
      if (sinceRest < atOnceBytes) continue;
      sinceRest = 0;
      await nextTurn();
    }
    hashes.set(path, sum.digest('hex'));
  }
  return hashes;
}

export interface PackagePlaces {
  packages: Pick<Packages, 'remove'>;
  store: Pick<PackageStore, 'isKnown'>;
}

/** Removes what was received and came to nothing, unless the same bytes were here before. */
export async function forgetUnknown(
  { packages, store }: PackagePlaces,
  workspaceId: string,
  sha256: string,
): Promise<void> {
  if (!store.isKnown(workspaceId, sha256)) await packages.remove(workspaceId, sha256);
}
