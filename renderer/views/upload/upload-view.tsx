import { FilePlus2, FileUp, FolderUp, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { Job } from '../../../shared/domain/job.ts';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { formatRecent } from '../../components/format.ts';
import { Menu } from '../../components/menu.tsx';
import { useLate } from '../../components/use-late.ts';
import { ViewHead } from '../../components/view-head.tsx';
import { JobActions, JobLine, useJobActions } from '../../features/jobs/job-actions.tsx';
import { JobPanel } from '../../features/jobs/job-panel.tsx';
import { RefusedFiles } from '../../features/uploads/intake-store.tsx';
import { useUploadStore } from '../../features/uploads/upload-store.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons, useSendKey } from '../../keyboard/view-keys.ts';
import { useWatchedJob } from '../../state/jobs.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { BeforeSending, useCommentText, useSending } from './before-sending.tsx';
import { type Draft, useDraft, useWrites } from './draft-context.tsx';
import { FilesTable } from './files-table.tsx';
import { text } from './strings.ts';
import { TickedBar, useRemoval } from './ticked-bar.tsx';
import styles from './upload.module.css';

/** Files on their way to the repository: a draft that is reviewed, then the job that sends it. */
export function UploadView() {
  const view = useRef<HTMLDivElement>(null);
  const { job } = useUploadStore();
  const draft = useDraft();
  const onLetter = useLetterButtons(view);
  useKeptFocus(view);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={layout.fill} onKeyDown={(event) => job !== null && onLetter(event)}>
      {job === null ? (
        <ShownDraft draft={draft} onLetter={onLetter} />
      ) : (
        <UploadJob job={job} left={draft?.summary?.files ?? 0} />
      )}
    </div>
  );
}

function ShownDraft({ draft, onLetter }: { draft: Draft | null; onLetter(event: KeyboardEvent): void }) {
  const uploads = useUploadStore();
  const { intake } = uploads;
  const isLate = useLate(draft === null || (draft.summary === null && draft.failure === null));
  const summary = draft?.summary ?? null;
  if (draft === null || summary === null) {
    return (
      <>
        <UploadHead />
        {draft?.failure && (
          <div className={classNames(layout.inset, layout.fixed)}>
            <FailureNotice
              failure={draft.failure}
              retry={{ name: 'uploads.draft', input: { workspaceId: draft.workspace.id } }}
              onRetry={draft.refresh}
            />
          </div>
        )}
        {isLate && (
          <p className={classNames(layout.inset, typography.muted)} role="status">
            {text.notKnownYet}
          </p>
        )}
      </>
    );
  }
  return (
    <>
      <DraftHead draft={draft} summary={summary} />
      <RefusedFiles store={uploads} haltedAfter={text.haltedAfter} />
      {summary.files === 0 && intake === null ? (
        <NoFile />
      ) : (
        <Review key={draft.workspace.id} draft={draft} summary={summary} onLetter={onLetter} />
      )}
    </>
  );
}

function NoFile() {
  return (
    <div className={styles.empty}>
      <EmptyState
        icon={<FileUp size={20} strokeWidth={1.6} />}
        title={text.emptyTitle}
        sentence={text.emptySentence}
        action={
          <>
            <AddFiles isPrimary />
            <p className={classNames(typography.hint, styles.orDrop)}>{text.orDrop}</p>
          </>
        }
      />
    </div>
  );
}

function Review({
  draft,
  summary,
  onLetter,
}: {
  draft: Draft;
  summary: UploadDraft;
  onLetter(event: KeyboardEvent): void;
}) {
  const commentText = useCommentText(draft, summary);
  const sending = useSending(draft, summary, commentText.length);
  const removal = useRemoval(draft);
  const { failure } = useWrites(draft.writes);
  const onRowKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete') return onLetter(event);
    event.preventDefault();
    // A key that is held is meant once.
    if (!event.repeat) removal.ask();
  };
  useSendKey(sending.send);
  return (
    <div className={classNames(layout.panes, styles.panes)}>
      <section className={layout.view} data-pane aria-label={text.table}>
        <TickedBar draft={draft} summary={summary} removal={removal} />
        {failure && (
          <div className={classNames(layout.inset, layout.fixed)}>
            <FailureNotice failure={failure} />
          </div>
        )}
        <FilesTable draft={draft} onRowKey={onRowKey} />
      </section>
      <BeforeSending draft={draft} summary={summary} commentText={commentText} sending={sending} />
    </div>
  );
}

/** Title, one line of state, actions at the right. */
export function UploadHead({ state, actions }: { state?: ReactNode; actions?: ReactNode }) {
  return (
    <ViewHead title={text.title}>
      {state}
      <span className={layout.grow} />
      {actions}
    </ViewHead>
  );
}

export function DraftHead({ draft, summary }: { draft: Draft; summary: UploadDraft }) {
  const { intake } = useUploadStore();
  const hasDraft = summary.files > 0;
  return (
    <UploadHead
      state={<DraftState summary={summary} />}
      // An empty draft has its way on in the middle of the view.
      actions={
        (hasDraft || intake !== null) && (
          <>
            {hasDraft && <DiscardDraft draft={draft} summary={summary} />}
            <AddFiles />
          </>
        )
      }
    />
  );
}

/** What is in the draft and where it is kept; while files come in, how far that is. */
function DraftState({ summary: { files, bytes, busy, saved } }: { summary: UploadDraft }) {
  const { intake, stop } = useUploadStore();
  if (files === 0 && intake === null) return null;
  return (
    <>
      <p className={classNames(layout.flex8, typography.note, styles.state)} data-figures>
        {files > 0 && <span>{text.staged(files, bytes)}</span>}
        {intake !== null && <span role="status">{text.adding(intake.added, intake.found, intake.isWalking)}</span>}
        {intake === null && busy > 0 && <span>{text.hashing(busy)}</span>}
        {intake === null && busy === 0 && saved !== null && (
          <span className={typography.faint}>
            {text.kept} <time dateTime={saved}>{formatRecent(saved)}</time>
          </span>
        )}
      </p>
      {intake !== null && (
        <Button size="small" onPress={stop}>
          {text.stop}
        </Button>
      )}
    </>
  );
}

/** What was sent, as it goes. What was left out is one press away. */
export function UploadJob({ job, left }: { job: Job; left: number }) {
  const { leaveJob } = useUploadStore();
  const acts = useJobActions(job.id);
  useWatchedJob(job.id);
  return (
    <>
      <UploadHead
        state={
          <p className={typography.cutNote} data-figures>
            <JobLine job={job} />
          </p>
        }
        actions={
          <>
            <JobActions job={job} acts={acts} />
            {/* Behind what changes when the job ends: a press must not land beside it. */}
            <Button look="quiet" onPress={leaveJob}>
              <FilePlus2 size={14} strokeWidth={1.6} aria-hidden="true" />
              {left === 0 ? text.newDraft : text.backToDraft(left)}
            </Button>
          </>
        }
      />
      <section className={layout.view} data-pane>
        <JobPanel job={job} acts={acts} />
      </section>
    </>
  );
}

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

/** A browser picks files or a folder, never both at once. */
export function AddFiles({ isPrimary = false }: { isPrimary?: boolean }) {
  const { pickFiles, pickFolder } = useUploadStore();
  return (
    <Menu
      label={text.addMenu}
      choices={[
        { id: 'files', text: text.pickFiles, icon: <FileUp {...icon} /> },
        { id: 'folder', text: text.pickFolder, icon: <FolderUp {...icon} /> },
      ]}
      onChoose={(id) => (id === 'folder' ? pickFolder() : pickFiles())}
      trigger={
        <Button look={isPrimary ? 'primary' : 'default'} data-landing>
          <Plus {...icon} />
          {text.addFiles}
        </Button>
      }
    />
  );
}

/** What was reviewed cannot be brought back, so it asks. What comes in while it does is not among what goes. */
export function DiscardDraft({
  draft: { workspace, writes, comment },
  summary,
}: {
  draft: Draft;
  summary: UploadDraft;
}) {
  const [asked, setRequest] = useState<UploadDraft | null>(null);
  const close = (): void => setRequest(null);
  const discard = ({ newest }: UploadDraft): void => {
    close();
    void writes.remove({ kind: 'all', upTo: newest });
    void writes.send('uploads.comment', { workspaceId: workspace.id, text: '' });
    comment.forget();
  };
  return (
    <>
      <Button look="quiet" onPress={() => setRequest(summary)}>
        {text.discard}
      </Button>
      {asked !== null && (
        <Dialog
          title={text.discardTitle(asked.files)}
          isOpen
          onClose={close}
          actions={
            <>
              <Button onPress={close} takesFocus>
                {text.keepDraft}
              </Button>
              <Button look="danger" onPress={() => discard(asked)}>
                {text.discardDraft}
              </Button>
            </>
          }
        >
          <p>{text.discardThen}</p>
        </Dialog>
      )}
    </>
  );
}
