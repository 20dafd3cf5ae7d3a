import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useWorkspaces } from '../../state/workspaces.ts';
import type { DroppedEntry } from './dropped-entry.ts';
import { FilePicker } from './file-picker.tsx';
import {
  type HaltedIntake,
  type IntakeProgress,
  type IntakeState,
  noIntake,
  type RefusedFiles,
} from './intake-state.ts';
import { type AddFiles, Intake } from './intake.ts';

/** Files on their way into a list of the workspace one is in: the draft of an upload, or what is to be scanned. */
export interface IntakeDesk {
  /** What is on its way into the list; null when nothing is. */
  intake: IntakeProgress | null;
  /** Files that could not be taken. */
  refused: RefusedFiles;
  /** What ended the taking in before its end; null again with the next `take`. */
  halted: HaltedIntake | null;
  /** Files and folders from a drop or a picker. Shows their list, and goes on while one looks at other rooms. */
  take(dropped: readonly DroppedEntry[]): void;
  /** Takes nothing more; what is in the list stays. */
  stop(): void;
  dismissRefused(): void;
  dismissHalted(): void;
  /** Opens the browser's picker, to be called while a key or a button is pressed. */
  pickFiles(): void;
  pickFolder(): void;
}

export interface IntakeList {
  /** What its pickers are for. */
  into: 'upload' | 'scan' | 'library';
  /** Where staged files go, the same as long as the page is open; else into the draft of an upload. */
  add?: AddFiles;
  /** That not all files came in, told wherever one is. */
  haltedWords: string;
  /** Shows the list. */
  show(): void;
}

/** A desk that takes files in, with its pickers, which have to be on the page to be opened. */
export function useIntakeDesk({ into, add, haltedWords, show }: IntakeList): { desk: IntakeDesk; pickers: ReactNode } {
  const { state, intake } = useIntake(add, haltedWords);
  const take = useTake(intake, show);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const desk = useMemo(
    (): IntakeDesk => ({
      intake: state.progress,
      refused: state.refused,
      halted: state.halted,
      take,
      stop: () => intake.stop(),
      dismissRefused: () => intake.dismissRefused(),
      dismissHalted: () => intake.dismissHalted(),
      pickFiles: () => files.current?.click(),
      pickFolder: () => folder.current?.click(),
    }),
    [state, intake, take],
  );
  const pickers = (
    <>
      <FilePicker ref={files} of="files" into={into} onPick={take} />
      <FilePicker ref={folder} of="folder" into={into} onPick={take} />
    </>
  );
  return { desk, pickers };
}

function useIntake(add: AddFiles | undefined, haltedWords: string): { state: IntakeState; intake: Intake } {
  const bridge = useBridge();
  const toast = useToast();
  const [state, setState] = useState(noIntake);
  const [intake] = useState(() => new Intake(bridge, setState, add));
  const { halted } = state;
  // It may have ended while one looked at another room; why is told where the list is.
  useEffect(() => {
    if (halted !== null) toast({ meaning: 'bad', text: haltedWords });
  }, [halted, haltedWords, toast]);
  return { state, intake };
}

function useTake(intake: Intake, show: () => void): IntakeDesk['take'] {
  const { current, failure } = useWorkspaces();
  const workspaceId = current?.id ?? null;
  return useCallback(
    (dropped) => {
      if (dropped.length === 0) return;
      if (workspaceId === null) intake.halt(failure ?? { kind: 'host-gone' }, dropped.length);
      else intake.take(workspaceId, dropped);
      show();
    },
    [intake, workspaceId, failure, show],
  );
}
