import { createContext, type ReactNode, startTransition, useCallback, useContext, useMemo, useState } from 'react';
import type { RoomName } from './rooms.ts';

export const settingsSections = [
  'appearance',
  'workspaces',
  'storage',
  'downloads',
  'uploads',
  'watch',
  'scans',
  'rules',
  'export',
  'tokens',
  'keyboard',
  'about',
] as const;
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
  /** The sample that Library shows, by any of its hashes; null: the list. */
  shownSample: string | null;
  /** A query somebody asked the library for from elsewhere; each asking is another object. */
  askedQuery: AskedQuery | null;
  /** The scan or hunt that Scan shows, and the file of it that was asked for; null: what is to be scanned next. */
  shownScan: ShownScan | null;
  /** Shows a room as it was left; the library, where it is shown already, by its list. */
  openRoom(room: RoomName): void;
  openSettings(section: SettingsSection): void;
  openPublications(tab: PublicationsTab): void;
  /** Shows a job in Activity. */
  openJob(id: number): void;
  chooseJob(id: number): void;
  /**
   * Shows the results of a scan or a hunt, from one of its files on where one is named; null: what is to be scanned
   * next.
   */
  openScan(jobId: number | null, position?: number): void;
  /** Shows the list of the library, found by a query where one is given. */
  openLibrary(query?: string): void;
  /** Shows a sample in the library; null: back to the list. */
  openSample(hash: string | null): void;
}

export interface AskedQuery {
  text: string;
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
  const [shownSample, setShownSample] = useState<string | null>(null);
  const [askedQuery, setAskedQuery] = useState<AskedQuery | null>(null);
  // A room with a long table takes longer to draw than the page may stand still: it is drawn in pieces.
  const showRoom = useCallback((next: RoomName) => startTransition(() => setRoom(next)), []);
  const openRoom = useCallback(
    (next: RoomName) => {
      if (next === 'library' && room === 'library') startTransition(() => setShownSample(null));
      showRoom(next);
    },
    [room, showRoom],
  );
  const openSettings = useCallback(
    (next: SettingsSection) => {
      setSection(next);
      showRoom('settings');
    },
    [showRoom],
  );
  const openPublications = useCallback(
    (next: PublicationsTab) => {
      setPublicationsTab(next);
      showRoom('publications');
    },
    [showRoom],
  );
  const openJob = useCallback(
    (id: number) => {
      chooseJob(id);
      showRoom('activity');
    },
    [showRoom],
  );
  const openScan = useCallback(
    (jobId: number | null, position?: number) => {
      setShownScan(jobId === null ? null : { jobId, position: position ?? null });
      showRoom('scan');
    },
    [showRoom],
  );
  const openSample = useCallback(
    (hash: string | null) => {
      startTransition(() => setShownSample(hash));
      showRoom('library');
    },
    [showRoom],
  );
  const openLibrary = useCallback(
    (query?: string) => {
      if (query !== undefined) setAskedQuery({ text: query });
      openSample(null);
    },
    [openSample],
  );
  const navigation = useMemo(
    () => ({
      room,
      section,
      publicationsTab,
      chosenJob,
      shownScan,
      shownSample,
      askedQuery,
      openRoom,
      openSettings,
      openPublications,
      openJob,
      chooseJob,
      openScan,
      openLibrary,
      openSample,
    }),
    [
      room,
      section,
      publicationsTab,
      chosenJob,
      shownScan,
      shownSample,
      askedQuery,
      openRoom,
      openSettings,
      openPublications,
      openJob,
      openScan,
      openLibrary,
      openSample,
    ],
  );
  return <NavigationContext value={navigation}>{children}</NavigationContext>;
}
