import { useDownloadOf } from '../../app/downloads.tsx';
import { useAction } from '../../bridge/use-action.ts';
import type { Failure } from '../../../shared/failure.ts';

/** Starting a download, and why it could not start. What becomes of it is told by the downloads. */
export function useStartDownload(workspaceId: string, md5: string): { start(): void; isStarting: boolean; failure: Failure | null } {
  const { note } = useDownloadOf(workspaceId, md5);
  const { mutate, isPending, error } = useAction('downloads.start');
  return { start: () => mutate({ workspaceId, md5 }, { onSuccess: note }), isStarting: isPending, failure: error };
}
