import { type LucideIcon, PanelLeftClose, PanelLeftOpen, Settings, TriangleAlert } from 'lucide-react';
import { memo, useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { useOperation } from '../bridge/operations.ts';
import { formatNumber } from '../components/format.ts';
import { jobShare } from '../components/jobs/job-format.ts';
import { SampleName } from '../components/service-text.tsx';
import { useLookupStore, useRecentLookups } from '../features/lookup/lookup-store.tsx';
import { useCurrentPublications } from '../features/publications/publications-place.tsx';
import { useKeptFocus } from '../keyboard/focus.ts';
import { rememberedSidebarFold, rememberSidebarFold } from '../memory/preferences.ts';
import type { RecentLookup } from '../memory/recents.ts';
import { isHalted, isRunning, useJobs } from '../state/jobs.tsx';
import { type ViewName, sidebarViews, useNavigation } from '../state/navigation.tsx';
import { useLatest } from '../state/presence.ts';
import { useWorkspaces } from '../state/workspaces.tsx';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import surface from '../styles/surface.module.css';
import { SavedViewsSection } from './saved-views-section.tsx';
import { SidebarFigure, SidebarLine, SidebarSection } from './sidebar-line.tsx';
import styles from './sidebar.module.css';
import { text } from './strings.ts';

/** The recent look-ups of this workspace; one press repeats a look-up. */
function RecentSection() {
  const { current } = useWorkspaces();
  const recents = useRecentLookups(current?.id ?? null);
  if (recents.length === 0) return null;
  return (
    <SidebarSection title={text.recent}>
      {recents.map((recent) => (
        <li key={recent.key}>
          <RecentButton recent={recent} />
        </li>
      ))}
    </SidebarSection>
  );
}

function RecentButton({ recent: { md5, name } }: { recent: RecentLookup }) {
  const { lookUpText } = useLookupStore();
  const { openView } = useNavigation();
  const shown = name === null || name === '' ? md5.slice(0, 12) : visibleText(name);
  return (
    <SidebarLine
      size="small"
      label={text.recentOpen(shown)}
      title={name === null || name === '' ? <code>{shown}</code> : <SampleName name={name} />}
      onPress={() => {
        openView('lookup');
        lookUpText(md5);
      }}
    />
  );
}

export function Sidebar({ isFolded, onFold }: { isFolded: boolean; onFold(): void }) {
  const nav = useRef<HTMLElement>(null);
  useKeptFocus(nav);
  const { currentView, openView } = useNavigation();
  const open = useLatest(openView);
  const library = useLibraryState();
  const bulk = useBulkState();
  const upload = useUploadState();
  const scan = useScanState();
  const publications = usePublicationsState();
  const states: Partial<Record<ViewName, ViewFigure | null>> = {
    library,
    'bulk-download': bulk,
    upload,
    scan,
    publications,
  };
  const fold = isFolded ? text.expandSidebar : text.collapseSidebar;
  return (
    <nav ref={nav} className={classNames(layout.stack, styles.sidebar)} data-pane aria-label={text.views}>
      <ul className={layout.fixed}>
        {sidebarViews.map(({ name, title, Icon }) => (
          <li key={name}>
            <SidebarEntry
              name={name}
              title={title}
              Icon={Icon}
              aside={states[name] ?? null}
              isFolded={isFolded}
              isCurrent={currentView === name}
              onOpen={open}
            />
          </li>
        ))}
      </ul>
      <div className={styles.middle}>{!isFolded && middle}</div>
      <ul className={classNames(layout.flex4, styles.foot, isFolded && styles.stacked)}>
        <li className={layout.grow}>
          <SidebarEntry
            name="settings"
            title={text.settings}
            Icon={Settings}
            isFolded={isFolded}
            isCurrent={currentView === 'settings'}
            onOpen={open}
          />
        </li>
        <li className={classNames(styles.fold, styles.wideOnly)}>
          <SidebarButton
            title={fold}
            Icon={isFolded ? PanelLeftOpen : PanelLeftClose}
            isFolded
            isCurrent={false}
            onPress={onFold}
          />
        </li>
      </ul>
    </nav>
  );
}

/** Asks for itself all that it shows. */
const middle = (
  <>
    <SavedViewsSection />
    <RecentSection />
  </>
);

interface SidebarButtonProps {
  title: string;
  Icon: LucideIcon;
  /** The state, at the end of the line. */
  aside?: ViewFigure | null;
  isFolded: boolean;
  isCurrent: boolean;
  onPress(): void;
}

interface SidebarEntryProps extends Omit<SidebarButtonProps, 'onPress'> {
  name: ViewName;
  onOpen(name: ViewName): void;
}

/** A change in one view's state redraws no line of another view. */
const SidebarEntry = memo(function ViewLine({ name, onOpen, ...line }: SidebarEntryProps) {
  return <SidebarButton {...line} onPress={() => onOpen(name)} />;
});

const SidebarButton = memo(function FoldButton({
  title,
  Icon,
  aside = null,
  isFolded,
  isCurrent,
  onPress,
}: SidebarButtonProps) {
  const button = (
    <SidebarLine
      label={aside === null ? title : `${title}, ${aside.kind === 'halted' ? text.haltedShort : aside.spoken}`}
      title={isFolded ? null : title}
      icon={<Icon size={16} strokeWidth={1.6} aria-hidden="true" />}
      aside={!isFolded && aside !== null && <Aside state={aside} />}
      current={isCurrent ? 'page' : undefined}
      onPress={onPress}
    />
  );
  if (!isFolded) return button;
  return (
    <TooltipTrigger delay={300} closeDelay={0}>
      {button}
      <Tooltip placement="right" offset={6} className={classNames(surface.tip)}>
        {title}
      </Tooltip>
    </TooltipTrigger>
  );
});

function Aside({ state }: { state: ViewFigure }) {
  if (state.kind === 'figure') return <SidebarFigure>{state.shown}</SidebarFigure>;
  return <TriangleAlert className={styles.halted ?? ''} size={14} strokeWidth={1.6} aria-hidden="true" />;
}

const narrow = '(width < 1100px)';

function watchWidth(changed: () => void): () => void {
  const query = window.matchMedia(narrow);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

interface SidebarFold {
  isFolded: boolean;
  /**
   * False in a narrow window, where it stays folded: then `toggle` does nothing, what was not seen would be remembered.
   */
  canToggle: boolean;
  toggle(): void;
}

/** Folded as the person left it; in a narrow window always. */
export function useSidebarFold(): SidebarFold {
  const isNarrow = useSyncExternalStore(watchWidth, () => window.matchMedia(narrow).matches);
  const [chosen, setChosen] = useState(rememberedSidebarFold);
  const isFolded = isNarrow || (chosen ?? false);
  const toggle = useCallback(() => {
    if (isNarrow) return;
    setChosen((before) => {
      rememberSidebarFold(!(before ?? false));
      return !(before ?? false);
    });
  }, [isNarrow]);
  return { isFolded, canToggle: !isNarrow, toggle };
}

/** The state of a view in the sidebar. */
type ViewFigure = { kind: 'halted' } | { kind: 'figure'; shown: string; spoken: string };

/** The state of the newest unfinished bulk download; null when there is none. */
function useBulkState(): ViewFigure | null {
  const bulk = useJobs().filter(({ task }) => task.kind === 'bulk-download');
  if (bulk.some(isHalted)) return { kind: 'halted' };
  const job = bulk.find(isRunning);
  const share = job === undefined ? null : jobShare(job);
  return share === null ? null : { kind: 'figure', shown: text.percent(share), spoken: text.percent(share) };
}

/** How many files are in the draft of this workspace; an upload that halted comes first. */
function useUploadState(): ViewFigure | null {
  const jobs = useJobs();
  const { current } = useWorkspaces();
  const { data } = useOperation('uploads.draft', { workspaceId: current?.id ?? '' }, { enabled: current !== null });
  if (jobs.some((job) => job.task.kind === 'upload' && isHalted(job))) return { kind: 'halted' };
  return data === undefined || data.files === 0
    ? null
    : { kind: 'figure', shown: formatNumber(data.files), spoken: text.inDraft(data.files) };
}

/** How many scans and hunts run, whichever workspace they are of; one that halted comes first. */
function useScanState(): ViewFigure | null {
  const scans = useJobs().filter(({ task }) => task.kind === 'scan' || task.kind === 'hunt');
  if (scans.some(isHalted)) return { kind: 'halted' };
  const running = scans.filter(isRunning).length;
  return running === 0 ? null : { kind: 'figure', shown: formatNumber(running), spoken: text.scansRunning(running) };
}

/** How many samples this computer knows; null: none yet, or not answered. */
function useLibraryState(): ViewFigure | null {
  const { data } = useOperation('library.count', {});
  if (data === undefined || data.samples === 0) return null;
  return { kind: 'figure', shown: formatNumber(data.samples), spoken: text.samplesKnown(data.samples) };
}

/** Whether a package waits to be looked at; null: none. */
function usePublicationsState(): ViewFigure | null {
  const state = useCurrentPublications();
  if (state === undefined || state.candidate === null) return null;
  return { kind: 'figure', shown: text.newPackage, spoken: text.newPackageSpoken };
}
