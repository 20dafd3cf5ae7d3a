import { useMemo } from 'react';
import type { ItemFilter, ItemSort, Job, JobItem } from '../../../shared/domain/job.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import type { RowSelection } from '../../components/data-grid/row-selection.ts';
import { type RowSource, type RowWindow, useRowWindows } from '../../state/row-windows.ts';

/** Which items of a job, and in which order. */
export interface ItemQuestion {
  id: number;
  filter: ItemFilter;
  sort: ItemSort;
}

/** The items that an action means: the ticked ones, or all that are shown. */
export interface ItemsTarget {
  job: Job;
  question: ItemQuestion;
  selection: RowSelection<number>;
  /** How many are ticked; 0: all that are shown are meant. */
  ticked: number;
  total: number;
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

/** The visible items of a job, in their current state. */
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
  return useMemo(() => ({ total, itemAt: rowAt, onRange, failure }), [total, rowAt, onRange, failure]);
}

const atOnce = 1000;

/** All items of a question that are meant, read window by window; `most` ends the reading early. */
export async function readItems(
  bridge: Bridge<File>,
  question: ItemQuestion,
  isMeant: (item: JobItem) => boolean,
  most = Infinity,
): Promise<Result<JobItem[]>> {
  const found: JobItem[] = [];
  for (let offset = 0; found.length < most; offset += atOnce) {
    const answer = await bridge.call('jobs.items', { ...question, offset, limit: atOnce });
    if (!answer.ok) return answer;
    found.push(...answer.value.items.filter(isMeant));
    if (offset + atOnce >= answer.value.total || answer.value.items.length === 0) break;
  }
  return success(found);
}

/** The positions of a stretch of items, both ends included. */
export async function readPositions(
  bridge: Bridge<File>,
  question: ItemQuestion,
  first: number,
  last: number,
): Promise<number[]> {
  const positions: number[] = [];
  for (let offset = first; offset <= last; offset += atOnce) {
    const answer = await bridge.call('jobs.items', { ...question, offset, limit: Math.min(atOnce, last - offset + 1) });
    if (!answer.ok) break;
    positions.push(...answer.value.items.map(({ position }) => position));
  }
  return positions;
}
