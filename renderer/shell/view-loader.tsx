import {
  Component,
  type ReactElement,
  type ReactNode,
  startTransition,
  use,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Notice } from '../components/notice.tsx';
import { focusLanding, isBehindOverlay } from '../keyboard/focus.ts';
import { type ViewName, sidebarViews } from '../state/navigation.tsx';
import { LookupView } from '../views/lookup/lookup-view.tsx';
import styles from './shell.module.css';
import { text } from './strings.ts';

/** The code of a view could not be had: the host has ended, or has a newer page by now. */
class ViewNotLoaded extends Error {
  constructor(name: ViewName, cause: unknown) {
    super(`The view "${name}" was not loaded: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'RoomNotLoaded';
  }
}

/** The page opens with the look-up; the others are loaded afterwards. */
type LazyViewName = Exclude<ViewName, 'lookup'>;

const sources: Readonly<Record<LazyViewName, () => Promise<ReactElement>>> = {
  library: () => import('../views/library/library-view.tsx').then(({ LibraryView }) => <LibraryView />),
  'bulk-download': () =>
    import('../views/bulk-download/bulk-download-view.tsx').then(({ BulkDownloadView }) => <BulkDownloadView />),
  upload: () => import('../views/upload/upload-view.tsx').then(({ UploadView }) => <UploadView />),
  comments: () => import('../views/comments/comments-view.tsx').then(({ CommentsView }) => <CommentsView />),
  scan: () => import('../views/scan/scan-view.tsx').then(({ ScanView }) => <ScanView />),
  publications: () =>
    import('../views/publications/publications-view.tsx').then(({ PublicationsView }) => <PublicationsView />),
  activity: () => import('../views/activity/activity-view.tsx').then(({ ActivityView }) => <ActivityView />),
  journal: () => import('../views/journal/journal-view.tsx').then(({ JournalView }) => <JournalView />),
  settings: () => import('../views/settings/settings-view.tsx').then(({ SettingsView }) => <SettingsView />),
  welcome: () => import('./welcome/welcome.tsx').then(({ Welcome }) => <Welcome />),
};

const lazyViews: readonly LazyViewName[] = [...sidebarViews.map(({ name }) => name), 'settings' as const].filter(
  (name) => name !== 'lookup',
);

const here = new Map<LazyViewName, ReactElement>();
const asked = new Map<LazyViewName, Promise<ReactElement>>();

/**
 * Shows a view: at once when its code is here, else as soon as it is. Throws `ViewNotLoaded` when that could not be
 * had.
 */
export function ShownView({ name }: { name: ViewName }) {
  return name === 'lookup' ? <LookupView /> : <LazyView key={name} name={name} />;
}

/**
 * A loaded view is shown without waiting, in which React would draw it in pieces. It is looked up once: a later change
 * of how it is shown would remount the view.
 */
function LazyView({ name }: { name: LazyViewName }) {
  const [view] = useState(() => here.get(name));
  return view ?? <AwaitedView name={name} />;
}

const AwaitedView = ({ name }: { name: LazyViewName }): ReactElement => use(load(name));

/** The same promise each time: a view that failed stays so until it is forgotten. */
function load(name: LazyViewName): Promise<ReactElement> {
  const before = asked.get(name);
  if (before !== undefined) return before;
  const now = reload(name);
  asked.set(name, now);
  return now;
}

async function reload(name: LazyViewName): Promise<ReactElement> {
  try {
    const view = await sources[name]();
    here.set(name, view);
    return view;
  } catch (cause) {
    throw new ViewNotLoaded(name, cause);
  }
}

/** When the view is shown next, it is loaded again. */
export function forgetView(name: ViewName): void {
  if (name !== 'lookup') asked.delete(name);
}

/**
 * Loads the views one after the other while the page has nothing else to do: then each opens at once, even when the
 * host has gone.
 */
export async function loadViewsWhenIdle(): Promise<void> {
  for (const name of lazyViews) {
    await idle();
    // Opening the view loads it again, and shows a failure if that fails too.
    await load(name).catch(() => forgetView(name));
  }
}

const idle = (): Promise<void> => new Promise((resolve) => requestIdleCallback(() => resolve()));

interface Props {
  children: ReactNode;
  /** Called before the content is drawn again. */
  onOpenAgain?: () => void;
}
interface State {
  error: Error | null;
}

/** A defect in a view stays in that view: the rest of the page works on. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : <Crashed error={error} onOpenAgain={() => this.#openAgain()} />;
  }

  #openAgain(): void {
    this.props.onOpenAgain?.();
    // What is loaded only now leaves the notice in place until it is there.
    startTransition(() => this.setState({ error: null }));
  }
}

function Crashed({ error, onOpenAgain }: { error: Error; onOpenAgain: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  // With the view went what had the focus, or the button of the notice before.
  useLayoutEffect(() => {
    if (place.current !== null && document.activeElement === document.body && !isBehindOverlay(place.current))
      focusLanding(place.current);
  }, []);
  const { title, then } = error instanceof ViewNotLoaded ? text.notLoaded : text.crashed;
  return (
    <div ref={place} className={styles.crashed}>
      <Notice
        meaning="bad"
        title={title}
        isAlert
        actions={
          <>
            <Button size="small" data-landing onPress={onOpenAgain}>
              {text.openAgain}
            </Button>
            <CopyButton text={() => error.stack ?? error.message} label={text.copyDetails} />
          </>
        }
      >
        {then}
      </Notice>
    </div>
  );
}
