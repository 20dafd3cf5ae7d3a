import { type LucideIcon, PanelLeftClose, PanelLeftOpen, Settings, TriangleAlert } from 'lucide-react';
import { memo, useRef } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { useKeptFocus } from '../keyboard/focus.ts';
import { useNavigation } from '../state/navigation.tsx';
import { type RoomName, rooms } from '../state/rooms.ts';
import { text } from '../state/strings.ts';
import { useLatest } from '../state/use-latest.ts';
import { classNames } from '../styles/class-names.ts';
import { useLibraryState } from './library-room-state.ts';
import { usePublicationsState } from './publications-room-state.ts';
import { RecentSection } from './recent-section.tsx';
import { type RoomState, useBulkState, useScanState, useUploadState } from './running-jobs.tsx';
import { SavedViewsSection } from './saved-views-section.tsx';
import { RailFigure, RailLine } from './sidebar-line.tsx';
import styles from './sidebar.module.css';

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
