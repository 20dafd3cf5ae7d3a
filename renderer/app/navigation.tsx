import { createContext, type ReactNode, startTransition, useCallback, useContext, useMemo, useState } from 'react';
import type { RoomName } from './rooms.ts';

export const settingsSections = ['appearance', 'workspaces', 'downloads', 'uploads', 'scans', 'export', 'tokens', 'keyboard', 'about'] as const;
export type SettingsSection = (typeof settingsSections)[number];

export const publicationsTabs = ['updates', 'rules', 'mutes', 'publish'] as const;
export type PublicationsTab = (typeof publicationsTabs)[number];

/** Where the page is. Kept here and not in the address: its fragment belongs to the one-time link. */
export interface Navigation {
  room: RoomName;
  section: SettingsSection;
  /** The tab that Publications shows. */
  publicationsTab: PublicationsTab;
  /** The job that Activity shows; null: its first one. */
  chosenJob: number | null;
  /** The scan or hunt that Scan shows, and the file of it that was asked for; null: what is to be scanned next. */
  shownScan: ShownScan | null;
  openRoom(room: RoomName): void;
  openSettings(section: SettingsSection): void;
  openPublications(tab: PublicationsTab): void;
  /** Shows a job in Activity. */
  openJob(id: number): void;
  chooseJob(id: number): void;
  /** Shows the results of a scan or a hunt, from one of its files on where one is named; null: what is to be scanned next. */
  openScan(jobId: number | null, position?: number): void;
}

export interface ShownScan {
  jobId: number;
  /** null: whichever file comes first. */
  position: number | null;
}

const NavigationContext = createContext<Navigation | null>(null);

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new TypeError('useNavigation outside of NavigationProvider');
  return navigation;
}

export function NavigationProvider({ children }: { children: ReactNode }) {
  const [room, setRoom] = useState<RoomName>('lookup');
  const [section, setSection] = useState<SettingsSection>('appearance');
  const [publicationsTab, setPublicationsTab] = useState<PublicationsTab>('updates');
  const [chosenJob, chooseJob] = useState<number | null>(null);
  const [shownScan, setShownScan] = useState<ShownScan | null>(null);
  // A room with a long table takes longer to draw than the page may stand still: it is drawn in pieces.
  const openRoom = useCallback((next: RoomName) => startTransition(() => setRoom(next)), []);
  const openSettings = useCallback((next: SettingsSection) => {
    setSection(next);
    openRoom('settings');
  }, [openRoom]);
  const openPublications = useCallback((next: PublicationsTab) => {
    setPublicationsTab(next);
    openRoom('publications');
  }, [openRoom]);
  const openJob = useCallback((id: number) => {
    chooseJob(id);
    openRoom('activity');
  }, [openRoom]);
  const openScan = useCallback((jobId: number | null, position?: number) => {
    setShownScan(jobId === null ? null : { jobId, position: position ?? null });
    openRoom('scan');
  }, [openRoom]);
  const navigation = useMemo(
    () => ({ room, section, publicationsTab, chosenJob, shownScan, openRoom, openSettings, openPublications, openJob, chooseJob, openScan }),
    [room, section, publicationsTab, chosenJob, shownScan, openRoom, openSettings, openPublications, openJob, openScan],
  );
  return <NavigationContext value={navigation}>{children}</NavigationContext>;
}
