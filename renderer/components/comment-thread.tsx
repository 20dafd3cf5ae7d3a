import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { defang } from '../../shared/domain/defang.ts';
import type { Comment } from '../../shared/domain/sample.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { Button } from './button.tsx';
import styles from './comment-thread.module.css';
import { words } from './format.ts';
import { TextPieces, TimeText } from './service-text.tsx';

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

const charactersShown = 4000;

/** The text of a comment as everybody reads it: no markup, no address that could be followed, its line breaks. */
export function CommentText({ content }: { content: string }) {
  const [whole, setWhole] = useState(false);
  if (content.trim() === '') return <p className={typography.faint}>{words.noText}</p>;
  const isLong = !whole && content.length > charactersShown;
  const text = defang(visibleText(isLong ? content.slice(0, charactersShown) : content));
  return (
    <>
      <p className={typography.asWritten} dir="auto">
        <TextPieces text={isLong ? `${text}…` : text} />
      </p>
      {isLong && (
        <Button size="small" look="quiet" onPress={() => setWhole(true)}>
          {words.wholeText(content.length)}
        </Button>
      )}
    </>
  );
}

/** How the comments of a thread are drawn. */
interface CommentLook<C extends Comment> {
  /** Who wrote it; null: unknown. Untrusted text. */
  authorOf(comment: C): string | null;
  /** How it is called in "to …"; null: not at all. */
  nameOf(comment: C): string | null;
  /** Shown below its text. */
  below(comment: C): ReactNode;
}

/** A thread to be drawn, in reading order. */
interface ThreadProps<C extends Comment> extends CommentLook<C> {
  entries: readonly ThreadEntry<C>[];
  /**
   * The id of the marked one. It is scrolled into view once, as soon as it is there: a person who reads on is not
   * pulled back.
   */
  marked: string | null;
  /** The index of that one; -1: it is not there. */
  place: number;
}

/** A service may give several the same id. */
const keyOf = ({ comment }: ThreadEntry<Comment>, index: number): string => `${index}:${comment.id}`;

/** The position of a comment in a thread of which only the visible part is drawn. */
interface CommentPlace {
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
  /** Omitted: it is directly below the previous one. */
  place?: CommentPlace;
}

function CommentItem<C extends Comment>({
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

/** CSS pixels: of one with two lines of text, until it is drawn. */
const usualHeight = 84;
/** As between those of a short thread. */
const gap = 12;
const around = 6;

/** The comments in sight and a few around them, as the thread is scrolled. */
function LongThread<C extends Comment>({ entries, marked, place, ...look }: ThreadProps<C>) {
  const list = useRef<HTMLOListElement>(null);
  const [focused, setFocused] = useState(-1);
  // Nothing memoised is given what it returns but `measureElement`, which stays the same.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    count: entries.length,
    getScrollElement: () => list.current?.closest<HTMLElement>('[data-thread]') ?? null,
    getItemKey: useCallback(
      (index: number) => {
        const entry = entries[index];
        return entry === undefined ? index : keyOf(entry, index);
      },
      [entries],
    ),
    estimateSize: () => usualHeight,
    gap,
    overscan: around,
    // A comment scrolled into view keeps a distance from the edge, as in a short thread. Above the first of them there
    // is space already.
    scrollPaddingEnd: 2 * gap,
    // They come with the next paint: drawing them at each event of a scroll would make a frame late.
    useFlushSync: false,
    // What has the focus stays drawn wherever the thread is scrolled to: the focus would be lost with it.
    rangeExtractor: useCallback(
      (range: Range) => withIndex(defaultRangeExtractor(range), focused < range.count ? focused : -1),
      [focused],
    ),
  });
  const show = useEffectEvent(() => virtual.scrollToIndex(place, { align: 'auto' }));
  const isThere = place >= 0;
  useEffect(() => {
    if (isThere) show();
  }, [marked, isThere]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- notes where the focus is
    <ol
      ref={list}
      className={layout.relative}
      style={{ height: virtual.getTotalSize() }}
      onFocus={(event) => setFocused(indexOf(event))}
      onBlur={() => setFocused(-1)}
    >
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const entry = entries[index];
        return (
          entry !== undefined && (
            <CommentItem
              key={String(key)}
              entry={entry}
              isMarked={index === place}
              place={{ index, count: entries.length, top: start, measure: virtual.measureElement }}
              {...look}
            />
          )
        );
      })}
    </ol>
  );
}

/** Of the comment that the focus came to; -1: what opened above one has it. */
function indexOf({ target }: FocusEvent<HTMLElement>): number {
  return Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1);
}

function withIndex(indexes: number[], index: number): number[] {
  return index < 0 || indexes.includes(index) ? indexes : [...indexes, index].toSorted((a, b) => a - b);
}

interface ThreadEntry<C extends Comment> {
  comment: C;
  /** 0 for a root, at most `deepest`. */
  depth: number;
  /** What it answers, where the indent no longer shows it. */
  repliesTo: C | null;
}

/** Beyond this many lines a thread would be a staircase: deeper replies stay here and name whom they answer. */
export const deepest = 3;

/**
 * Puts a flat list of comments in reading order: each root in the order it came, its replies below it. A comment
 * whose parent is missing, itself, or its own descendant is a root: no reply of a server loses a comment or hangs.
 */
export function threadOrder<C extends Comment>(comments: readonly C[]): ThreadEntry<C>[] {
  const known = new Set(comments.map(({ id }) => id));
  const children = new Map<string, C[]>();
  const roots: C[] = [];
  for (const comment of comments) {
    const parent = comment.parentId;
    if (parent === null || parent === comment.id || !known.has(parent)) roots.push(comment);
    else append(children, parent, comment);
  }
  const placed = new Set<C>();
  const entries = unfold(roots, children, placed);
  const inCircles = comments.filter((comment) => !placed.has(comment));
  return [
    ...entries,
    ...inCircles.flatMap((comment) => (placed.has(comment) ? [] : unfold([comment], children, placed))),
  ];
}

function append<C>(lists: Map<string, C[]>, key: string, item: C): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Not recursive: a chain of ten thousand replies must not be the end of the page. */
function unfold<C extends Comment>(
  roots: readonly C[],
  children: ReadonlyMap<string, C[]>,
  placed: Set<C>,
): ThreadEntry<C>[] {
  const entries: ThreadEntry<C>[] = [];
  const stack = roots.toReversed().map((comment) => ({ comment, level: 0, parent: null as C | null }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { comment, level, parent } = next;
    if (placed.has(comment)) continue;
    placed.add(comment);
    entries.push({ comment, depth: Math.min(level, deepest), repliesTo: level > deepest ? parent : null });
    for (const reply of (children.get(comment.id) ?? []).toReversed())
      stack.push({ comment: reply, level: level + 1, parent: comment });
  }
  return entries;
}
