import { stat } from 'node:fs/promises';
import { type Failure, fail, FailureError } from '../../../shared/failure.ts';
import type { CommandRun } from '../command.ts';
import { givenFiles, tooManyFiles } from '../given-files.ts';
import { librarySample, typedHash } from '../sample-named.ts';
import { stagedFile } from '../staged-file.ts';
import { pathOf } from '../typed-path.ts';
import { wrongUsage } from '../usage-error.ts';

const mostFiles = 500;
const stagedAtOnce = 16;

/** What to scan, as the host names it. */
export interface ScanTargets {
  /** Staged ids. */
  files: string[];
  /** The paths of the files as they were typed, by the absolute path: a scan looks at the same bytes once. */
  paths: Map<string, string[]>;
  /** SHA-256 of samples in the vault. */
  samples: string[];
  /** What cannot be scanned, with the reason. */
  failed: { named: string; failure: Failure }[];
  /** A path that was typed is not a file and has none in it. */
  isIncomplete: boolean;
}

/**
 * Files and folders by path, samples of the vault by hash. What looks like a hash is one, unless a file has that name.
 */
export async function scanTargets(run: CommandRun): Promise<ScanTargets> {
  const targets: ScanTargets = { files: [], paths: new Map(), samples: [], failed: [], isIncomplete: false };
  const paths: string[] = [];
  for (const named of run.args) {
    const hash = typedHash(named);
    if (hash === null || (await isThere(named))) paths.push(named);
    else await addSample(run, targets, { named, hash });
  }
  await addFiles(run, targets, paths);
  return targets;
}

const isThere = (path: string): Promise<boolean> =>
  stat(pathOf(path)).then(
    () => true,
    () => false,
  );

async function addSample(
  run: CommandRun,
  targets: ScanTargets,
  { named, hash }: { named: string; hash: string },
): Promise<void> {
  try {
    const { sha256, vault } = await librarySample(run, hash);
    targets.samples.push(sha256 !== null && vault === 'held' ? sha256 : fail({ kind: 'not-in-vault', sha256: hash }));
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    targets.failed.push({ named, failure: error.failure });
  }
}

async function addFiles(run: CommandRun, targets: ScanTargets, paths: readonly string[]): Promise<void> {
  const { files, leftOut, unread } = await givenFiles(run.terminal, paths);
  for (const path of leftOut) run.terminal.complain(`Skipped, not a regular file: ${path}`);
  targets.failed.push(...unread.map(({ shown, failure }) => ({ named: shown, failure })));
  const isEmpty = paths.length > 0 && files.length + unread.length === 0;
  if (isEmpty) run.terminal.complain('No files found. Nothing was scanned.');
  targets.isIncomplete = isEmpty || leftOut.some((path) => paths.includes(path));
  if (files.length > mostFiles) wrongUsage(tooManyFiles(mostFiles, files.length));
  const door = await run.door();
  for (let at = 0; at < files.length; at += stagedAtOnce) {
    const some = files.slice(at, at + stagedAtOnce);
    const staged = await Promise.all(some.map((file) => stagedFile(door, file)));
    for (const [index, { path, shown }] of some.entries()) {
      const one = staged[index];
      if (one?.ok === false) targets.failed.push({ named: shown, failure: one.failure });
      if (one?.ok !== true) continue;
      targets.files.push(one.value.id);
      targets.paths.set(path, [...(targets.paths.get(path) ?? []), shown]);
    }
  }
}
