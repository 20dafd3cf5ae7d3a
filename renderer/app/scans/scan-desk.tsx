import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useNavigation } from '../navigation.tsx';
import type { DroppedEntry } from '../uploads/dropped-entry.ts';
import { FilePicker } from '../uploads/file-picker.tsx';
import { type AddFiles, Intake } from '../uploads/intake.ts';
import { type HaltedIntake, type IntakeProgress, type IntakeState, noIntake, type RefusedFiles } from '../uploads/intake-state.ts';
import { text } from '../uploads/text.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import { mostFiles, type NextScan, NextScans } from './next-scans.ts';

/** What is to be scanned, and files on their way into that list. It outlives its view. */
export interface ScanDesk {
  next: NextScans;
  /** What is on its way into the list; null when nothing is. */
  intake: IntakeProgress | null;
  refused: RefusedFiles;
  halted: HaltedIntake | null;
  /** Files and folders from a drop or a picker, into the list of the workspace one is in. Shows that list. */
  take(dropped: readonly DroppedEntry[]): void;
  stop(): void;
  dismissRefused(): void;
  dismissHalted(): void;
  /** Opens the browser's picker, to be called while a key or a button is pressed. */
  pickFiles(): void;
  pickFolder(): void;
}

const ScanDeskContext = createContext<ScanDesk | null>(null);

export function useScanDesk(): ScanDesk {
  const desk = useContext(ScanDeskContext);
  if (desk === null) throw new TypeError('useScanDesk outside of ScanDeskProvider');
  return desk;
}

/** What is chosen in one workspace, and how to note another choice. */
export function useNextScan(workspaceId: string): readonly [NextScan, (change: Partial<NextScan>) => void] {
  const { next } = useScanDesk();
  const note = useCallback((change: Partial<NextScan>) => next.note(workspaceId, change), [next, workspaceId]);
  return [useSyncExternalStore(next.subscribe, () => next.at(workspaceId)), note];
}

export function ScanDeskProvider({ children }: { children: ReactNode }) {
  const [next] = useState(() => new NextScans());
  const { state, intake } = useIntake(next);
  const { current, failure } = useWorkspaces();
  const { openScan } = useNavigation();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const workspaceId = current?.id ?? null;
  const take = useCallback((dropped: readonly DroppedEntry[]) => {
    if (dropped.length === 0) return;
    if (workspaceId === null) intake.halt(failure ?? { kind: 'host-gone' }, dropped.length);
    else intake.take(workspaceId, dropped);
    openScan(null);
  }, [intake, workspaceId, failure, openScan]);
  const desk = useMemo((): ScanDesk => ({
    next,
    intake: state.progress,
    refused: state.refused,
    halted: state.halted,
    take,
    stop: () => intake.stop(),
    dismissRefused: () => intake.dismissRefused(),
    dismissHalted: () => intake.dismissHalted(),
    pickFiles: () => files.current?.click(),
    pickFolder: () => folder.current?.click(),
  }), [next, state, intake, take]);
  return (
    <ScanDeskContext value={desk}>
      {children}
      <FilePicker ref={files} of="files" into="scan" onPick={take} />
      <FilePicker ref={folder} of="folder" into="scan" onPick={take} />
    </ScanDeskContext>
  );
}

function useIntake(next: NextScans): { state: IntakeState; intake: Intake } {
  const bridge = useBridge();
  const toast = useToast();
  const [state, setState] = useState(noIntake);
  const [intake] = useState(() => new Intake(bridge, setState, intoList(next)));
  const { halted } = state;
  // It may have ended while one looked at another room; why is told where the list is.
  useEffect(() => {
    if (halted !== null) toast({ meaning: 'bad', text: text.haltedScan });
  }, [halted, toast]);
  return { state, intake };
}

const intoList = (next: NextScans): AddFiles => async (workspaceId, files) => {
  const left = next.addFiles(workspaceId, files.map(({ id, name, sizeBytes }) => ({ id, name, sizeBytes })));
  return { added: files.length - left, failure: left === 0 ? null : { kind: 'job-too-large', limit: mostFiles } };
};
