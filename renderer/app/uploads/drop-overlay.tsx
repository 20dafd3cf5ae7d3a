import { FilePlus } from 'lucide-react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useBundleDrop } from '../bundle/use-bundle-drop.ts';
import { useNavigation } from '../navigation.tsx';
import { useScanDesk } from '../scans/scan-desk.tsx';
import { useWorkspaces } from '../use-workspaces.ts';
import styles from './drop-overlay.module.css';
import { text } from './text.ts';
import { useUploadDesk } from './upload-desk.tsx';
import { useWindowDrop } from './use-window-drop.ts';

/** Takes what is dropped on the window, and says what will become of it while it is dragged over. */
export function DropOverlay() {
  const upload = useUploadDesk();
  const scan = useScanDesk();
  const { current } = useWorkspaces();
  const isScan = useNavigation().room === 'scan';
  const isOver = useWindowDrop(useBundleDrop(isScan ? scan.take : upload.take));
  return (
    // There before its words: a live region that appears together with them may stay unread.
    <div role="status" className={styles.region}>
      {isOver && (
        <div className={styles.overlay}>
          <FilePlus size={20} strokeWidth={1.6} aria-hidden="true" />
          <p className={styles.title}>{isScan ? text.dropScanTitle : text.dropTitle}</p>
          <p><bdi>{isScan ? text.dropScanThen : text.dropThen(visibleText(current?.name ?? ''))}</bdi></p>
        </div>
      )}
    </div>
  );
}
