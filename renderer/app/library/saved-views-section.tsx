import { Ellipsis } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { SavedView } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { IconButton } from '../../components/button.tsx';
import { ReadFailure } from '../../components/failure-notice.tsx';
import { numberWords } from '../../components/format.ts';
import { Menu } from '../../components/menu.tsx';
import aloud from '../../styles/aloud.module.css';
import { useNavigation } from '../navigation.tsx';
import { RailFigure, RailLine } from '../rail-line.tsx';
import { RailSection } from '../rail-section.tsx';
import { openedView, useLibraryPlace, useLibraryPlaces } from './library-place.tsx';
import { RenameView } from './rename-view.tsx';
import styles from './saved-views.module.css';
import { text } from './text.ts';
import { useSavedViews, useViewCounts, type ViewCount } from './use-saved-views.ts';
import { useViewActs, type ViewActs } from './use-view-acts.ts';

/** The saved views in the rail, with what each finds now. Nothing where there are none. */
export function SavedViewsSection() {
  const { views, failure: unread } = useSavedViews();
  // Without a host nothing can be read, and the page says so above everything.
  const { error: withoutHost } = useOperation('host.describe', {});
  const failure = withoutHost === null ? unread : null;
  const counts = useViewCounts(views);
  const [news, tell] = useState('');
  const acts = useViewActs(views, (view, place) => tell(text.moved(visibleText(view.name), place, views.length)));
  const { room } = useNavigation();
  const [place] = useLibraryPlace();
  const opened = openedView(place, views);
  const [renamed, rename] = useState<SavedView | null>(null);
  if (views.length === 0 && failure === null) return null;
  return (
    <>
      <RailSection
        title={text.savedViews}
        told={
          failure !== null && (
            <div className={styles.told}>
              <ReadFailure failure={failure} of="views.list" isSmall />
            </div>
          )
        }
      >
        {views.map((view) => (
          <ViewLine
            key={view.id}
            view={view}
            count={counts.get(view.id) ?? null}
            isCurrent={room === 'library' && opened?.id === view.id}
            acts={acts}
            onRename={() => rename(view)}
          />
        ))}
      </RailSection>
      <div role="status" className={aloud.only}>
        {news}
      </div>
      {renamed !== null && (
        <RenameView
          view={renamed}
          taken={views.flatMap(({ id, name }) => (id === renamed.id ? [] : name))}
          onClose={() => rename(null)}
        />
      )}
    </>
  );
}

interface ViewLineProps {
  view: SavedView;
  /** null: not counted yet. */
  count: ViewCount | null;
  isCurrent: boolean;
  acts: ViewActs;
  onRename(): void;
}

function ViewLine({ view, count, isCurrent, acts, onRename }: ViewLineProps) {
  const places = useLibraryPlaces();
  const { openLibrary } = useNavigation();
  const name = visibleText(view.name);
  const open = (): void => {
    places.showView(view);
    openLibrary();
  };
  const line = useRef<HTMLLIElement>(null);
  useFocusOnward(line);
  // A key that is held is meant once: it would go on with the next view.
  const pressed = ({ key, repeat }: KeyboardEvent): void => {
    if (!repeat) act(key === 'F2' ? 'rename' : 'remove', view, acts, onRename);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // React passes on what happens in the menu, which floats elsewhere.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    if (event.altKey && event.key === 'ArrowUp') acts.move(view, -1);
    else if (event.altKey && event.key === 'ArrowDown') acts.move(view, 1);
    else if (event.key === 'F2' || event.key === 'Delete') pressed(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <li ref={line} className={styles.line} onKeyDownCapture={onKeyDown}>
      <RailLine
        size="small"
        label={spoken(name, count)}
        title={
          <bdi className={styles.name} title={name}>
            {name}
          </bdi>
        }
        aside={<RailFigure>{countWords(count)}</RailFigure>}
        current={isCurrent ? 'true' : undefined}
        onPress={open}
      />
      <span className={styles.more}>
        <ViewMenu name={name} onChoose={(id) => act(id, view, acts, onRename)} />
      </span>
    </li>
  );
}

/**
 * A line that goes gives the focus to the next one, else to the one before; without any to the library, the first of
 * the rooms.
 */
function useFocusOnward(line: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const gone = line.current;
    return () => {
      if (gone?.contains(document.activeElement) !== true) return;
      const next = gone.nextElementSibling ?? gone.previousElementSibling ?? gone.closest('nav');
      next?.querySelector('button')?.focus({ preventScroll: true });
    };
  }, [line]);
}

const choices = [
  { id: 'rename', text: text.rename, aside: text.renameKey },
  { id: 'up', text: text.up, aside: text.upKey },
  { id: 'down', text: text.down, aside: text.downKey },
  { id: 'remove', text: text.remove, aside: text.removeKey },
] as const;

function ViewMenu({ name, onChoose }: { name: string; onChoose(id: string): void }) {
  return (
    <Menu
      label={text.menu(name)}
      choices={choices}
      onChoose={onChoose}
      trigger={
        <IconButton label={text.more(name)}>
          <Ellipsis size={14} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
      }
    />
  );
}

function act(id: string, view: SavedView, acts: ViewActs, onRename: () => void): void {
  if (id === 'rename') onRename();
  else if (id === 'remove') acts.remove(view);
  else acts.move(view, id === 'up' ? -1 : 1);
}

function countWords(count: ViewCount | null): string | null {
  if (count === null) return null;
  return count === 'unreadable' ? text.unreadableShort : numberWords(count.samples);
}

function spoken(name: string, count: ViewCount | null): string {
  if (count === null) return name;
  return `${name}, ${count === 'unreadable' ? text.unreadable : text.samples(count.samples)}`;
}
