import type { ExportResult } from '../../../shared/domain/export.ts';
import type { Job } from '../../../shared/domain/job.ts';
import type { ToldAction } from '../../state/reported-action.ts';
import { useStartedJob } from '../../state/use-started-job.ts';
import type { ReadyWords } from './ready-download.tsx';
import { useToldReady } from './use-told-ready.ts';

export interface LeavingWords extends ReadyWords {
  started(job: number): string;
  notMade(why: string): string;
}

export interface ToldLeaving<Ready> {
  start: ToldAction<Job>;
  prepare: ToldAction<Ready>;
}

/** What became of a file that was to leave the desk, by either way, is told wherever one is by then. */
export function useToldLeaving<Ready extends ExportResult>(
  words: LeavingWords,
  onClose: () => void,
): ToldLeaving<Ready> {
  const lost = words.notMade;
  const prepare = useToldReady<Ready>({ words, lost });
  return { start: { tell: useStartedJob(words.started), lost, onClose }, prepare };
}
