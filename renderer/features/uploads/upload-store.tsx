import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react';
import type { Job } from '../../../shared/domain/job.ts';
import { useNoteJob, useShownJob } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { type IntakeDesk, useIntakeDesk } from './intake-store.tsx';
import { text } from './strings.ts';

/** What is on its way into the draft of a workspace, and the upload job that is shown. It outlives its view. */
export interface UploadDesk extends IntakeDesk {
  /** The upload job that is shown; after the page was loaded again, the newest of the workspace that is not over. */
  job: Job | null;
  showJob(job: Job): void;
  /** Lets go of the job, which runs on by itself. */
  leaveJob(): void;
}

const UploadDeskContext = createContext<UploadDesk | null>(null);

export function useUploadDesk(): UploadDesk {
  const desk = useContext(UploadDeskContext);
  if (!desk) throw new TypeError('useUploadDesk outside of UploadDeskProvider');
  return desk;
}

export function UploadDeskProvider({ children }: { children: ReactNode }) {
  const workspaceId = useWorkspaces().current?.id ?? null;
  const { job, showJob, leaveJob } = useShownJob('upload', workspaceId);
  const noteJob = useNoteJob();
  const { openRoom } = useNavigation();
  const showDraft = useCallback(() => {
    leaveJob();
    openRoom('upload');
  }, [leaveJob, openRoom]);
  const { desk: intakeDesk, pickers } = useIntakeDesk({ into: 'upload', haltedWords: text.halted, show: showDraft });
  const desk = useMemo(
    (): UploadDesk => ({
      ...intakeDesk,
      // One of another workspace goes on there.
      job: job?.workspaceId === workspaceId ? job : null,
      showJob: (begun) => {
        noteJob(begun);
        showJob(begun.id);
      },
      leaveJob,
    }),
    [intakeDesk, job, workspaceId, noteJob, showJob, leaveJob],
  );
  return (
    <UploadDeskContext value={desk}>
      {children}
      {pickers}
    </UploadDeskContext>
  );
}
