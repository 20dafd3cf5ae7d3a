import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { Job } from '../../../shared/domain/job.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useNoteJob } from '../jobs.tsx';
import { useNavigation } from '../navigation.tsx';
import { useShownJob } from '../use-shown-job.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import type { DroppedEntry } from './dropped-entry.ts';
import { FilePicker } from './file-picker.tsx';
import { Intake } from './intake.ts';
import { type HaltedIntake, type IntakeProgress, type IntakeState, noIntake, type RefusedFiles } from './intake-state.ts';
import { text } from './text.ts';

/** What is on its way into the draft of a workspace, and the upload job that is shown. It outlives its view. */
export interface UploadDesk {
  /** What is on its way into the draft; null when nothing is. */
  intake: IntakeProgress | null;
  /** Files that could not be taken. */
  refused: RefusedFiles;
  /** What ended the taking in before its end; null again with the next `take`. */
  halted: HaltedIntake | null;
  /** Files and folders from a drop or a picker, into the draft of the workspace one is in. Goes on while one looks at other rooms. */
  take(dropped: readonly DroppedEntry[]): void;
  /** Takes nothing more; what is in the draft stays. */
  stop(): void;
  dismissRefused(): void;
  dismissHalted(): void;
  /** Opens the browser's picker, to be called while a key or a button is pressed. */
  pickFiles(): void;
  pickFolder(): void;
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
  const { state, intake } = useIntake();
  const { current, failure } = useWorkspaces();
  const workspaceId = current?.id ?? null;
  const { job, showJob, leaveJob } = useShownJob('upload', workspaceId);
  const noteJob = useNoteJob();
  const { openRoom } = useNavigation();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);

  const take = useCallback((dropped: readonly DroppedEntry[]) => {
    if (dropped.length === 0) return;
    if (workspaceId === null) intake.halt(failure ?? { kind: 'host-gone' }, dropped.length);
    else intake.take(workspaceId, dropped);
    // The draft is what one wants to see now.
    leaveJob();
    openRoom('upload');
  }, [intake, workspaceId, failure, leaveJob, openRoom]);
  const desk = useMemo((): UploadDesk => ({
    intake: state.progress,
    refused: state.refused,
    halted: state.halted,
    take,
    stop: () => intake.stop(),
    dismissRefused: () => intake.dismissRefused(),
    dismissHalted: () => intake.dismissHalted(),
    pickFiles: () => files.current?.click(),
    pickFolder: () => folder.current?.click(),
    // One of another workspace goes on there.
    job: job?.workspaceId === workspaceId ? job : null,
    showJob: (begun) => {
      noteJob(begun);
      showJob(begun.id);
    },
    leaveJob,
  }), [state, intake, take, job, workspaceId, noteJob, showJob, leaveJob]);
  return (
    <UploadDeskContext value={desk}>
      {children}
      <FilePicker ref={files} of="files" onPick={take} />
      <FilePicker ref={folder} of="folder" onPick={take} />
    </UploadDeskContext>
  );
}

function useIntake(): { state: IntakeState; intake: Intake } {
  const bridge = useBridge();
  const toast = useToast();
  const [state, setState] = useState(noIntake);
  const [intake] = useState(() => new Intake(bridge, setState));
  const { halted } = state;
  // It may have ended while one looked at another room; why is told where the draft is.
  useEffect(() => {
    if (halted !== null) toast({ meaning: 'bad', text: text.halted });
  }, [halted, toast]);
  return { state, intake };
}
