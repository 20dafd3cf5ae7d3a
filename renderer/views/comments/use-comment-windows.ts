import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ListedComment } from '../../../shared/domain/comment.ts';
import { success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent } from '../../bridge/operations.ts';
import { paced } from '../../state/pacing.ts';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../state/row-windows.ts';

export type CommentWindows = RowWindows<RowWindow<ListedComment>>;

const refreshEveryMs = 500;

/** The comments of a workspace in sight, as they stand; those that hold the words of `find`. */
export function useCommentWindows(workspaceId: string, find: string): CommentWindows {
  const bridge = useBridge();
  const source = useMemo(
    (): RowSource<RowWindow<ListedComment>> => ({
      name: 'comments.list',
      question: { workspaceId, find },
      read: async (offset, limit) => {
        const answer = await bridge.call('comments.list', { workspaceId, find, offset, limit });
        return answer.ok ? success({ rows: answer.value.comments, total: answer.value.total }) : answer;
      },
    }),
    [bridge, workspaceId, find],
  );
  useRefresh(workspaceId);
  return useRowWindows(source);
}

/** While the host tells of comments, they are read again, one reading after the other. */
function useRefresh(workspaceId: string): void {
  const client = useQueryClient();
  const refresh = useMemo(
    () => paced(refreshEveryMs, () => client.invalidateQueries({ queryKey: ['comments.list', { workspaceId }] })),
    [client, workspaceId],
  );
  useEvent('comments.changed', (changed) => changed.workspaceId === workspaceId && refresh());
}
