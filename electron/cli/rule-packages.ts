import type {
  DifferenceCounts,
  DifferenceRow,
  PackageView,
  PublicationsState,
} from '../../shared/domain/publication.ts';
import { fail } from '../../shared/failure.ts';
import type { CommandRun } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';
import { Told } from './told.ts';
import { wrongUsage } from './usage-error.ts';

/** What installing a package would do to the rules in use. */
export interface PackageDifference {
  package: PackageView;
  counts: DifferenceCounts;
  /** Broken ones first, then changed, added, removed, moved. */
  rows: DifferenceRow[];
}

const rowsACall = 1000;

export async function differenceTo(
  run: CommandRun,
  { workspaceId, active }: Pick<PublicationsState, 'workspaceId' | 'active'>,
  to: PackageView,
): Promise<PackageDifference> {
  const rows: DifferenceRow[] = [];
  for (;;) {
    const page = await run.ask('publications.difference', {
      workspaceId,
      from: active,
      to: to.sha256,
      offset: rows.length,
      limit: rowsACall,
    });
    rows.push(...page.rows);
    if (page.rows.length === 0 || rows.length >= page.total) return { package: to, counts: page.counts, rows };
  }
}

export const packageOf = ({ packages }: PublicationsState, id: string | null): PackageView | null =>
  packages.find(({ sha256 }) => sha256 === id) ?? null;

/** The package that a check found. One that was previewed from files is not part of a check. */
export function checkedCandidate(state: PublicationsState): PackageView | null {
  const candidate = packageOf(state, state.candidate);
  return candidate?.source === 'service' ? candidate : null;
}

/** By its version or the beginning of its SHA-256. @throws Told where there is none */
export function packageNamed(
  terminal: Pick<Terminal, 'complain'>,
  { packages }: Pick<PublicationsState, 'packages'>,
  named: string,
): PackageView {
  const meant = packages.filter(
    ({ version, sha256 }) => version === named || (named.length >= 6 && sha256.startsWith(named.toLowerCase())),
  );
  if (meant.length > 1) wrongUsage(`${meant.length} packages have version "${named}": name one by its SHA-256`);
  if (meant[0]) return meant[0];
  terminal.complain(`There is no package "${named}". List them: vitrine rules list`);
  throw new Told(exitCodes.notFound);
}

/**
 * The one that was active before, or the one that is named by its version or the beginning of its SHA-256. @throws
 * Told; UsageError for the active one
 */
export function earlierPackage(
  terminal: Pick<Terminal, 'complain'>,
  { packages, active }: PublicationsState,
  named: string | undefined,
): PackageView {
  if (named !== undefined) {
    const found = packageNamed(terminal, { packages }, named);
    return found.sha256 === active ? wrongUsage(`${named} is the active package`) : found;
  }
  const others = packages.filter(({ sha256 }) => sha256 !== active);
  return latestActive(others) ?? fail({ kind: 'nothing-to-undo' });
}

const latestActive = (packages: readonly PackageView[]): PackageView | undefined =>
  packages
    .filter(({ activated }) => activated !== null)
    .toSorted((a, b) => ((a.activated ?? '') < (b.activated ?? '') ? 1 : -1))[0];

/** `+2 -1 ~3`, in ASCII. */
export const countsWords = ({ added, removed, changed, broken }: DifferenceCounts): string =>
  `+${added} -${removed} ~${changed}${broken === 0 ? '' : `, ${broken} broken`}`;
