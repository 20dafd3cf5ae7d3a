import { FileUp } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { useUploadDesk } from '../../app/uploads/upload-desk.tsx';
import { useKeptFocus } from '../../app/use-kept-focus.ts';
import { useLetterButtons } from '../../app/use-letter-buttons.ts';
import { useSendKey } from '../../app/use-send-key.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useLate } from '../../components/use-late.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { AddFiles } from './add-files.tsx';
import { BeforeSending } from './before-sending.tsx';
import { useCommentText } from './comment-field.tsx';
import { type Draft, useDraft, useWrites } from './draft-desk.tsx';
import { FilesTable } from './files-table.tsx';
import { RefusedFiles } from './refused-files.tsx';
import { text } from './text.ts';
import { TickedBar } from './ticked-bar.tsx';
import { DraftHead, UploadHead } from './upload-head.tsx';
import { UploadJob } from './upload-job.tsx';
import styles from './upload.module.css';
import { useRemoval } from './use-removal.ts';
import { useSending } from './use-sending.ts';

/** Files on their way to the repository: a draft that is reviewed, then the job that sends it. */
export function UploadView() {
  const view = useRef<HTMLDivElement>(null);
  const { job } = useUploadDesk();
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
  const { intake } = useUploadDesk();
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
      <RefusedFiles />
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
