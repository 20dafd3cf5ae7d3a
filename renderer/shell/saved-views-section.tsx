import { Ellipsis } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { longestViewName, type SavedView } from '../../shared/domain/library.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { useOperation } from '../bridge/operations.ts';
import { Button, IconButton } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { FailureNotice, ReadFailure } from '../components/failure-notice.tsx';
import { formatNumber } from '../components/format.ts';
import { Menu } from '../components/menu.tsx';
import { TextField } from '../components/text-field.tsx';
import { openedView, useLibraryPlace, useLibraryPlaces } from '../features/library/library-place.tsx';
import {
  useSavedViews,
  useViewActs,
  useViewCounts,
  type ViewActs,
  type ViewCount,
} from '../features/library/saved-views.ts';
import { text } from '../features/library/strings.ts';
import { keys } from '../keyboard/keys.ts';
import { useNavigation } from '../state/navigation.tsx';
import { useReportedAction } from '../state/reported-action.ts';
import aloud from '../styles/aloud.module.css';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import styles from './saved-views.module.css';
import { SidebarFigure, SidebarLine, SidebarSection } from './sidebar-line.tsx';

/** The saved views in the sidebar, with what each finds now. Nothing where there are none. */
export function SavedViewsSection() {
  const { views, failure: unread } = useSavedViews();
  // Without a host nothing can be read, and the page shows that above everything.
  const { error: withoutHost } = useOperation('host.describe', {});
  const failure = withoutHost === null ? unread : null;
  const counts = useViewCounts(views);
  const [news, report] = useState('');
  const acts = useViewActs(views, (view, place) => report(text.moved(visibleText(view.name), place, views.length)));
  const { currentView } = useNavigation();
  const [place] = useLibraryPlace();
  const opened = openedView(place, views);
  const [renamed, rename] = useState<SavedView | null>(null);
  if (views.length === 0 && failure === null) return null;
  return (
    <>
      <SidebarSection
        title={text.savedViews}
        reported={
          failure !== null && (
            <div className={styles.reported}>
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
            isCurrent={currentView === 'library' && opened?.id === view.id}
            acts={acts}
            onRename={() => rename(view)}
          />
        ))}
      </SidebarSection>
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
  // A held key acts once: it would continue with the next view.
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
    <li ref={line} className={classNames(layout.relative, styles.line)} onKeyDownCapture={onKeyDown}>
      <SidebarLine
        size="small"
        label={spoken(name, count)}
        title={
          <bdi className={classNames(typography.ellipsis, styles.name)} title={name}>
            {name}
          </bdi>
        }
        aside={<SidebarFigure>{countWords(count)}</SidebarFigure>}
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
 * the views.
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
  { id: 'rename', text: text.rename, aside: keys.savedViews.rename.keys },
  { id: 'up', text: text.up, aside: keys.savedViews.up.keys },
  { id: 'down', text: text.down, aside: keys.savedViews.down.keys },
  { id: 'remove', text: text.remove, aside: keys.savedViews.remove.keys },
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
  return count === 'unreadable' ? text.unreadableShort : formatNumber(count.samples);
}

function spoken(name: string, count: ViewCount | null): string {
  if (count === null) return name;
  return `${name}, ${count === 'unreadable' ? text.unreadable : text.samples(count.samples)}`;
}

interface RenameViewProps {
  view: SavedView;
  /** Names that other views have. */
  taken: readonly string[];
  onClose(): void;
}

function RenameView({ view, taken, onClose }: RenameViewProps) {
  const { mutate, error, isPending } = useReportedAction('views.rename', {
    failureText: (why) => text.notRenamed(visibleText(view.name), why),
    onClose,
  });
  const [name, setName] = useState(view.name);
  const form = useId();
  const trimmed = name.trim();
  const problem = trimmed === '' ? text.nameMissing : taken.includes(trimmed) ? text.nameTaken : null;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (problem === null && !isPending) mutate({ id: view.id, name: trimmed });
  };
  return (
    <Dialog
      title={text.renameTitle(visibleText(view.name))}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={form} isDisabled={problem !== null || isPending}>
            {text.rename}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={save}>
        <TextField
          label={text.name}
          value={name}
          onChange={setName}
          problem={problem}
          maxLength={longestViewName}
          autoComplete="off"
          takesFocus
        />
      </form>
      {error !== null && <FailureNotice failure={error} />}
    </Dialog>
  );
}
