import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { PublicationsState } from '../../../../shared/domain/publication.ts';

/** Takes what the host answered: the state of the workspace's publications from then on. */
export function useKeepPublications(workspaceId: string): (state: PublicationsState) => void {
  const client = useQueryClient();
  return useCallback((state) => void client.setQueryData(['publications.state', { workspaceId }], state), [client, workspaceId]);
}
