import type { ReactNode } from 'react';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { Button } from '../../components/button.tsx';
import { recentWords } from '../../components/utc-time.ts';
import { ViewHead } from '../../components/view-head.tsx';
import { useUploadStore } from '../../features/uploads/upload-store.tsx';
import { AddFiles } from './add-files.tsx';
import { DiscardDraft } from './discard-draft.tsx';
import type { Draft } from './draft-desk.tsx';
import { text } from './text.ts';
import styles from './upload.module.css';

/** Title, one line of state, actions at the right. */
export function UploadHead({ state, actions }: { state?: ReactNode; actions?: ReactNode }) {
  return (
    <ViewHead title={text.title}>
      {state}
      <span className={styles.push} />
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
      <p className={styles.state} data-figures>
        {files > 0 && <span>{text.staged(files, bytes)}</span>}
        {intake !== null && <span role="status">{text.adding(intake.added, intake.found, intake.isWalking)}</span>}
        {intake === null && busy > 0 && <span>{text.hashing(busy)}</span>}
        {intake === null && busy === 0 && saved !== null && (
          <span className={styles.faint}>
            {text.kept} <time dateTime={saved}>{recentWords(saved)}</time>
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
