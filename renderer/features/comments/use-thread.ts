import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { CommentThread, ThreadComment } from '../../../shared/domain/comment.ts';
import type { Comment } from '../../../shared/domain/sample.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/value-of.ts';
import { wholeThread } from './whole-thread.ts';

export interface ShownThread {
  /** Those of the record until the joined thread is here. */
  comments: readonly ThreadComment[];
  /** undefined until the host has told. */
  stored: CommentThread | undefined;
  failure: Failure | null;
  /** Reads it again. @returns what it holds now */
  refetch(): Promise<readonly ThreadComment[]>;
}

const none: readonly Comment[] = [];

/** What was said of a sample: by the service and from this desk, in one. Read again when the host tells of a change. */
export function useThread(workspaceId: string, md5: string, ofRecord: readonly Comment[] = none): ShownThread {
  const bridge = useBridge();
  const { data, error, refetch } = useQuery<CommentThread, Failure>({
    queryKey: ['comments.thread', { workspaceId, md5 }],
    queryFn: ({ signal }) => valueOf(wholeThread(bridge, { workspaceId, md5 }, signal)),
    staleTime: 0,
  });
  const fromRecord = useMemo(() => ofRecord.map((comment): ThreadComment => ({ ...comment, own: null })), [ofRecord]);
  const again = useCallback(async () => (await refetch()).data?.comments ?? [], [refetch]);
  return { comments: data?.comments ?? fromRecord, stored: data, failure: error, refetch: again };
}
