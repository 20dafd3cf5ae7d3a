import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Comment } from '../../shared/domain/sample.ts';
import layout from '../styles/layout.module.css';
import { CommentItem, type CommentLook, keyOf, type ThreadProps } from './comment-item.tsx';
import { LongThread } from './long-thread.tsx';
import { threadOrder } from './thread-order.ts';

/** As many are drawn at once, beside all else that is there of a sample; a service may send any number. */
const drawnAtOnce = 50;

export interface CommentThreadProps<C extends Comment> extends Partial<CommentLook<C>> {
  comments: readonly C[];
  /** The id of the one that is meant: it is marked and brought into sight. */
  marked?: string | null;
}

const sentAuthor = ({ author }: Comment): string | null => author;
const nothingBelow = (): ReactNode => null;

/**
 * Comments as text: nothing in them is rendered, and an address in them cannot be followed. Of very many only those in
 * sight are drawn: what scrolls them is their next ancestor with `data-thread`.
 */
export function CommentThread<C extends Comment>({
  comments,
  authorOf = sentAuthor,
  nameOf = authorOf,
  below = nothingBelow,
  marked = null,
}: CommentThreadProps<C>) {
  const entries = useMemo(() => threadOrder(comments), [comments]);
  const place = useMemo(() => entries.findIndex(({ comment }) => comment.id === marked), [entries, marked]);
  const Thread = entries.length > drawnAtOnce ? LongThread : ShortThread;
  return <Thread entries={entries} marked={marked} place={place} authorOf={authorOf} nameOf={nameOf} below={below} />;
}

function ShortThread<C extends Comment>({ entries, marked, place, ...look }: ThreadProps<C>) {
  const list = useRef<HTMLOListElement>(null);
  const isThere = place >= 0;
  useEffect(() => {
    if (isThere && marked !== null)
      list.current?.querySelector('[data-marked]')?.scrollIntoView?.({ block: 'nearest' });
  }, [marked, isThere]);
  return (
    <ol ref={list} className={layout.stack12}>
      {entries.map((entry, index) => (
        <CommentItem key={keyOf(entry, index)} entry={entry} isMarked={index === place} {...look} />
      ))}
    </ol>
  );
}
