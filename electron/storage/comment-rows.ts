import { z } from 'zod';
import { ownComment } from '../../shared/domain/comment.ts';
import { readFailure } from '../../shared/failure-kinds.ts';
import type { Failure } from '../../shared/failure.ts';
import type { WrittenComment } from './comment-thread.ts';
import { readJson } from './stored-json.ts';

export const writtenRow = z.object({
  id: z.number(),
  workspaceId: z.string(),
  md5: z.string(),
  parentId: z.string().nullable(),
  content: z.string(),
  state: ownComment.shape.state,
  remoteId: z.string().nullable(),
  created: z.string(),
  knownIds: z.string(),
  failure: z.string().nullable(),
});

export const writtenColumns = `id, workspace_id AS workspaceId, md5, parent_id AS parentId, content, state,
  remote_id AS remoteId, created, known_ids AS knownIds, failure`;

/** A comment this desk wrote, and of which sample. */
export interface OwnCommentRow extends WrittenComment {
  workspaceId: string;
  md5: string;
}

const ids = z.array(z.string());

export const ownCommentOf = ({ knownIds, failure, ...row }: z.infer<typeof writtenRow>): OwnCommentRow => ({
  ...row,
  knownIds: ids.safeParse(readJson(knownIds)).data ?? [],
  failure: failureOf(failure),
});

/** null also for one that cannot be read: the comment is shown all the same. */
export const failureOf = (text: string | null): Failure | null => (text === null ? null : readFailure(readJson(text)));
