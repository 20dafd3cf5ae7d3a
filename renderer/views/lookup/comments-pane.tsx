import { Conversation } from '../../app/comments/conversation.tsx';
import type { FoundState } from './sample-actions.tsx';

/** What is said of the sample, beside its record. */
export function CommentsPane({ found: { workspaceId, result: { asked, record } } }: { found: FoundState }) {
  return <Conversation workspaceId={workspaceId} md5={asked} ofRecord={record.comments} />;
}
