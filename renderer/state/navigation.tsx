import {
  Activity,
  BookLock,
  Download,
  Library,
  type LucideIcon,
  MessagesSquare,
  Package,
  ScanSearch,
  Search,
  Upload,
} from 'lucide-react';
import { createContext, type ReactNode, startTransition, useCallback, useContext, useMemo, useState } from 'react';
import { type RailRoom, railRooms } from '../../shared/domain/rail-room.ts';

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

interface ShownScan {
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
  // A room with a long table takes longer to draw than the page may stand still: it is drawn in pieces.
  const showRoom = useCallback((next: RoomName) => startTransition(() => setRoom(next)), []);
  const shown = useShownParts(showRoom);
  const library = useShownLibrary(showRoom);
  const { openSample } = library;
  const openRoom = useCallback(
    (next: RoomName) => {
      if (next === 'library' && room === 'library') openSample(null);
      else showRoom(next);
    },
    [room, showRoom, openSample],
  );
  const navigation = useMemo(() => ({ room, openRoom, ...shown, ...library }), [room, openRoom, shown, library]);
  return <NavigationContext value={navigation}>{children}</NavigationContext>;
}

type ShowRoom = (room: RoomName) => void;

/** What Settings, Publications, Activity and Scan show. Memoised: the same object until one of them changes. */
function useShownParts(showRoom: ShowRoom) {
  const [section, setSection] = useState<SettingsSection>('appearance');
  const [publicationsTab, setPublicationsTab] = useState<PublicationsTab>('updates');
  const [chosenJob, chooseJob] = useState<number | null>(null);
  const [shownScan, setShownScan] = useState<ShownScan | null>(null);
  const ways = useMemo(
    () => ({
      openSettings: (next: SettingsSection) => {
        setSection(next);
        showRoom('settings');
      },
      openPublications: (next: PublicationsTab) => {
        setPublicationsTab(next);
        showRoom('publications');
      },
      openJob: (id: number) => {
        chooseJob(id);
        showRoom('activity');
      },
      openScan: (jobId: number | null, position?: number) => {
        setShownScan(jobId === null ? null : { jobId, position: position ?? null });
        showRoom('scan');
      },
    }),
    [showRoom],
  );
  return useMemo(
    () => ({ section, publicationsTab, chosenJob, shownScan, chooseJob, ...ways }),
    [section, publicationsTab, chosenJob, shownScan, ways],
  );
}

/** What Library shows. Memoised: the same object until that changes. */
function useShownLibrary(showRoom: ShowRoom) {
  const [shownSample, setShownSample] = useState<string | null>(null);
  const [askedQuery, setAskedQuery] = useState<AskedQuery | null>(null);
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
  return useMemo(
    () => ({ shownSample, askedQuery, openSample, openLibrary }),
    [shownSample, askedQuery, openSample, openLibrary],
  );
}

export type RoomName = RailRoom | 'settings' | 'welcome';

interface Room {
  name: RoomName;
  title: string;
  Icon: LucideIcon;
}

const icons: Readonly<Record<RailRoom, LucideIcon>> = {
  library: Library,
  lookup: Search,
  'bulk-download': Download,
  upload: Upload,
  comments: MessagesSquare,
  scan: ScanSearch,
  publications: Package,
  activity: Activity,
  journal: BookLock,
};

/** The rooms of the rail, in its order. Settings has its own place at the foot. */
export const rooms: readonly Room[] = railRooms.map(({ name, title }) => ({ name, title, Icon: icons[name] }));

/** What places inside of a room are called, there and in the palette. */
export const settingsNames: Readonly<Record<SettingsSection, string>> = {
  appearance: 'Appearance',
  workspaces: 'Workspaces',
  storage: 'Storage',
  downloads: 'Downloads',
  uploads: 'Uploads',
  watch: 'Watched folder',
  scans: 'Scans',
  rules: 'Rule updates',
  export: 'Export',
  tokens: 'Tokens',
  keyboard: 'Keyboard',
  about: 'About',
};

export const tabNames: Readonly<Record<PublicationsTab, string>> = {
  updates: 'Updates',
  rules: 'Rules',
  mutes: 'Mutes',
  publish: 'Publish',
};
