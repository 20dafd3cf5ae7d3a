import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { OperationOutput } from '../../../shared/contract.ts';
import type { CommentDraft } from '../../../shared/domain/comment.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { UnsavedDrafts } from '../../memory/unsaved-drafts.ts';
import { type DraftState, KeptDraft } from './kept-draft.ts';

/** The page's one memory of what was typed and is not saved yet. */
export const unsavedDrafts = new UnsavedDrafts();

/** The draft of a sample's comment, for as long as it is shown; `stored` is what the host has, once it has told. */
export function useKeptDraft(workspaceId: string, md5: string, stored: CommentDraft | undefined): KeptDraft {
  const bridge = useBridge();
  const client = useQueryClient();
  const [kept] = useState(() => new KeptDraft({
    save: async (draft) => {
      const answer = await bridge.call('comments.saveDraft', { workspaceId, md5, draft });
      return answer.ok ? null : answer.failure;
    },
    unsaved: {
      read: () => unsavedDrafts.read(workspaceId, md5),
      keep: (draft) => unsavedDrafts.keep(workspaceId, md5, draft),
      clear: () => unsavedDrafts.clear(workspaceId, md5),
    },
  }));
  useEffect(() => {
    if (stored !== undefined) void kept.load(stored);
  }, [kept, stored]);
  useEffect(() => () => {
    const { draft, isLoaded } = kept.snapshot();
    kept.leave();
    if (!isLoaded) return;
    // Whoever shows the sample next begins with what is remembered of its thread. An answer on its way may be from before the last saving.
    const queryKey = ['comments.thread', { workspaceId, md5 }];
    void client.cancelQueries({ queryKey });
    client.setQueryData<OperationOutput<'comments.thread'>>(queryKey, (thread) => thread && { ...thread, draft });
    void client.invalidateQueries({ queryKey });
  }, [kept, client, workspaceId, md5]);
  return kept;
}

export function useDraftState(kept: KeptDraft): DraftState {
  return useSyncExternalStore(kept.subscribe, kept.snapshot);
}
