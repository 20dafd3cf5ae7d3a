import { useBulkStore } from '../../features/bulk-download/bulk-store.tsx';
import { toFetch } from '../../features/bulk-download/bulk-tally.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';

/** The one step of the view that moves the work on, by its button and by Ctrl Enter. */
export function useStart(): { count: number; here: number; canStart: boolean; start(): void } {
  const { list, check, begin, job, start } = useBulkStore();
  const { current } = useWorkspaces();
  const count = check.isDone ? toFetch(check.tally) : 0;
  // With nothing to fetch the job ends at once, and its list is that of the samples that are here.
  const here = check.isDone ? check.tally.alreadyHere : 0;
  const canStart =
    job === null && list.kind === 'read' && count + here > 0 && begin.kind !== 'adding' && current?.repository !== null;
  return { count, here, canStart, start };
}
