import type { Comment } from '../../../shared/domain/sample.ts';
import { CommentThread } from '../../components/comment-thread.tsx';
import { numberWords } from '../../components/byte-words.ts';
import styles from './lookup.module.css';
import { text } from './text.ts';

export function CommentsPane({ comments }: { comments: readonly Comment[] }) {
  return (
    <div className={styles.comments} data-pane>
      <div className={styles.paneHead}>
        <h3 id="comments">{text.comments} {comments.length > 0 && <span className={styles.aside}>{numberWords(comments.length)}</span>}</h3>
      </div>
      {/* The pane scrolls, so the keyboard must be able to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.thread} tabIndex={0} role="region" aria-labelledby="comments">
        {comments.length === 0 ? <p className={styles.nothing}>{text.noComments}</p> : <CommentThread comments={comments} />}
      </div>
    </div>
  );
}
