import { useEffect, useSyncExternalStore } from 'react';
import { longestComment } from '../../../shared/domain/comment.ts';
import type { UploadDraft } from '../../../shared/domain/upload.ts';
import { TextArea } from 'react-aria-components/TextArea';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import typography from '../../styles/typography.module.css';
import type { Draft } from './draft-desk.tsx';
import { text } from './text.ts';
import styles from './upload.module.css';

/** From here on it says how long it is. */
const nearlyTooLong = longestComment * 0.9;

/** The comment as it is typed, or as the host has it. */
export function useCommentText({ comment }: Draft, summary: UploadDraft): string {
  const typed = useSyncExternalStore(comment.subscribe, comment.typed);
  useEffect(() => comment.release(summary.comment), [comment, summary.comment]);
  return typed ?? summary.comment;
}

/** One text for every file of the next sending, saved while it is typed. */
export function CommentField({ draft: { comment }, value, files }: { draft: Draft; value: string; files: number }) {
  // Whoever leaves the room has typed to the end.
  useEffect(() => () => void comment.flush(), [comment]);
  const isTooLong = value.length > longestComment;
  return (
    <section className={classNames(layout.stack8, styles.section)}>
      <div className={classNames(layout.spread, styles.sectionHead)}>
        <h3 id="upload-comment">{text.comment}</h3>
        {files > 0 && (
          <span className={typography.faint} data-figures>
            {text.onAll(files)}
          </span>
        )}
      </div>
      <TextArea
        className={classNames(surface.input, styles.comment)}
        aria-labelledby="upload-comment"
        aria-describedby="upload-comment-length"
        aria-invalid={isTooLong}
        value={value}
        rows={4}
        onChange={(event) => comment.type(event.target.value)}
        onBlur={() => void comment.flush()}
      />
      <p
        id="upload-comment-length"
        className={classNames(typography.faint, isTooLong && styles.problem)}
        role="status"
        data-figures
      >
        {isTooLong
          ? text.commentTooLong(value.length, longestComment)
          : value.length >= nearlyTooLong && text.commentLength(value.length, longestComment)}
      </p>
    </section>
  );
}
