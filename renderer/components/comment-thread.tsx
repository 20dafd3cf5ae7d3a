import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Comment } from '../../shared/domain/sample.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { classNames } from '../styles/class-names.ts';
import { Button } from './button.tsx';
import { CommentText } from './comment-text.tsx';
import styles from './comment-thread.module.css';
import { type ThreadEntry, threadOrder } from './thread-order.ts';
import { TimeText } from './time-text.tsx';
import { words } from './words.ts';

/** Read at once; a service may send any number. */
const shownAtFirst = 200;

export interface CommentThreadProps<C extends Comment> {
  comments: readonly C[];
  /** Who wrote it; null: nobody knows. Untrusted text. */
  authorOf?: (comment: C) => string | null;
  /** How it is called in "to …"; null: not at all. */
  nameOf?: (comment: C) => string | null;
  /** What stands below its text. */
  below?: (comment: C) => ReactNode;
  /** The id of the one that is meant: it is marked and brought into sight. */
  marked?: string | null;
}

/** Comments as text: nothing in them is rendered, and an address in them cannot be followed. */
export function CommentThread<C extends Comment>({ comments, authorOf = ({ author }) => author, nameOf = authorOf, below, marked = null }: CommentThreadProps<C>) {
  const [shown, setShown] = useState(shownAtFirst);
  const entries = threadOrder(comments);
  const place = entries.findIndex(({ comment }) => comment.id === marked);
  const end = Math.max(shown, place + 1);
  const list = useMarkedInSight(marked, place >= 0);
  return (
    <>
      <ol ref={list} className={styles.thread}>
        {entries.slice(0, end).map(({ comment, depth, repliesTo }, index) => (
          <CommentItem
            key={`${index}:${comment.id}`}
            comment={comment}
            depth={depth}
            author={authorOf(comment)}
            to={repliesTo === null ? null : nameOf(repliesTo)}
            isMarked={index === place}
          >
            {below?.(comment)}
          </CommentItem>
        ))}
      </ol>
      {entries.length > end && (
        <Button size="small" look="quiet" onPress={() => setShown(end + shownAtFirst)}>{words.more(entries.length - end)}</Button>
      )}
    </>
  );
}

/** Once for each that is meant, as soon as it is there: whoever reads on is not called back. */
function useMarkedInSight(marked: string | null, isThere: boolean) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (isThere && marked !== null) list.current?.querySelector('[data-marked]')?.scrollIntoView?.({ block: 'nearest' });
  }, [marked, isThere]);
  return list;
}

interface CommentItemProps {
  comment: Comment;
  depth: ThreadEntry<Comment>['depth'];
  author: string | null;
  /** Whom it answers, where the indent no longer shows it. */
  to: string | null;
  isMarked: boolean;
  children: ReactNode;
}

function CommentItem({ comment, depth, author, to, isMarked, children }: CommentItemProps) {
  return (
    <li className={classNames(styles.comment, styles[`depth${depth}`], isMarked && styles.marked)} data-marked={isMarked || undefined}>
      <p className={styles.head}>
        <strong className={styles.author}><bdi>{author === null ? words.unnamedAuthor : visibleText(author)}</bdi></strong>
        {to !== null && <span className={styles.to}><bdi>{words.replyTo(visibleText(to))}</bdi></span>}
        <span className={styles.time}>{comment.created === null ? words.noTime : <TimeText sent={comment.created} />}</span>
      </p>
      <CommentText content={comment.content} />
      {children}
    </li>
  );
}
