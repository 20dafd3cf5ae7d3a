import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent, useOperation } from '../../bridge/operations.ts';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { paced } from '../../state/pacing.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { DraftWrites } from './draft-writes.ts';
import { KeptComment } from './kept-comment.ts';
import type { PostingOutcomes } from './use-posting.ts';

/**
 * What the person does with the draft of one workspace. It outlives the view: what was typed last is still on its way.
 */
interface KeptDraft {
  writes: DraftWrites;
  comment: KeptComment;
  /** What became of comments for samples that are known. */
  posted: PostingOutcomes;
  /** Where one was in the table. */
  memory: GridMemory;
  /** Reads again what is in sight, and the numbers. */
  refresh(): void;
}

export interface Draft extends KeptDraft {
  workspace: WorkspaceView;
  /** null until it is known. */
  summary: UploadDraft | null;
  failure: Failure | null;
}

const DraftsContext = createContext<((workspaceId: string) => KeptDraft) | null>(null);

const refreshEveryMs = 250;

export function DraftDeskProvider({ children }: { children: ReactNode }) {
  const bridge = useBridge();
  const client = useQueryClient();
  const [kept] = useState(() => new Map<string, KeptDraft>());
  const draftOf = useCallback(
    (workspaceId: string): KeptDraft => {
      const known = kept.get(workspaceId);
      if (known !== undefined) return known;
      const ask = (name: 'uploads.draft' | 'uploads.files') =>
        client.invalidateQueries({ queryKey: [name, { workspaceId }] });
      const refresh = paced(refreshEveryMs, async () => {
        const answered = writes.answered;
        await Promise.all([ask('uploads.draft'), ask('uploads.files')]);
        const numbers = client.getQueryState<UploadDraft>(['uploads.draft', { workspaceId }]);
        if (numbers?.data !== undefined && !numbers.isInvalidated) writes.note(numbers.data, answered);
      });
      const writes = new DraftWrites(bridge, workspaceId, refresh);
      const draft = {
        writes,
        comment: new KeptComment(writes, workspaceId),
        memory: new GridMemory(),
        posted: new Map(),
        refresh,
      };
      kept.set(workspaceId, draft);
      return draft;
    },
    [bridge, client, kept],
  );
  useEvent('uploads.changed', ({ workspaceId }) => draftOf(workspaceId).refresh());
  const saveAll = useEffectEvent(() => {
    for (const { comment } of kept.values()) comment.leave();
  });
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener('pagehide', () => saveAll(), { signal: stop.signal });
    // A page out of sight may be ended without another word.
    document.addEventListener('visibilitychange', () => document.hidden && saveAll(), { signal: stop.signal });
    return () => stop.abort();
  }, []);
  return <DraftsContext value={draftOf}>{children}</DraftsContext>;
}

/** The draft of the current workspace; null while that is not known. */
export function useDraft(): Draft | null {
  const draftOf = useContext(DraftsContext);
  if (!draftOf) throw new TypeError('useDraft outside of DraftDeskProvider');
  const { current } = useWorkspaces();
  const { data = null, error } = useOperation(
    'uploads.draft',
    { workspaceId: current?.id ?? '' },
    { enabled: current !== null },
  );
  return useMemo(
    () => (current === null ? null : { ...draftOf(current.id), workspace: current, summary: data, failure: error }),
    [draftOf, current, data, error],
  );
}

/** Draws again whenever something was done with the draft. */
export function useWrites(writes: DraftWrites): DraftWrites {
  useSyncExternalStore(writes.subscribe, writes.revision);
  return writes;
}
