import { everyResult, type FileGroup, type ScanFilter, type ScannedFile } from '../../shared/domain/scan.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import type { CommandRun } from './command.ts';

/** A file of a scan or a hunt, with all that was found in it. */
export interface FileResult {
  group: FileGroup;
  file: ScannedFile;
}

/** Files of a job in its order; `show` those that are meant. */
export async function* resultsOf(run: CommandRun, jobId: number, show: ScanFilter['show'] = 'all'): AsyncGenerator<FileResult, void, void> {
  for (let offset = 0; ; ) {
    const { groups, total } = await run.ask('scans.groups', { jobId, by: 'file', filter: { ...everyResult, show }, offset, limit: 200 });
    for (const group of groups) {
      if (group.by === 'file') yield { group, file: await run.ask('scans.file', { jobId, position: group.position }) };
    }
    offset += groups.length;
    if (groups.length === 0 || offset >= total) return;
  }
}

/** Rules that hit, by name, without those that are muted. */
export function rulesOf({ results, muted }: ScannedFile): string[] {
  const isMuted = new Set(muted.map(({ rule }) => rule));
  return [...new Set(results.flatMap(({ hits }) => hits.map(({ rule }) => rule)))].filter((rule) => !isMuted.has(rule)).toSorted();
}

export const nameOf = ({ name, sha256 }: Pick<ScannedFile, 'name' | 'sha256'>): string => visibleLine(name ?? sha256);

/** What a result is not sure of, a line each. */
export function doubtOf({ file }: FileResult): string[] {
  return file.results.flatMap(({ side, withoutGlobal }) => (withoutGlobal.length === 0 ? [] : [`${side}: scanned without the global rule ${withoutGlobal.join(' ')}; hits may be ones that it would have prevented`]));
}

/** Why a side said nothing of a file, a line each. */
export function troubleOf({ group, file }: FileResult): string[] {
  const ofSides = file.results.flatMap(({ side, state, failure }) => {
    if (failure) return [`${side}: ${sentenceFor(failure).what}`];
    return state === 'not-understood' ? [`${side}: its answer is not understood`] : [];
  });
  return ofSides.length === 0 && group.failure ? [sentenceFor(group.failure).what] : ofSides;
}
