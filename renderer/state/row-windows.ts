import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import type { OperationName } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import type { Result } from '../../shared/failure.ts';
import { valueOf } from '../bridge/operations.ts';
import { paced } from '../bridge/paced.ts';

/** A stretch of a list that the host holds. */
export interface RowWindow<Row> {
  rows: readonly Row[];
  /** Rows of the whole list. */
  total: number;
}

/** A list that is read window by window. Another object is another question. */
export interface RowSource<Window> {
  /**
   * Which operation reads it, and what it is asked besides the place of the window: its windows are remembered under
   * both.
   */
  name: OperationName;
  question: object;
  /**
   * The same for questions about one list at different moments: one that is under way is answered before the next is
   * asked. A list that changes faster than it is read would else never be here.
   */
  list?: string;
  read(offset: number, limit: number): Promise<Result<Window>>;
}

/** The same object as long as its content is unchanged: a table that gets it is not drawn again for other reports. */
export interface RowWindows<Window extends RowWindow<unknown>> {
  /** How many rows there are; null until it is known. */
  total: number | null;
  /** undefined while it is not loaded. */
  rowAt(index: number): Window['rows'][number] | undefined;
  /** The window that a row is in. */
  windowAt(index: number): Window | undefined;
  onRange(first: number, last: number): void;
  /** The window that was read last, also where none of those in sight is here yet; null before the first. */
  newest: Window | null;
  /** The same of the list whose rows are drawn: those of another one come a moment later than what is known of it. */
  drawn: Window | null;
  failure: Failure | null;
  /** The rows are those of this source, and not of the one before. */
  isAnswered: boolean;
}

export const windowRows = 100;
/** Dragging the scrollbar over a long list passes windows that are not read. */
const rangeEveryMs = 100;
/** Windows out of sight are let go of soon: a list may have hundreds of them. */
const windowKeptMs = 30_000;

/**
 * The visible rows, window by window, in their current state. The rows shown last stay until those of a new question
 * are here.
 */
export function useRowWindows<Window extends RowWindow<unknown>>(source: RowSource<Window>): RowWindows<Window> {
  const [range, onRange] = useRange();
  const [asked, ask] = useState(source);
  const [answered, setAnswered] = useState(source);
  const pages = pagesOf(range);
  const wanted = useWindows(asked, pages, true);
  const before = useWindows(answered, pages, false);
  const isHere = wanted.some(({ data }) => data !== undefined);
  if (isHere && answered !== asked) setAnswered(asked);
  const isUnderWay = !isHere && wanted.every(({ error }) => error === null);
  const isSameList = asked.list !== undefined && asked.list === source.list;
  if (asked !== source && !(isUnderWay && isSameList)) ask(source);
  const shown = isHere ? wanted : before;
  const here = useLoaded({
    source: isHere ? asked : answered,
    firstPage: pages[0] ?? 0,
    windows: shown.map(({ data }) => data),
    newest: newestOf(shown),
  });
  // Rows that arrive are drawn in pieces, between whatever the person does.
  const loaded = useDeferredValue(here);
  const windowAt = useCallback(
    (index: number): Window | undefined => loaded.windows[Math.floor(index / windowRows) - loaded.firstPage],
    [loaded],
  );
  const rowAt = useCallback(
    (index: number): Window['rows'][number] | undefined => windowAt(index)?.rows[index % windowRows],
    [windowAt],
  );
  const failure = wanted.find(({ error }) => error !== null)?.error ?? null;
  const isAnswered = isHere && loaded.source === source;
  const [newest, drawn] = [here.newest, loaded.newest];
  return useMemo(
    () => ({ total: newest?.total ?? null, rowAt, windowAt, onRange, newest, drawn, failure, isAnswered }),
    [rowAt, windowAt, onRange, newest, drawn, failure, isAnswered],
  );
}

interface Loaded<Window> {
  source: RowSource<Window>;
  firstPage: number;
  windows: readonly (Window | undefined)[];
  newest: Window | null;
}

/** The same object as long as the same windows are loaded. */
function useLoaded<Window>(loaded: Loaded<Window>): Loaded<Window> {
  const { source, firstPage, windows } = loaded;
  const [kept, keep] = useState(loaded);
  // A scroll to rows that are not here yet leaves it known how many there are.
  const newest = loaded.newest ?? (kept.source === source ? kept.newest : null);
  const isSame =
    kept.source === source &&
    kept.firstPage === firstPage &&
    kept.newest === newest &&
    kept.windows.length === windows.length &&
    windows.every((window, at) => window === kept.windows[at]);
  if (isSame) return kept;
  const next = { ...loaded, newest };
  keep(next);
  return next;
}

function newestOf<Window>(windows: readonly UseQueryResult<Window, Failure>[]): Window | null {
  const last = windows.reduce<UseQueryResult<Window, Failure> | null>(
    (newest, each) => (each.data !== undefined && each.dataUpdatedAt > (newest?.dataUpdatedAt ?? 0) ? each : newest),
    null,
  );
  return last?.data ?? null;
}

function useWindows<Window>(
  source: RowSource<Window>,
  pages: readonly number[],
  enabled: boolean,
): UseQueryResult<Window, Failure>[] {
  return useQueries({ queries: pages.map((page) => windowQuery(source, page * windowRows, enabled)) });
}

function windowQuery<Window>({ name, question, read }: RowSource<Window>, offset: number, enabled: boolean) {
  return {
    queryKey: [name, { ...question, offset, limit: windowRows }],
    queryFn: () => valueOf(read(offset, windowRows)),
    gcTime: windowKeptMs,
    enabled,
  };
}

function pagesOf([first, last]: readonly [number, number]): number[] {
  const from = Math.floor(first / windowRows);
  return Array.from({ length: Math.floor(last / windowRows) - from + 1 }, (_, step) => from + step);
}

function useRange(): [readonly [number, number], (first: number, last: number) => void] {
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const [note] = useState(() => {
    let latest: readonly [number, number] = [0, 0];
    const show = paced(rangeEveryMs, () =>
      setRange((before) => (pagesOf(before).join() === pagesOf(latest).join() ? before : latest)),
    );
    return (first: number, last: number): void => {
      latest = [first, last];
      show();
    };
  });
  return [range, note];
}
