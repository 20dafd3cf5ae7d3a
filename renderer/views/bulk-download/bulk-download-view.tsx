import { type DragEvent, useRef, useState } from 'react';
import { useBulkStore } from '../../features/bulk-download/bulk-store.tsx';
import { useJobActions } from '../../features/jobs/job-actions.tsx';
import { JobPanel } from '../../features/jobs/job-panel.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons, useSendKey } from '../../keyboard/view-keys.ts';
import { useWatchedJob } from '../../state/jobs.tsx';
import { classNames } from '../../styles/class-names.ts';
import styles from './bulk-download.module.css';
import { BulkHead } from './bulk-head.tsx';
import { ListPane } from './list-pane.tsx';
import { StartPane } from './start-pane.tsx';
import { text } from './text.ts';
import { useStart } from './use-start.ts';

/** A text on the left, what becomes of its hashes on the right. */
export function BulkDownloadView() {
  const { job, list, openFile } = useBulkStore();
  // The text of a job that was begun before the page was loaded is not kept.
  const hasList = job === null || list.kind !== 'none';
  const { canStart, start } = useStart();
  // Without a job there is nothing that calls them.
  const acts = useJobActions(job?.id ?? 0);
  const view = useRef<HTMLDivElement>(null);
  const onLetter = useLetterButtons(view);
  useKeptFocus(view);
  const { isOver, handlers } = useFileDrop(openFile);
  useWatchedJob(job?.id ?? null);
  useSendKey(() => canStart && start());
  return (
    // Listens to the keys of what is inside; a file can be picked by a button, too.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={view} className={classNames(styles.view, isOver && styles.dropping)} onKeyDown={onLetter} {...handlers}>
      <BulkHead acts={acts} />
      <div className={classNames(styles.panes, !hasList && styles.alone)}>
        {hasList && <ListPane />}
        <section className={styles.right} data-pane>
          {job ? <JobPanel job={job} acts={acts} /> : <StartPane />}
        </section>
      </div>
      {isOver && (
        <p className={styles.dropWords} role="status">
          {text.dropHere}
        </p>
      )}
    </div>
  );
}

function useFileDrop(take: (file: File) => void) {
  const [isOver, setOver] = useState(false);
  const holdsFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  const handlers = {
    onDragOver: (event: DragEvent): void => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent): void => {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent): void => {
      setOver(false);
      const file = event.dataTransfer.files.item(0);
      if (!file) return;
      event.preventDefault();
      take(file);
    },
  };
  return { isOver, handlers };
}
