import { createContext, type ReactNode, useCallback, useContext, useMemo, useState, useSyncExternalStore } from 'react';
import { useNavigation } from '../../state/navigation.tsx';
import { type PlaceNow, usePlace } from '../../state/presence.ts';
import { type IntakeDesk, useIntakeDesk } from '../uploads/intake-store.tsx';
import type { AddFiles } from '../uploads/intake.ts';
import { text } from '../uploads/strings.ts';
import { HeldStarts } from './held-start.ts';
import { mostFiles, type NextScan, NextScans } from './next-scans.ts';

/** What is to be scanned, and files on their way into that list. It outlives its view. */
export interface ScanDesk extends IntakeDesk {
  next: NextScans;
  /** The scans and hunts that the rooms of the workspaces begin. */
  starts: HeldStarts;
  place: PlaceNow;
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
  const [add] = useState(() => intoList(next));
  const [starts] = useState(() => new HeldStarts());
  const place = usePlace();
  const { openScan } = useNavigation();
  const showList = useCallback(() => openScan(null), [openScan]);
  const { desk: intakeDesk, pickers } = useIntakeDesk({
    into: 'scan',
    add,
    haltedWords: text.haltedScan,
    show: showList,
  });
  const desk = useMemo((): ScanDesk => ({ ...intakeDesk, next, starts, place }), [intakeDesk, next, starts, place]);
  return (
    <ScanDeskContext value={desk}>
      {children}
      {pickers}
    </ScanDeskContext>
  );
}

const intoList =
  (next: NextScans): AddFiles =>
  async (workspaceId, files) => {
    const left = next.addFiles(
      workspaceId,
      files.map(({ id, name, sizeBytes }) => ({ id, name, sizeBytes })),
    );
    return { added: files.length - left, failure: left === 0 ? null : { kind: 'job-too-large', limit: mostFiles } };
  };
