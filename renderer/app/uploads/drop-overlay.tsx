import { FilePlus } from 'lucide-react';
import { visibleText } from '../../components/visible-text.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import styles from './drop-overlay.module.css';
import { text } from './text.ts';
import { useUploadDesk } from './upload-desk.tsx';
import { useWindowDrop } from './use-window-drop.ts';

/** Takes what is dropped on the window, and says what will become of it while it is dragged over. */
export function DropOverlay() {
  const { take } = useUploadDesk();
  const { current } = useWorkspaces();
  const isOver = useWindowDrop(take);
  return (
    // There before its words: a live region that appears together with them may stay unread.
    <div role="status" className={styles.region}>
      {isOver && (
        <div className={styles.overlay}>
          <FilePlus size={20} strokeWidth={1.6} aria-hidden="true" />
          <p className={styles.title}>{text.dropTitle}</p>
          <p><bdi>{text.dropThen(visibleText(current?.name ?? ''))}</bdi></p>
        </div>
      )}
    </div>
  );
}
