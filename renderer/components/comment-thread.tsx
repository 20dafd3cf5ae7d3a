import { useState } from 'react';
import { classNames } from '../styles/class-names.ts';
import type { Comment } from '../../shared/domain/sample.ts';
import { Button } from './button.tsx';
import styles from './comment-thread.module.css';
import { defang } from './defang.ts';
import { TimeText } from './time-text.tsx';
import { type ThreadEntry, threadOrder } from './thread-order.ts';
import { visibleText } from './visible-text.ts';
import { words } from './words.ts';

/** Read at once; a service may send any number. */
const shownAtFirst = 200;
const charactersShown = 4000;

/** Comments as text: nothing in them is rendered, and an address in them cannot be followed. */
export function CommentThread({ comments }: { comments: readonly Comment[] }) {
  const [shown, setShown] = useState(shownAtFirst);
  const entries = threadOrder(comments);
  return (
    <>
      <ol className={styles.thread}>
        {entries.slice(0, shown).map((entry, index) => <CommentItem key={`${index}:${entry.comment.id}`} entry={entry} />)}
      </ol>
      {entries.length > shown && (
        <Button size="small" look="quiet" onPress={() => setShown(shown + shownAtFirst)}>{words.more(entries.length - shown)}</Button>
      )}
    </>
  );
}

function CommentItem({ entry: { comment, depth, repliesTo } }: { entry: ThreadEntry }) {
  return (
    <li className={classNames(styles.comment, styles[`depth${depth}`])}>
      <p className={styles.head}>
        <strong className={styles.author}><bdi>{comment.author === null ? words.unnamedAuthor : visibleText(comment.author)}</bdi></strong>
        {repliesTo !== null && <span className={styles.to}><bdi>{words.replyTo(visibleText(repliesTo))}</bdi></span>}
        <span className={styles.time}>{comment.created === null ? words.noTime : <TimeText sent={comment.created} />}</span>
      </p>
      <CommentText content={comment.content} />
    </li>
  );
}

function CommentText({ content }: { content: string }) {
  const [whole, setWhole] = useState(false);
  if (content.trim() === '') return <p className={styles.nothing}>{words.noText}</p>;
  const isLong = !whole && content.length > charactersShown;
  const text = defang(visibleText(isLong ? content.slice(0, charactersShown) : content));
  return (
    <>
      <p className={styles.text} dir="auto">{isLong ? `${text}…` : text}</p>
      {isLong && <Button size="small" look="quiet" onPress={() => setWhole(true)}>{words.wholeText(content.length)}</Button>}
    </>
  );
}
