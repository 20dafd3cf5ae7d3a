import { memo, type ReactNode } from 'react';
import type { Comment } from '../../shared/domain/sample.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { CommentText } from './comment-text.tsx';
import styles from './comment-thread.module.css';
import type { ThreadEntry } from './thread-order.ts';
import { TimeText } from './time-text.tsx';
import { words } from './words.ts';

/** How the comments of a thread are drawn. */
export interface CommentLook<C extends Comment> {
  /** Who wrote it; null: nobody knows. Untrusted text. */
  authorOf(comment: C): string | null;
  /** How it is called in "to …"; null: not at all. */
  nameOf(comment: C): string | null;
  /** What stands below its text. */
  below(comment: C): ReactNode;
}

/** A thread to be drawn, in reading order. */
export interface ThreadProps<C extends Comment> extends CommentLook<C> {
  entries: readonly ThreadEntry<C>[];
  /**
   * The id of the one that is meant. It is brought into sight once, as soon as it is there: whoever reads on is not
   * called back.
   */
  marked: string | null;
  /** Where that one stands; -1: it is not there. */
  place: number;
}

/** A service may give several the same id. */
export const keyOf = ({ comment }: ThreadEntry<Comment>, index: number): string => `${index}:${comment.id}`;

/** Where a comment stands of which only those around it are drawn. */
export interface CommentPlace {
  index: number;
  count: number;
  /** CSS pixels from the top of the first one. */
  top: number;
  /** Takes its element, to know how high it is. */
  measure(element: HTMLElement | null): void;
}

interface CommentItemProps<C extends Comment> extends CommentLook<C> {
  entry: ThreadEntry<C>;
  isMarked: boolean;
  /** Left out: it stands below the one before. */
  place?: CommentPlace;
}

export function CommentItem<C extends Comment>({
  entry: { comment, depth, repliesTo },
  isMarked,
  place,
  authorOf,
  nameOf,
  below,
}: CommentItemProps<C>) {
  return (
    <li
      ref={place?.measure}
      className={classNames(
        styles.comment,
        styles[`depth${depth}`],
        isMarked && styles.marked,
        place !== undefined && styles.placed,
      )}
      data-marked={isMarked || undefined}
      {...(place !== undefined && {
        'data-index': place.index,
        'aria-posinset': place.index + 1,
        'aria-setsize': place.count,
        style: { transform: `translateY(${place.top}px)` },
      })}
    >
      <Said comment={comment} to={repliesTo === null ? null : nameOf(repliesTo)} authorOf={authorOf} below={below} />
    </li>
  );
}

interface SaidProps<C extends Comment> extends Omit<CommentLook<C>, 'nameOf'> {
  comment: C;
  /** Whom it answers, where the indent no longer shows it. */
  to: string | null;
}

function CommentSaid<C extends Comment>({ comment, to, authorOf, below }: SaidProps<C>) {
  const author = authorOf(comment);
  return (
    <>
      <p className={classNames(layout.wrap, styles.head)}>
        <strong className={classNames(typography.strong, typography.anywhere)}>
          <bdi>{author === null ? words.unnamedAuthor : visibleText(author)}</bdi>
        </strong>
        {to !== null && (
          <span className={typography.faint}>
            <bdi>{words.replyTo(visibleText(to))}</bdi>
          </span>
        )}
        <span className={typography.faint}>
          {comment.created === null ? words.noTime : <TimeText sent={comment.created} />}
        </span>
      </p>
      <CommentText content={comment.content} />
      {below(comment)}
    </>
  );
}

/** Not drawn again where only its place is another. */
const Said = memo(CommentSaid);
