import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react';
import type { Job } from '../../../shared/domain/job.ts';
import { useNoteJob, useShownJob } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { type IntakeStore, useIntakeStore } from './intake-store.tsx';
import { text } from './strings.ts';

/** What is on its way into the draft of a workspace, and the upload job that is shown. It outlives its view. */
export interface UploadStore extends IntakeStore {
  /** The upload job that is shown; after the page was loaded again, the newest of the workspace that is not over. */
  job: Job | null;
  showJob(job: Job): void;
  /** Lets go of the job, which runs on by itself. */
  leaveJob(): void;
}

const UploadStoreContext = createContext<UploadStore | null>(null);

export function useUploadStore(): UploadStore {
  const store = useContext(UploadStoreContext);
  if (!store) throw new TypeError('useUploadStore outside of UploadStoreProvider');
  return store;
}

export function UploadStoreProvider({ children }: { children: ReactNode }) {
  const workspaceId = useWorkspaces().current?.id ?? null;
  const { job, showJob, leaveJob } = useShownJob('upload', workspaceId);
  const noteJob = useNoteJob();
  const { openView } = useNavigation();
  const showDraft = useCallback(() => {
    leaveJob();
    openView('upload');
  }, [leaveJob, openView]);
  const { store: intakeStore, pickers } = useIntakeStore({ into: 'upload', haltedWords: text.halted, show: showDraft });
  const store = useMemo(
    (): UploadStore => ({
      ...intakeStore,
      // A job of another workspace continues there.
      job: job?.workspaceId === workspaceId ? job : null,
      showJob: (begun) => {
        noteJob(begun);
        showJob(begun.id);
      },
      leaveJob,
    }),
    [intakeStore, job, workspaceId, noteJob, showJob, leaveJob],
  );
  return (
    <UploadStoreContext value={store}>
      {children}
      {pickers}
    </UploadStoreContext>
  );
}
