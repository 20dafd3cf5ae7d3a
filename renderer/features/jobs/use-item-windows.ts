import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ItemFilter, ItemSort, JobItem } from '../../../shared/domain/job.ts';
import { type Failure, success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useEvent } from '../../bridge/use-event.ts';
import { paced } from '../../state/pacing.ts';
import { type RowSource, type RowWindow, useRowWindows } from '../../state/row-windows.ts';

/** Which items of a job, and in which order. */
export interface ItemQuestion {
  id: number;
  filter: ItemFilter;
  sort: ItemSort;
}

/** The same object as long as nothing of it changes. */
export interface ItemWindows {
  /** How many items there are; null until it is known. */
  total: number | null;
  /** undefined while it is not loaded. */
  itemAt(index: number): JobItem | undefined;
  onRange(first: number, last: number): void;
  failure: Failure | null;
}

const refreshEveryMs = 500;

/** The items of a job in sight, as they stand. */
export function useItemWindows(question: ItemQuestion): ItemWindows {
  const bridge = useBridge();
  const source = useMemo(
    (): RowSource<RowWindow<JobItem>> => ({
      name: 'jobs.items',
      question,
      read: async (offset, limit) => {
        const answer = await bridge.call('jobs.items', { ...question, offset, limit });
        return answer.ok ? success({ rows: answer.value.items, total: answer.value.total }) : answer;
      },
    }),
    [bridge, question],
  );
  const { total, rowAt, onRange, failure } = useRowWindows(source);
  useRefresh(question.id);
  return useMemo(() => ({ total, itemAt: rowAt, onRange, failure }), [total, rowAt, onRange, failure]);
}

/** While the host tells of the job, its items are read again, one reading after the other. */
function useRefresh(id: number): void {
  const client = useQueryClient();
  const refresh = useMemo(
    () => paced(refreshEveryMs, () => client.invalidateQueries({ queryKey: ['jobs.items', { id }] })),
    [client, id],
  );
  useEvent('job.changed', (job) => job.id === id && refresh());
}
