import { FilePlus } from 'lucide-react';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { useAdditions } from '../features/additions/additions.tsx';
import { text as additionsText } from '../features/additions/text.ts';
import { useScanDesk } from '../features/scans/scan-store.tsx';
import type { DroppedEntry } from '../features/uploads/dropped-entry.ts';
import { text } from '../features/uploads/strings.ts';
import { useUploadDesk } from '../features/uploads/upload-store.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useWorkspaces } from '../state/workspaces.ts';
import styles from './drop-overlay.module.css';
import { useBundleDrop } from './use-bundle-drop.ts';
import { useWindowDrop } from './use-window-drop.ts';

interface DropPlace {
  take(dropped: readonly DroppedEntry[]): void;
  title: string;
  then: string;
}

/** Takes what is dropped on the window, and says what will become of it while it is dragged over. */
export function DropOverlay() {
  const upload = useUploadDesk();
  const scan = useScanDesk();
  const { current } = useWorkspaces();
  const additions = useAdditions();
  const { room } = useNavigation();
  const draft: DropPlace = {
    take: upload.take,
    title: text.dropTitle,
    then: text.dropThen(visibleText(current?.name ?? '')),
  };
  const places: Partial<Record<typeof room, DropPlace>> = {
    scan: { take: scan.take, title: text.dropScanTitle, then: text.dropScanThen },
    library: { take: additions.take, title: additionsText.dropTitle, then: additionsText.dropThen },
  };
  const { take, title, then } = places[room] ?? draft;
  const isOver = useWindowDrop(useBundleDrop(take));
  return (
    // There before its words: a live region that appears together with them may stay unread.
    <div role="status" className={styles.region}>
      {isOver && (
        <div className={styles.overlay}>
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
