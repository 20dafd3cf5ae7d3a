import { useCallback, useMemo } from 'react';
import type { CommentThread, ThreadComment } from '../../../shared/domain/comment.ts';
import type { Comment } from '../../../shared/domain/sample.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useOperation } from '../../bridge/use-operation.ts';

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
  const { data, error, refetch } = useOperation('comments.thread', { workspaceId, md5 });
  const fromRecord = useMemo(() => ofRecord.map((comment): ThreadComment => ({ ...comment, own: null })), [ofRecord]);
  const again = useCallback(async () => (await refetch()).data?.comments ?? [], [refetch]);
  return { comments: data?.comments ?? fromRecord, stored: data, failure: error, refetch: again };
}
