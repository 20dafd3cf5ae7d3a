import { type LucideIcon, PanelLeftClose, PanelLeftOpen, Settings, TriangleAlert } from 'lucide-react';
import { memo, useCallback, useRef, useState, useSyncExternalStore } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { useOperation } from '../bridge/operations.ts';
import { numberWords } from '../components/byte-words.ts';
import { jobShare } from '../components/jobs/job-words.ts';
import { SampleName } from '../components/sample-name.tsx';
import { useLookupDesk, useRecentLookups } from '../features/lookup/lookup-store.tsx';
import { useCurrentPublications } from '../features/publications/publications-place.tsx';
import { useKeptFocus } from '../keyboard/focus.ts';
import { rememberedRailFold, rememberRailFold } from '../memory/preferences.ts';
import type { RecentLookup } from '../memory/recents.ts';
import { isHalted, isRunning, useJobs } from '../state/jobs.tsx';
import { type RoomName, rooms, useNavigation } from '../state/navigation.tsx';
import { useLatest } from '../state/presence.ts';
import { useWorkspaces } from '../state/workspaces.tsx';
import { classNames } from '../styles/class-names.ts';
import { SavedViewsSection } from './saved-views-section.tsx';
import { RailFigure, RailLine, RailSection } from './sidebar-line.tsx';
import styles from './sidebar.module.css';
import { text } from './strings.ts';

const longestName = 22;

/** What was looked up of late in this workspace; one press asks again. */
function RecentSection() {
  const { current } = useWorkspaces();
  const recents = useRecentLookups(current?.id ?? null);
  if (recents.length === 0) return null;
  return (
    <RailSection title={text.recent}>
      {recents.map((recent) => (
        <li key={recent.key}>
          <RecentButton recent={recent} />
        </li>
      ))}
    </RailSection>
  );
}

function RecentButton({ recent: { md5, name } }: { recent: RecentLookup }) {
  const { ask } = useLookupDesk();
  const { openRoom } = useNavigation();
  const shown = name === null || name === '' ? md5.slice(0, 12) : visibleText(name);
  return (
    <RailLine
      size="small"
      label={text.recentOpen(shown)}
      title={name === null || name === '' ? <code>{shown}</code> : <SampleName name={name} longest={longestName} />}
      onPress={() => {
        openRoom('lookup');
        ask(md5);
      }}
    />
  );
}

export function Rail({ isFolded, onFold }: { isFolded: boolean; onFold(): void }) {
  const nav = useRef<HTMLElement>(null);
  useKeptFocus(nav);
  const { room, openRoom } = useNavigation();
  const open = useLatest(openRoom);
  const library = useLibraryState();
  const bulk = useBulkState();
  const upload = useUploadState();
  const scan = useScanState();
  const publications = usePublicationsState();
  const states: Partial<Record<RoomName, RoomState | null>> = {
    library,
    'bulk-download': bulk,
    upload,
    scan,
    publications,
  };
  const fold = isFolded ? text.unfoldRail : text.foldRail;
  return (
    <nav ref={nav} className={styles.rail} data-pane aria-label={text.rooms}>
      <ul className={styles.rooms}>
        {rooms.map(({ name, title, Icon }) => (
          <li key={name}>
            <RoomLine
              name={name}
              title={title}
              Icon={Icon}
              aside={states[name] ?? null}
              isFolded={isFolded}
              isCurrent={room === name}
              onOpen={open}
            />
          </li>
        ))}
      </ul>
      <div className={styles.middle}>{!isFolded && middle}</div>
      <ul className={classNames(styles.foot, isFolded && styles.stacked)}>
        <li className={styles.settings}>
          <RoomLine
            name="settings"
            title={text.settings}
            Icon={Settings}
            isFolded={isFolded}
            isCurrent={room === 'settings'}
            onOpen={open}
          />
        </li>
        <li className={classNames(styles.fold, styles.wideOnly)}>
          <RailButton
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

interface RailButtonProps {
  title: string;
  Icon: LucideIcon;
  /** How it stands, at the end of the line. */
  aside?: RoomState | null;
  isFolded: boolean;
  isCurrent: boolean;
  onPress(): void;
}

interface RoomLineProps extends Omit<RailButtonProps, 'onPress'> {
  name: RoomName;
  onOpen(name: RoomName): void;
}

/** What one room tells of itself draws no line of another one. */
const RoomLine = memo(function RoomLine({ name, onOpen, ...line }: RoomLineProps) {
  return <RailButton {...line} onPress={() => onOpen(name)} />;
});

const RailButton = memo(function RailButton({
  title,
  Icon,
  aside = null,
  isFolded,
  isCurrent,
  onPress,
}: RailButtonProps) {
  const button = (
    <RailLine
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
      <Tooltip placement="right" offset={6} className={classNames(styles.tip)}>
        {title}
      </Tooltip>
    </TooltipTrigger>
  );
});

function Aside({ state }: { state: RoomState }) {
  if (state.kind === 'figure') return <RailFigure>{state.shown}</RailFigure>;
  return <TriangleAlert className={styles.halted ?? ''} size={14} strokeWidth={1.6} aria-hidden="true" />;
}

const narrow = '(width < 1100px)';

function watchWidth(changed: () => void): () => void {
  const query = window.matchMedia(narrow);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

interface RailFold {
  isFolded: boolean;
  /**
   * False in a narrow window, where it stays folded: then `toggle` does nothing, what was not seen would be remembered.
   */
  canToggle: boolean;
  toggle(): void;
}

/** Folded as the person left it; in a narrow window always. */
export function useRailFold(): RailFold {
  const isNarrow = useSyncExternalStore(watchWidth, () => window.matchMedia(narrow).matches);
  const [chosen, setChosen] = useState(rememberedRailFold);
  const isFolded = isNarrow || (chosen ?? false);
  const toggle = useCallback(() => {
    if (isNarrow) return;
    setChosen((before) => {
      rememberRailFold(!(before ?? false));
      return !(before ?? false);
    });
  }, [isNarrow]);
  return { isFolded, canToggle: !isNarrow, toggle };
}

/** How a room of the rail stands. */
type RoomState = { kind: 'halted' } | { kind: 'figure'; shown: string; spoken: string };

/** How the newest bulk download that is not over stands; null when there is none. */
function useBulkState(): RoomState | null {
  const bulk = useJobs().filter(({ task }) => task.kind === 'bulk-download');
  if (bulk.some(isHalted)) return { kind: 'halted' };
  const job = bulk.find(isRunning);
  const share = job === undefined ? null : jobShare(job);
  return share === null ? null : { kind: 'figure', shown: text.percent(share), spoken: text.percent(share) };
}

/** How many files are in the draft of this workspace; an upload that halted comes first. */
function useUploadState(): RoomState | null {
  const jobs = useJobs();
  const { current } = useWorkspaces();
  const { data } = useOperation('uploads.draft', { workspaceId: current?.id ?? '' }, { enabled: current !== null });
  if (jobs.some((job) => job.task.kind === 'upload' && isHalted(job))) return { kind: 'halted' };
  return data === undefined || data.files === 0
    ? null
    : { kind: 'figure', shown: numberWords(data.files), spoken: text.inDraft(data.files) };
}

/** How many scans and hunts run, whichever workspace they are of; one that halted comes first. */
function useScanState(): RoomState | null {
  const scans = useJobs().filter(({ task }) => task.kind === 'scan' || task.kind === 'hunt');
  if (scans.some(isHalted)) return { kind: 'halted' };
  const running = scans.filter(isRunning).length;
  return running === 0 ? null : { kind: 'figure', shown: numberWords(running), spoken: text.scansRunning(running) };
}

/** How many samples this desk knows; null: none yet, or not told. */
function useLibraryState(): RoomState | null {
  const { data } = useOperation('library.count', {});
  if (data === undefined || data.samples === 0) return null;
  return { kind: 'figure', shown: numberWords(data.samples), spoken: text.samplesKnown(data.samples) };
}

/** Whether a package waits to be looked at; null: none. */
function usePublicationsState(): RoomState | null {
  const state = useCurrentPublications();
  if (state === undefined || state.candidate === null) return null;
  return { kind: 'figure', shown: text.newPackage, spoken: text.newPackageSpoken };
}
