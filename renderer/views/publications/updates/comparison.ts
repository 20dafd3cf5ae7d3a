import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { OperationOutput } from '../../../../shared/contract.ts';
import type { DifferenceRow } from '../../../../shared/domain/publication.ts';
import { firstReview, type ReviewItem, type ReviewQuery } from '../../../../shared/domain/rule-review.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useOperation } from '../../../bridge/operations.ts';
import { type ChosenReview, usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { useRestedFind } from '../../../state/pacing.ts';
import { type RowSource, type RowWindows, useRowWindows, windowRows } from '../../../state/row-windows.ts';

export type Review = OperationOutput<'publications.review'>;
type ReviewWindows = RowWindows<Review>;

/** The difference between two packages, as far as it is loaded, how it is listed, and the line that is shown. */
export interface Comparison {
  workspaceId: string;
  /** null: nothing was there before. */
  from: string | null;
  to: string;
  /** As it is typed and pressed; what is listed follows. */
  query: ReviewQuery;
  /** null until it is known. */
  review: Review | null;
  /** The beginning of the list as it is at first: what is broken comes first. */
  firstItems: readonly ReviewItem[];
  windows: ReviewWindows;
  failure: Failure | null;
  /** Of the line that is shown; -1: there is none. */
  index: number;
  /** undefined while it is not loaded. */
  item: ReviewItem | undefined;
  /** undefined while it is not loaded, and where the line is the head of a group. */
  row: DifferenceRow | undefined;
  show(index: number): void;
  /** A line of the list as it is at first: what is found or filtered by is let go of. */
  showAtFirst(index: number): void;
  /** The next rule before or after; heads of groups are passed by. */
  step(by: 1 | -1): void;
  ask(change: Partial<ReviewQuery>): void;
  /** Opens or closes a group, whose head is shown then. */
  toggle(key: string, index: number): void;
}

export function useComparison(workspaceId: string, from: string | null, to: string): Comparison {
  const [{ review: noted }, note] = usePublicationsPlace(workspaceId);
  const chosen: ChosenReview =
    noted !== null && noted.from === from && noted.to === to ? noted : { from, to, query: firstReview, index: null };
  const { query } = chosen;
  const find = useRestedFind(query.find);
  const source = useReviewSource(
    workspaceId,
    from,
    to,
    useMemo(() => ({ ...query, find }), [query, find]),
  );
  const windows = useRowWindows(source);
  // The same question as that of the first window, and remembered under it.
  const first = useOperation('publications.review', {
    workspaceId,
    from,
    to,
    query: firstReview,
    offset: 0,
    limit: windowRows,
  });
  const review = windows.newest ?? (query === firstReview ? first.data : undefined) ?? null;
  const total = review?.total ?? 0;
  const index = Math.min(chosen.index ?? firstShown(review, windows), total - 1);
  const item = useKeptItem(
    index,
    windows.rowAt(index) ?? (query === firstReview ? first.data?.rows[index] : undefined),
  );
  const place = (change: Partial<ChosenReview>): void => note({ review: { ...chosen, ...change } });
  return {
    workspaceId,
    from,
    to,
    query,
    review,
    windows,
    index,
    item,
    firstItems: first.data?.rows ?? [],
    failure: first.error ?? windows.failure,
    row: item?.kind === 'row' ? item.row : undefined,
    show: (next) => place({ index: next }),
    showAtFirst: (next) => place({ index: next, query: firstReview }),
    step: (by) => {
      let next = index + by;
      while (next > 0 && next < total - 1 && (windows.rowAt(next)?.kind ?? 'row') !== 'row') next += by;
      if (next >= 0 && next < total) place({ index: next });
    },
    ask: (change) => place({ query: { ...query, ...change }, index: null }),
    toggle: (key, at) =>
      place({
        index: at,
        query: {
          ...query,
          toggled: query.toggled.includes(key) ? query.toggled.filter((each) => each !== key) : [...query.toggled, key],
        },
      }),
  };
}

function useReviewSource(workspaceId: string, from: string | null, to: string, query: ReviewQuery): RowSource<Review> {
  const bridge = useBridge();
  return useMemo(
    () => ({
      name: 'publications.review',
      question: { workspaceId, from, to, query },
      read: (offset, limit) => bridge.call('publications.review', { workspaceId, from, to, query, offset, limit }),
    }),
    [bridge, workspaceId, from, to, query],
  );
}

/** The line that is shown stays, wherever the list is scrolled to and its window let go of. */
function useKeptItem(index: number, loaded: ReviewItem | undefined): ReviewItem | undefined {
  const [kept, keep] = useState({ index, item: loaded });
  if (loaded !== undefined && (kept.index !== index || kept.item !== loaded)) keep({ index, item: loaded });
  return loaded ?? (kept.index === index ? kept.item : undefined);
}

/** The first rule that is not broken, or else the first that is. */
function firstShown(review: Review | null, windows: ReviewWindows): number {
  if (review === null || review.total === 0) return -1;
  if (review.firstRule !== null) return review.firstRule;
  for (let at = 0; at < windowRows; at += 1) if (windows.rowAt(at)?.kind === 'row') return at;
  return 0;
}

/** A line of the difference whose text was asked for; another one each time. */
export interface OpenedLine {
  index: number;
}

interface ShownText {
  opened: OpenedLine | null;
  /** Of the line that is current. */
  index: number;
  /** Whether its text is here: until then it is that of the line before. */
  isShown: boolean;
}

/** Puts the focus on the text of the line that was opened, once it is here and while the line is the current one. */
export function useOpenedText(text: RefObject<HTMLElement | null>, { opened, index, isShown }: ShownText): void {
  const done = useRef(opened);
  useEffect(() => {
    if (opened === null || opened === done.current) return;
    if (opened.index === index && !isShown) return;
    done.current = opened;
    if (opened.index === index) text.current?.querySelector<HTMLElement>('[data-source]')?.focus();
  }, [text, opened, index, isShown]);
}
