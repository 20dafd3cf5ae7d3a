import { Download, FolderOpen, List, ListX } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Button } from '../../components/button.tsx';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { useBulkStore } from '../../features/bulk-download/bulk-store.tsx';
import { toFetch } from '../../features/bulk-download/bulk-tally.ts';
import { JobActions, type JobActs, JobLine, useJobActions } from '../../features/jobs/job-actions.tsx';
import { JobPanel } from '../../features/jobs/job-panel.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons, useSendKey } from '../../keyboard/view-keys.ts';
import { useWatchedJob } from '../../state/jobs.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import styles from './bulk-download.module.css';
import { ListPane } from './list-pane.tsx';
import { StartPane } from './start-pane.tsx';
import { text } from './strings.ts';

/** A text on the left, the status of its hashes on the right. */
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

export function BulkHead({ acts }: { acts: JobActs }) {
  const { job, list, newList } = useBulkStore();
  return (
    <ViewHead title={text.title}>
      <ViewLine>{job && <JobLine job={job} />}</ViewLine>
      {job && <JobActions job={job} acts={acts} />}
      {/* Behind what changes when the job ends: a press must not land beside it. */}
      {(job || list.kind !== 'none') && (
        <Button look="quiet" onPress={newList}>
          <ListX size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.newList}
        </Button>
      )}
      {!job && <BeforeTheJob />}
    </ViewHead>
  );
}

function BeforeTheJob() {
  const { openFile } = useBulkStore();
  const { count, here, canStart, start } = useStart();
  const isList = count === 0 && here > 0;
  const take = (files: FileList | null): void => {
    const file = files?.item(0);
    if (file) openFile(file);
  };
  return (
    <>
      <FileTrigger onSelect={take}>
        <Button>
          <FolderOpen size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.openFile}
        </Button>
      </FileTrigger>
      <Button look="primary" isDisabled={!canStart} onPress={start}>
        {isList ? (
          <List size={14} strokeWidth={1.6} aria-hidden="true" />
        ) : (
          <Download size={14} strokeWidth={1.6} aria-hidden="true" />
        )}
        {isList ? text.listThem(here) : text.download(count)}
      </Button>
    </>
  );
}

/** The one step of the view that moves the work on, by its button and by Ctrl Enter. */
export function useStart(): { count: number; here: number; canStart: boolean; start(): void } {
  const { list, check, begin, job, start } = useBulkStore();
  const { current } = useWorkspaces();
  const count = check.isDone ? toFetch(check.tally) : 0;
  // With nothing to fetch the job ends at once, and its list is that of the samples that are here.
  const here = check.isDone ? check.tally.alreadyHere : 0;
  const canStart =
    job === null && list.kind === 'read' && count + here > 0 && begin.kind !== 'adding' && current?.repository !== null;
  return { count, here, canStart, start };
}
