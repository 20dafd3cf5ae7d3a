import { type DragEvent, useRef, useState } from 'react';
import { useBulkDesk } from '../../app/bulk-desk.tsx';
import { JobPanel } from '../../app/job-items/job-panel.tsx';
import { useWatchedJob } from '../../app/jobs.tsx';
import { useJobActions } from '../../app/use-job-actions.ts';
import { useKeptFocus } from '../../app/use-kept-focus.ts';
import { useLetterButtons } from '../../app/use-letter-buttons.ts';
import { useSendKey } from '../../app/use-send-key.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import { BulkHead } from './bulk-head.tsx';
import styles from './bulk-download.module.css';
import { ListPane } from './list-pane.tsx';
import { StartPane } from './start-pane.tsx';
import { text } from './text.ts';
import { useStart } from './use-start.ts';

/** A text on the left, what becomes of its hashes on the right. */
export function BulkDownloadView() {
  const { job, list, openFile } = useBulkDesk();
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
    <div
      ref={view}
      className={classNames(layout.fill, layout.relative, isOver && styles.dropping)}
      onKeyDown={onLetter}
      {...handlers}
    >
      <BulkHead acts={acts} />
      <div className={classNames(layout.panes, styles.panes, !hasList && styles.alone)}>
        {hasList && <ListPane />}
        <section className={classNames(layout.pane, styles.right)} data-pane>
          {job ? <JobPanel job={job} acts={acts} /> : <StartPane />}
        </section>
      </div>
      {isOver && (
        <p className={classNames(surface.popover, layout.above, styles.dropWords)} role="status">
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
