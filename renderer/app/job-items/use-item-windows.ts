import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Bridge } from '../../../shared/bridge.ts';
import type { OperationOutput } from '../../../shared/contract.ts';
import type { ItemFilter, ItemSort, JobItem } from '../../../shared/domain/job.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent } from '../../bridge/use-event.ts';
import { valueOf } from '../../bridge/value-of.ts';
import { paced } from '../paced.ts';

/** Which items of a job, and in which order. */
export interface ItemQuestion {
  id: number;
  filter: ItemFilter;
  sort: ItemSort;
}

export interface ItemWindows {
  /** How many items there are; null until it is known. */
  total: number | null;
  /** undefined while it is not loaded. */
  itemAt(index: number): JobItem | undefined;
  onRange(first: number, last: number): void;
  failure: Failure | null;
}

type Window = OperationOutput<'jobs.items'>;

const windowRows = 100;
/** Dragging the scrollbar over a long list passes windows that nobody reads. */
const rangeEveryMs = 100;
const refreshEveryMs = 500;
/** Windows out of sight are let go of soon: a list may have hundreds of them. */
const keptMs = 30_000;

/** The items in sight, window by window, as they stand. The rows shown last stay until those of a new question are here. */
export function useItemWindows(question: ItemQuestion): ItemWindows {
  const [range, onRange] = useRange();
  const [answered, setAnswered] = useState(question);
  const pages = pagesOf(range);
  const wanted = useWindows(question, pages, true);
  const before = useWindows(answered, pages, false);
  const isHere = wanted.some(({ data }) => data !== undefined);
  if (isHere && answered !== question) setAnswered(question);
  useRefresh(question.id);
  const shown = isHere ? wanted : before;
  // Rows that arrive are drawn in pieces, between whatever the person does.
  const loaded = useDeferredValue(useLoaded(pages[0] ?? 0, shown.map(({ data }) => data)));
  const newest = shown.reduce<UseQueryResult<Window, Failure> | null>((last, each) => (each.data && each.dataUpdatedAt > (last?.dataUpdatedAt ?? 0) ? each : last), null);
  return {
    total: newest?.data?.total ?? null,
    itemAt: (index) => loaded.windows[Math.floor(index / windowRows) - loaded.firstPage]?.items[index % windowRows],
    onRange,
    failure: wanted.find(({ error }) => error !== null)?.error ?? null,
  };
}

interface Loaded {
  firstPage: number;
  windows: readonly (Window | undefined)[];
}

/** The same object as long as the same windows are loaded. */
function useLoaded(firstPage: number, windows: readonly (Window | undefined)[]): Loaded {
  const [kept, keep] = useState<Loaded>({ firstPage, windows });
  const isSame = kept.firstPage === firstPage && kept.windows.length === windows.length && windows.every((window, at) => window === kept.windows[at]);
  if (isSame) return kept;
  const loaded = { firstPage, windows };
  keep(loaded);
  return loaded;
}

function useWindows({ id, filter, sort }: ItemQuestion, pages: readonly number[], enabled: boolean): UseQueryResult<Window, Failure>[] {
  const bridge = useBridge();
  return useQueries({ queries: pages.map((page) => windowQuery(bridge, { id, filter, sort, offset: page * windowRows, limit: windowRows }, enabled)) });
}

function windowQuery(bridge: Bridge<File>, input: ItemQuestion & { offset: number; limit: number }, enabled: boolean) {
  return { queryKey: ['jobs.items', input], queryFn: () => valueOf(bridge.call('jobs.items', input)), gcTime: keptMs, enabled };
}

function pagesOf([first, last]: readonly [number, number]): number[] {
  const from = Math.floor(first / windowRows);
  return Array.from({ length: Math.floor(last / windowRows) - from + 1 }, (_, step) => from + step);
}

function useRange(): [readonly [number, number], (first: number, last: number) => void] {
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const [note] = useState(() => {
    let latest: readonly [number, number] = [0, 0];
    const show = paced(rangeEveryMs, () => setRange((before) => (pagesOf(before).join() === pagesOf(latest).join() ? before : latest)));
    return (first: number, last: number): void => {
      latest = [first, last];
      show();
    };
  });
  return [range, note];
}

/** While the host tells of the job, its items are read again, one reading after the other. */
function useRefresh(id: number): void {
  const client = useQueryClient();
  const refresh = useMemo(() => paced(refreshEveryMs, () => client.invalidateQueries({ queryKey: ['jobs.items', { id }] })), [client, id]);
  useEvent('job.changed', (job) => job.id === id && refresh());
}
