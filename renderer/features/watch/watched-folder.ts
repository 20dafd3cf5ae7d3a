import { type UseQueryResult } from '@tanstack/react-query';
import type { WatchState } from '../../../shared/domain/watch.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useEvent, useOperation } from '../../bridge/operations.ts';
import { type ToastMessage, useToast } from '../../components/toasts.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';

type WayThere = NonNullable<ToastMessage['action']>;

/**
 * What came into the watched folder, and the way there: to the scan that has its hits, or to Activity, where several
 * have; without any to the draft it lies in, where that is shown, else to the list of the files.
 */
export function useWatchNews(): void {
  const toast = useToast();
  const { openView, openJob, openScan, openSettings } = useNavigation();
  const { current } = useWorkspaces();
  const { data: state } = useWatchState();
  const wayTo = (hits: number, scan: number | null): WayThere => {
    const isHere = state?.workspaceId === current?.id;
    if (hits > 0 && scan === null) return { text: text.openActivity, act: () => openView('activity') };
    // Results are shown in the workspace that they were made in.
    if (hits > 0 && scan !== null) return { text: text.showHits, act: () => (isHere ? openScan(scan) : openJob(scan)) };
    return isHere
      ? { text: text.openUpload, act: () => openView('upload') }
      : { text: text.show, act: () => openSettings('watch') };
  };
  useEvent('watch.found', ({ files, hits, scan }) =>
    toast({ meaning: 'info', text: text.found(files, hits), action: wayTo(hits, scan) }),
  );
}

/** The current state of the watched folder. */
export const useWatchState = (): UseQueryResult<WatchState, Failure> => useOperation('watch.state', {});

const newFiles = (count: number): string => (count === 1 ? '1 new file' : `${count.toLocaleString('en')} new files`);

function withHits(count: number, hits: number): string {
  if (count === 1) return '1 new file in the watched folder has hits';
  return `${hits.toLocaleString('en')} of ${newFiles(count)} in the watched folder ${hits === 1 ? 'has' : 'have'} hits`;
}

/** English of the watched folder, wherever it is spoken of. */
const text = {
  found: (count: number, hits: number) =>
    hits === 0 ? `${newFiles(count)} in the watched folder` : withHits(count, hits),
  showHits: 'Show hits',
  openActivity: 'Open Activity',
  openUpload: 'Open Upload',
  show: 'Show',
} as const;
