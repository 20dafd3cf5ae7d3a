import type { Job } from '../../shared/domain/job.ts';
import { everyResult, type FileGroup, type ScanFilter, type ScannedFile } from '../../shared/domain/scan.ts';
import type { Failure } from '../../shared/failure.ts';
import type { CommandRun } from './command.ts';
import { exitCodeOf, mostSevereOf } from './exit-code-of.ts';
import { type ExitCode, exitCodes } from './exit.ts';
import { reasonOf } from './reason.ts';

/** A file of a scan or a hunt, with all that was found in it. */
export interface FileResult {
  group: FileGroup;
  file: ScannedFile;
}

/** Files of a job in its order; `show` those that are meant. */
export async function* resultsOf(
  run: CommandRun,
  jobId: number,
  show: ScanFilter['show'] = 'all',
): AsyncGenerator<FileResult, void, void> {
  for (let offset = 0; ;) {
    const { groups, total } = await run.ask('scans.groups', {
      jobId,
      by: 'file',
      filter: { ...everyResult, show },
      offset,
      limit: 200,
    });
    const files = groups.filter((group) => group.by === 'file');
    for (let at = 0; at < files.length;) {
      const some = await run.ask('scans.files', { jobId, positions: files.slice(at).map(({ position }) => position) });
      for (const file of some.files) {
        const group = files[at];
        if (group !== undefined) yield { group, file };
        at += 1;
      }
    }
    offset += groups.length;
    if (groups.length === 0 || offset >= total) return;
  }
}

/** Rules that hit, by name, without those that are muted. */
export function rulesOf({ results, muted }: ScannedFile): string[] {
  const isMuted = new Set(muted.map(({ rule }) => rule));
  return [...new Set(results.flatMap(({ hits }) => hits.map(({ rule }) => rule)))]
    .filter((rule) => !isMuted.has(rule))
    .toSorted();
}

/** Why a result may be wrong, a sentence each. */
export function doubtOf({ file }: FileResult): string[] {
  return file.results.flatMap(({ side, withoutGlobal }) =>
    withoutGlobal.length === 0
      ? []
      : [`${side}: scanned without the global rule ${withoutGlobal.join(' ')}; some hits may be false`],
  );
}

/** Why an engine has no result for a file, a sentence each. */
export function troubleOf(result: FileResult): string[] {
  const { group, file } = result;
  const ofSides = file.results.flatMap(({ side, state, failure }) => {
    if (failure) return [`${side}: ${reasonOf(failure)}`];
    return state === 'not-understood' ? [`${side}: unexpected response`] : [];
  });
  if (ofSides.length > 0 || !isUnscanned(result)) return ofSides;
  return [group.failure === null ? 'Not scanned.' : reasonOf(group.failure)];
}

/** No side has scanned it; a hunt keeps no result of a file without hits. */
const isUnscanned = ({ group, file }: FileResult): boolean =>
  group.failure !== null || (file.results.length === 0 && group.state !== 'done');

/** Of the file, else of one of its sides. */
export const failureOf = ({ group, file }: FileResult): Failure | null =>
  group.failure ?? file.results.find(({ failure }) => failure !== null)?.failure ?? null;

/** A failure of one engine counts although the other one succeeded. */
export function codeOf(result: FileResult): ExitCode {
  const failures = result.file.results.flatMap(({ failure }) => failure ?? []);
  if (result.file.results.some(({ state }) => state === 'not-understood')) return exitCodes.service;
  if (failures.length > 0) return mostSevereOf(failures.map(exitCodeOf));
  if (result.group.failure !== null) return exitCodeOf(result.group.failure);
  return isUnscanned(result) ? exitCodes.failed : exitCodes.done;
}

/** Shows the notices of a job. @returns their exit codes; unknown variables of rules are no failure */
export function reportedNotices(
  { terminal }: Pick<CommandRun, 'terminal'>,
  { notices }: Pick<Job, 'notices'>,
): ExitCode[] {
  for (const notice of notices) {
    terminal.complain(reasonOf(notice));
  }
  return notices.filter(({ kind }) => kind !== 'scan-variables-unknown').map(exitCodeOf);
}

/** That a file has more names than it was scanned with. */
export const namesLeftOutOf = ({ results }: ScannedFile): string[] =>
  results.flatMap(({ namesLeftOut = 0 }) =>
    namesLeftOut === 0 ? [] : [`not scanned under ${namesLeftOut.toLocaleString('en')} more of its names`],
  );
