import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import type {
  DifferenceCounts,
  DifferenceRow,
  PackageView,
  PublicationsState,
} from '../../shared/domain/publication.ts';
import { isRuleFileName } from '../../shared/domain/rule-names.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { fail } from '../../shared/failure.ts';
import type { CommandRun } from './command.ts';
import { exitCodes, ExitError, wrongUsage } from './exit.ts';
import { factsOf, pathOf } from './given-files.ts';
import type { Terminal } from './terminal.ts';

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
  return candidate === null || candidate.source === 'file' ? null : candidate;
}

/**
 * By its version or the beginning of its SHA-256.
 *
 * @throws ExitError where there is none
 */
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
  throw new ExitError(exitCodes.notFound);
}

/**
 * The one that was active before, or the one that is named by its version or the beginning of its SHA-256.
 *
 * @throws ExitError; UsageError for the active one
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

export interface RuleSources {
  /** `shown` is for failures, `path` is absolute; `inside` is where it lies in the package. */
  files: { path: string; shown: string; inside: string }[];
  /** Files below folders that are no rules. */
  leftOut: number;
  /** Links below folders that lead out of them, or to folders. */
  links: number;
  /** Files and folders that cannot be read, by where they lie in the package. */
  unread: { path: string; text: string }[];
}

/** Deeper than folders of people go; a link that leads back is not followed, but a mounted folder can. */
const deepest = 64;

interface Folder {
  path: string;
  inside: string;
  depth: number;
  /** The folder that was typed, where links may lead. */
  top: string;
}

/**
 * Files that were typed, whatever they are, and files of rules in the folders that were. One folder alone is the
 * package; several are folders in it.
 *
 * @throws ExitError where one is not there; FailureError `file-unreadable` for what was typed itself
 */
export async function ruleSources(
  terminal: Pick<Terminal, 'complain'>,
  typed: readonly string[],
): Promise<RuleSources> {
  const found: RuleSources = { files: [], leftOut: 0, links: 0, unread: [] };
  for (const shown of typed) {
    const path = pathOf(shown);
    const facts = await factsOf(terminal, shown);
    if (facts.isDirectory())
      await walk(found, {
        path,
        inside: typed.length === 1 ? '' : basename(path),
        depth: 1,
        top: await realpath(path),
      });
    else if (facts.isFile()) found.files.push({ path, shown, inside: basename(path) });
    else found.leftOut += 1;
  }
  return found;
}

async function walk(found: RuleSources, first: Folder): Promise<void> {
  const waiting = [first];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { path, inside, depth, top } = folder;
    if (depth > deepest) {
      found.unread.push({ path: inside, text: `More than ${deepest} folders deep` });
      continue;
    }
    for (const entry of await entriesOf(found, folder)) {
      const below = {
        path: join(path, entry.name),
        inside: inside === '' ? entry.name : `${inside}/${entry.name}`,
        depth: depth + 1,
        top,
      };
      if (entry.isDirectory()) waiting.push(below);
      else if (entry.isSymbolicLink()) await takeLink(found, below);
      else if (entry.isFile() && isRuleFileName(entry.name))
        found.files.push({ path: below.path, shown: below.path, inside: below.inside });
      else found.leftOut += 1;
    }
  }
}

async function entriesOf(found: RuleSources, { path, inside, depth }: Folder): Promise<Dirent[]> {
  try {
    return (await readdir(path, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
    found.unread.push({
      path: inside === '' ? basename(path) : inside,
      text: sentenceFor({ kind: 'file-unreadable', name: depth === 1 ? path : inside, code }).what,
    });
    return [];
  }
}

/** A link to a file of rules in the same folder, such as `index.yar` to this month's, is that file. */
async function takeLink(found: RuleSources, { path, inside, top }: Folder): Promise<void> {
  const target = await realpath(path).catch(() => null);
  const isInside =
    target !== null && !isAbsolute(relative(top, target)) && !relative(top, target).split(sep).includes('..');
  if (isInside && isRuleFileName(inside) && (await stat(path)).isFile())
    found.files.push({ path: target, shown: path, inside });
  else found.links += 1;
}
