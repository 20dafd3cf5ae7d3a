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
import { type NavigationView, navigationViews } from '../../shared/domain/host.ts';
import type { SettingPlace, SettingsSection } from './settings-index.ts';

export { settingsSections, type SettingsSection } from './settings-index.ts';

export const publicationsTabs = ['updates', 'rules', 'mutes', 'publish'] as const;
export type PublicationsTab = (typeof publicationsTabs)[number];

/** Where the page is. Kept here and not in the address: its fragment belongs to the one-time link. */
export interface Navigation {
  currentView: ViewName;
  section: SettingsSection;
  /** The setting that was asked for last; each request is another object. null: a section as a whole. */
  soughtSetting: SoughtSetting | null;
  /** The tab that Publications shows. */
  publicationsTab: PublicationsTab;
  /** The job that Activity shows; null: its first one. */
  chosenJob: number | null;
  /** The sample that Library shows, by any of its hashes; null: the list. */
  shownSample: string | null;
  /** A library query requested from elsewhere; each request is another object. */
  requestedQuery: RequestedQuery | null;
  /** The scan or hunt that Scan shows, and the file of it that was asked for; null: what is to be scanned next. */
  shownScan: ShownScan | null;
  /** Shows a view as it was left; the library, where it is shown already, by its list. */
  openView(view: ViewName): void;
  /** Shows a section, at one of its settings where one is named. */
  openSettings(section: SettingsSection, setting?: SettingPlace): void;
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

export interface SoughtSetting {
  place: SettingPlace;
}

export interface RequestedQuery {
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
  const [currentView, setView] = useState<ViewName>('lookup');
  // Drawing a view with a long table would block the page for too long: it is drawn in pieces.
  const showView = useCallback((next: ViewName) => startTransition(() => setView(next)), []);
  const shown = useShownParts(showView);
  const library = useShownLibrary(showView);
  const { openSample } = library;
  const openView = useCallback(
    (next: ViewName) => {
      if (next === 'library' && currentView === 'library') openSample(null);
      else showView(next);
    },
    [currentView, showView, openSample],
  );
  const navigation = useMemo(
    () => ({ currentView, openView, ...shown, ...library }),
    [currentView, openView, shown, library],
  );
  return <NavigationContext value={navigation}>{children}</NavigationContext>;
}

type ShowView = (view: ViewName) => void;

/** What Settings, Publications, Activity and Scan show. Memoised: the same object until one of them changes. */
function useShownParts(showView: ShowView) {
  const [section, setSection] = useState<SettingsSection>('appearance');
  const [soughtSetting, seek] = useState<SoughtSetting | null>(null);
  const [publicationsTab, setPublicationsTab] = useState<PublicationsTab>('updates');
  const [chosenJob, chooseJob] = useState<number | null>(null);
  const [shownScan, setShownScan] = useState<ShownScan | null>(null);
  const ways = useMemo(
    () => ({
      openSettings: (next: SettingsSection, setting?: SettingPlace) => {
        setSection(next);
        seek(setting === undefined ? null : { place: setting });
        showView('settings');
      },
      openPublications: (next: PublicationsTab) => {
        setPublicationsTab(next);
        showView('publications');
      },
      openJob: (id: number) => {
        chooseJob(id);
        showView('activity');
      },
      openScan: (jobId: number | null, position?: number) => {
        setShownScan(jobId === null ? null : { jobId, position: position ?? null });
        showView('scan');
      },
    }),
    [showView],
  );
  return useMemo(
    () => ({ section, soughtSetting, publicationsTab, chosenJob, shownScan, chooseJob, ...ways }),
    [section, soughtSetting, publicationsTab, chosenJob, shownScan, ways],
  );
}

/** What Library shows. Memoised: the same object until that changes. */
function useShownLibrary(showView: ShowView) {
  const [shownSample, setShownSample] = useState<string | null>(null);
  const [requestedQuery, setRequestedQuery] = useState<RequestedQuery | null>(null);
  const openSample = useCallback(
    (hash: string | null) => {
      startTransition(() => setShownSample(hash));
      showView('library');
    },
    [showView],
  );
  const openLibrary = useCallback(
    (query?: string) => {
      if (query !== undefined) setRequestedQuery({ text: query });
      openSample(null);
    },
    [openSample],
  );
  return useMemo(
    () => ({ shownSample, requestedQuery, openSample, openLibrary }),
    [shownSample, requestedQuery, openSample, openLibrary],
  );
}

export type ViewName = NavigationView | 'settings' | 'welcome';

interface SidebarView {
  name: NavigationView;
  title: string;
  Icon: LucideIcon;
}

const icons: Readonly<Record<NavigationView, LucideIcon>> = {
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

/** The views of the sidebar, in its order. Settings has its own place at the foot. */
export const sidebarViews: readonly SidebarView[] = navigationViews.map(({ name, title }) => ({
  name,
  title,
  Icon: icons[name],
}));

/** What places inside of a view are called, there and in the palette. */
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
