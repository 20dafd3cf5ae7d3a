import type { ReactNode } from 'react';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { useUploadDesk } from '../../app/uploads/upload-desk.tsx';
import { Button } from '../../components/button.tsx';
import { recentWords } from '../../components/utc-time.ts';
import { ViewHead } from '../../components/view-head.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
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
      <span className={layout.grow} />
      {actions}
    </ViewHead>
  );
}

export function DraftHead({ draft, summary }: { draft: Draft; summary: UploadDraft }) {
  const { intake } = useUploadDesk();
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
  const { intake, stop } = useUploadDesk();
  if (files === 0 && intake === null) return null;
  return (
    <>
      <p className={classNames(layout.flex8, typography.note, styles.state)} data-figures>
        {files > 0 && <span>{text.staged(files, bytes)}</span>}
        {intake !== null && <span role="status">{text.adding(intake.added, intake.found, intake.isWalking)}</span>}
        {intake === null && busy > 0 && <span>{text.hashing(busy)}</span>}
        {intake === null && busy === 0 && saved !== null && (
          <span className={typography.faint}>
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
