import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { OperationOutput } from '../../../shared/contract.ts';
import type { CommentDraft } from '../../../shared/domain/comment.ts';
import { success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent } from '../../bridge/use-event.ts';
import { UnsavedDrafts } from '../../memory/unsaved-drafts.ts';
import { type DraftState, KeptDraft } from './kept-draft.ts';

/** The page's one memory of what was typed and is not saved yet. */
export const unsavedDrafts = new UnsavedDrafts();

/** The draft of a sample's comment, for as long as it is shown; `stored` is what the host has, once it has told. */
export function useKeptDraft(workspaceId: string, md5: string, stored: CommentDraft | undefined): KeptDraft {
  const bridge = useBridge();
  const client = useQueryClient();
  const [kept] = useState(
    () =>
      new KeptDraft({
        host: {
          read: () => bridge.call('comments.draft', { workspaceId, md5 }),
          save: async (draft, basedOn) => {
            const answer = await bridge.call('comments.saveDraft', { workspaceId, md5, draft, basedOn });
            return answer.ok ? success(answer.value.stored) : answer;
          },
        },
        unsaved: {
          read: () => unsavedDrafts.read(workspaceId, md5),
          keep: (draft) => unsavedDrafts.keep(workspaceId, md5, draft),
          clear: () => unsavedDrafts.clear(workspaceId, md5),
        },
      }),
  );
  useEffect(() => {
    if (stored !== undefined) void kept.load(stored);
  }, [kept, stored]);
  useEvent('comments.drafted', (drafted) => {
    if (drafted.workspaceId === workspaceId && drafted.md5 === md5) void kept.follow();
  });
  useEffect(
    () => () => {
      const { draft, isLoaded } = kept.snapshot();
      kept.leave();
      if (!isLoaded) return;
      // Whoever shows the sample next begins with what is remembered of its thread. An answer on its way may be from
      // before the last saving.
      const queryKey = ['comments.thread', { workspaceId, md5 }];
      void client.cancelQueries({ queryKey });
      client.setQueryData<OperationOutput<'comments.thread'>>(queryKey, (thread) => thread && { ...thread, draft });
      void client.invalidateQueries({ queryKey });
    },
    [kept, client, workspaceId, md5],
  );
  return kept;
}

export function useDraftState(kept: KeptDraft): DraftState {
  return useSyncExternalStore(kept.subscribe, kept.snapshot);
}
