import { useQueryClient } from '@tanstack/react-query';
import { useEvent } from '../../bridge/use-event.ts';
import { type ToastMessage, useToast } from '../../components/toasts.tsx';
import { useNavigation } from '../navigation.tsx';
import { useWorkspaces } from '../use-workspaces.ts';
import { text } from './text.ts';
import { useWatchState } from './use-watch-state.ts';

type WayThere = NonNullable<ToastMessage['action']>;

/**
 * What came into the watched folder, and the way there: to the scan that has its hits, or to Activity, where several
 * have; without any to the draft it lies in, where that is shown, else to the list of the files.
 */
export function useWatchNews(): void {
  const client = useQueryClient();
  const toast = useToast();
  const { openRoom, openJob, openScan, openSettings } = useNavigation();
  const { current } = useWorkspaces();
  const { data: state } = useWatchState();
  useEvent('watch.changed', () => void client.invalidateQueries({ queryKey: ['watch.state'] }));
  const wayTo = (hits: number, scan: number | null): WayThere => {
    const isHere = state?.workspaceId === current?.id;
    if (hits > 0 && scan === null) return { text: text.openActivity, act: () => openRoom('activity') };
    // Results are shown in the workspace that they were made in.
    if (hits > 0 && scan !== null) return { text: text.showHits, act: () => (isHere ? openScan(scan) : openJob(scan)) };
    return isHere
      ? { text: text.openUpload, act: () => openRoom('upload') }
      : { text: text.show, act: () => openSettings('watch') };
  };
  useEvent('watch.found', ({ files, hits, scan }) =>
    toast({ meaning: 'info', text: text.found(files, hits), action: wayTo(hits, scan) }),
  );
}
