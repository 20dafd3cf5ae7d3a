import type { PublicationsState } from '../../../shared/domain/publication.ts';
import { trialFilesAtMost, type TrialState } from '../../../shared/domain/trial.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { counted, many } from '../../../shared/failure-sentence.ts';
import { FailureError } from '../../../shared/failure.ts';
import { newsOf, stagedFile } from '../client.ts';
import type { CommandRun } from '../command.ts';
import { exitCodeOf, mostSevereOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { givenFiles, tooManyFiles } from '../given-files.ts';
import { isGiven } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records } from '../records.ts';
import { packageNamed } from '../rule-packages.ts';

/**
 * Tries a package that is kept here on files and folders that are known to be good. Nothing is installed, and nothing
 * of the files is kept.
 */
export async function tryPackage(
  run: CommandRun,
  state: PublicationsState,
  [named, ...paths]: readonly string[],
): Promise<ExitCode> {
  if (named === undefined || paths.length === 0) wrongUsage('name a package and known-good files or folders');
  const { sha256 } = packageNamed(run.terminal, state, named);
  const { ids, codes } = await staged(run, paths);
  if (ids.length === 0) return codes.length === 0 ? wrongUsage('there are no files to scan') : mostSevereOf(codes);
  const trial = await ended(run, state.workspaceId, sha256, ids);
  codes.push(...(await shown(run, trial)));
  if (trial.failure !== null) throw new FailureError(trial.failure);
  if (trial.hits.length > 0 && isGiven(run.options, 'fail-on-hit')) codes.push(exitCodes.hit);
  return mostSevereOf(codes);
}

async function staged(run: CommandRun, paths: readonly string[]): Promise<{ ids: string[]; codes: ExitCode[] }> {
  const { files, leftOut, unread } = await givenFiles(run.terminal, paths);
  for (const path of leftOut) run.terminal.print(`Skipped, not a regular file: ${path}`);
  if (files.length > trialFilesAtMost) wrongUsage(tooManyFiles(trialFilesAtMost, files.length));
  const client = await run.client();
  const ids: string[] = [];
  const codes: ExitCode[] = unread.map(({ failure }) => exitCodeOf(failure));
  for (const { shown: folder, failure } of unread)
    run.terminal.complain(`Not scanned: ${visibleLine(folder)}: ${reasonOf(failure)}`);
  for (const file of files) {
    const result = await stagedFile(client, file);
    if (result.ok) ids.push(result.value.id);
    else {
      codes.push(exitCodeOf(result.failure));
      run.terminal.complain(`Not scanned: ${visibleLine(file.shown)}: ${reasonOf(result.failure)}`);
    }
  }
  return { ids, codes };
}

async function ended(
  run: CommandRun,
  workspaceId: string,
  sha256: string,
  ids: readonly string[],
): Promise<TrialState> {
  const client = await run.client();
  const news = await newsOf(client, 'trials.changed', (changed) => changed.workspaceId === workspaceId);
  try {
    await run.ask('trials.start', { workspaceId, sha256, files: ids.map((id) => ({ id })) });
    for (;;) {
      const { trial } = await run.ask('trials.state', { workspaceId });
      if (trial !== null && trial.ended !== null) return trial;
      run.terminal.progress(
        trial === null || trial.phase === 'compiling'
          ? 'Compiling rules'
          : `Scanning: ${trial.done.toLocaleString('en')} of ${trial.files.toLocaleString('en')} files`,
      );
      await news.next(run.signal);
    }
  } catch (error) {
    // The trial is no longer needed.
    if (run.signal.aborted) await client.call('trials.cancel', { workspaceId });
    throw error;
  } finally {
    news.stop();
    run.terminal.progress(null);
  }
}

/** A row for each rule that would newly hit. Files that were not scanned are named on standard error. */
async function shown({ terminal }: CommandRun, trial: TrialState): Promise<ExitCode[]> {
  if (terminal.isJson) await terminal.value(trial);
  for (const notice of trial.notices) terminal.complain(reasonOf(notice));
  for (const { name, failure } of trial.notScanned.first)
    terminal.complain(`Not scanned: ${visibleLine(name)}: ${reasonOf(failure)}`);
  const unnamed = trial.notScanned.files - trial.notScanned.first.length;
  if (unnamed > 0) terminal.complain(`Not scanned: ${counted(unnamed, 'more file')}`);
  const codes = [...trial.notices, ...trial.notScanned.first.map(({ failure }) => failure)].map(exitCodeOf);
  if (terminal.isJson) return codes;
  const records = new Records(terminal, columns);
  for (const hit of trial.hits) await records.add(hit);
  await records.end();
  const scanned = trial.done - trial.notScanned.files;
  if (trial.hits.length === 0)
    terminal.print(
      visibleLine(
        `No new hits (${counted(trial.rules, 'new or changed rule')} of ${trial.version}, ` +
          `${many(scanned)} of ${counted(trial.files, 'file')} scanned)`,
      ),
    );
  return codes;
}

const columns: readonly Column<TrialState['hits'][number]>[] = [
  { head: 'CHANGE', value: ({ change }) => (change === 'added' ? 'new' : 'changed'), isOwn: true },
  { head: 'RULE', value: ({ rule }) => rule, cut: 'text', isMain: true, isOwn: true },
  { head: 'FILES', value: ({ files }) => files, align: 'right' },
  { head: 'EXAMPLE', value: ({ examples }) => examples[0] ?? null, cut: 'text', isOwn: true },
];
