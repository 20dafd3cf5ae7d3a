import { useState } from 'react';
import { longestComment } from '../../../shared/domain/comment.ts';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useUploadStore } from '../../features/uploads/upload-store.tsx';
import type { Draft } from './draft-desk.tsx';
import { text } from './text.ts';

export interface Sending {
  /** Why nothing can be sent now, in words; null when it can. */
  obstacle: string | null;
  failure: Failure | null;
  send(): void;
}

/** Sends what is ticked and new, after everything that was typed before it. */
export function useSending(
  { workspace, writes, comment }: Draft,
  summary: UploadDraft,
  commentLength: number,
): Sending {
  const { intake, showJob } = useUploadStore();
  const [state, setState] = useState<{ isSending: boolean; failure: Failure | null }>({
    isSending: false,
    failure: null,
  });
  const obstacle = state.isSending
    ? text.cannotSend.sending
    : obstacleOf(summary, { hasRepository: workspace.repository !== null, isComing: intake !== null, commentLength });
  const run = async (): Promise<void> => {
    setState({ isSending: true, failure: null });
    // Saved before the job is made of it: writes are answered in their order.
    void comment.flush();
    const answer = await writes.send('uploads.send', { workspaceId: workspace.id });
    setState({ isSending: false, failure: answer.ok ? null : answer.failure });
    if (!answer.ok) return writes.dismissFailure();
    comment.forget();
    showJob(answer.value);
  };
  return { obstacle, failure: state.failure, send: () => void (obstacle === null && run()) };
}

interface Circumstances {
  hasRepository: boolean;
  isComing: boolean;
  commentLength: number;
}

function obstacleOf(
  { busy, toSend, ticked }: UploadDraft,
  { hasRepository, isComing, commentLength }: Circumstances,
): string | null {
  const words = text.cannotSend;
  if (!hasRepository) return words.noRepository;
  if (isComing) return words.coming;
  if (busy > 0) return words.busy(busy);
  if (ticked === 0) return words.none;
  if (toSend.files === 0) return words.nothing;
  return commentLength > longestComment ? words.tooLong : null;
}
