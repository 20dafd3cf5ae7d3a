import { FilePlus } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { useToast } from '../components/toasts.tsx';
import { useAdditions } from '../features/additions/additions.tsx';
import { text as additionsText } from '../features/additions/strings.ts';
import { useBundleStore } from '../features/bundle/bundle-store.tsx';
import { text as bundleText } from '../features/bundle/strings.ts';
import { useScanStore } from '../features/scans/scan-store.tsx';
import { type DroppedEntry, entriesOf } from '../features/uploads/dropped-files.ts';
import { text } from '../features/uploads/strings.ts';
import { useUploadStore } from '../features/uploads/upload-store.tsx';
import { hasOpenDialog } from '../keyboard/focus.ts';
import { useNavigation } from '../state/navigation.tsx';
import { useWorkspaces } from '../state/workspaces.tsx';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import styles from './drop-overlay.module.css';

interface DropPlace {
  take(dropped: readonly DroppedEntry[]): void;
  title: string;
  then: string;
}

/** Takes what is dropped on the window, and shows what will be done with it while it is dragged over. */
export function DropOverlay() {
  const upload = useUploadStore();
  const scan = useScanStore();
  const { current } = useWorkspaces();
  const additions = useAdditions();
  const { currentView } = useNavigation();
  const draft: DropPlace = {
    take: upload.take,
    title: text.dropTitle,
    then: text.dropThen(visibleText(current?.name ?? '')),
  };
  const places: Partial<Record<typeof currentView, DropPlace>> = {
    scan: { take: scan.take, title: text.dropScanTitle, then: text.dropScanThen },
    library: { take: additions.take, title: additionsText.dropTitle, then: additionsText.dropThen },
  };
  const { take, title, then } = places[currentView] ?? draft;
  const isOver = useWindowDrop(useBundleDrop(take));
  return (
    // There before its words: a live region that appears together with them may stay unread.
    <div role="status" className={styles.region}>
      {isOver && (
        <div className={classNames(layout.stack4, styles.overlay)}>
          <FilePlus size={20} strokeWidth={1.6} aria-hidden="true" />
          <p className={styles.title}>{title}</p>
          <p>
            <bdi>{then}</bdi>
          </p>
        </div>
      )}
    </div>
  );
}

/**
 * Takes files that are dropped anywhere on the window. What takes a drop by itself has prevented the event before it
 * comes here, and a text that is dragged is none of ours. @returns whether files are over the window now
 */
function useWindowDrop(take: (dropped: readonly DroppedEntry[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    const { dataTransfer } = event;
    if (event.defaultPrevented || !holdsFiles(dataTransfer)) return setOver(false);
    event.preventDefault();
    // Behind a dialog nothing may change.
    const canTake = !hasOpenDialog();
    dataTransfer.dropEffect = canTake ? 'copy' : 'none';
    setOver(canTake);
  });
  const onDrop = useEffectEvent((event: DragEvent) => {
    setOver(false);
    if (event.defaultPrevented || !holdsFiles(event.dataTransfer)) return;
    // Else the browser would leave the page and open the file.
    event.preventDefault();
    if (!hasOpenDialog()) take(entriesOf(event.dataTransfer));
  });
  const onLeave = useEffectEvent((event: DragEvent) => {
    // Between two elements of the page it names the one it comes to.
    if (event.relatedTarget === null) setOver(false);
  });
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener('dragenter', (event) => onDrag(event), { signal: stop.signal });
    window.addEventListener('dragover', (event) => onDrag(event), { signal: stop.signal });
    window.addEventListener('dragleave', (event) => onLeave(event), { signal: stop.signal });
    window.addEventListener('drop', (event) => onDrop(event), { signal: stop.signal });
    return () => stop.abort();
  }, []);
  return isOver;
}

const holdsFiles = (transfer: DataTransfer | null): transfer is DataTransfer =>
  transfer?.types.includes('Files') ?? false;

const isBundle = (entry: DroppedEntry): entry is File => entry instanceof File && /\.vitrine-bundle$/i.test(entry.name);

/** A bundle among what is dropped is opened, wherever one is; all else goes where it would go. */
function useBundleDrop(
  takeOthers: (dropped: readonly DroppedEntry[]) => void,
): (dropped: readonly DroppedEntry[]) => void {
  const { take } = useBundleStore();
  const toast = useToast();
  return (dropped) => {
    const [bundle, ...more] = dropped.filter(isBundle);
    const others = dropped.filter((entry) => !isBundle(entry));
    if (others.length > 0 || bundle === undefined) takeOthers(others);
    if (more.length > 0) toast({ meaning: 'info', text: bundleText.onlyOne });
    if (bundle !== undefined) take(bundle);
  };
}
