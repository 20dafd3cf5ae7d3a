import { useNavigation } from './navigation.tsx';
import { useNowShown } from './use-now-shown.ts';
import { useWorkspaces } from './workspaces.ts';

/**
 * Tells where the person is at the moment it is called: the same text as before means the same place. null once whoever
 * asks is gone.
 */
export type PlaceNow = () => string | null;

/** A place is a room in a workspace; results of another scan or hunt are another place. */
export function usePlace(): PlaceNow {
  const { room, shownScan } = useNavigation();
  const workspaceId = useWorkspaces().current?.id ?? null;
  return useNowShown(JSON.stringify([workspaceId, room, room === 'scan' ? shownScan?.jobId : null]));
}
