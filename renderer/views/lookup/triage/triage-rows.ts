import { useCallback, useMemo } from 'react';
import type { Job } from '../../../../shared/domain/job.ts';
import {
  answeredOf,
  type TriageCounts,
  type TriageFilter,
  type TriageRow,
  type TriageSort,
  type TriageTicks,
} from '../../../../shared/domain/triage.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useOperation } from '../../../bridge/operations.ts';
import type { RowSelection } from '../../../components/data-grid/row-selection.ts';
import type { TriagePlace } from '../../../features/lookup/triage-store.tsx';
import { type RowSource, type RowWindow, useRowWindows } from '../../../state/row-windows.ts';

export interface TriageQuestion {
  id: number;
  filter: TriageFilter;
  sort: TriageSort;
  moment: string;
}

export interface TriageWindows {
  question: TriageQuestion;
  /** How many rows there are; null until it is known. */
  total: number | null;
  /** undefined while it is not loaded. */
  rowAt(index: number): TriageRow | undefined;
  onRange(first: number, last: number): void;
  positionsBetween(first: number, last: number): Promise<number[]>;
  /** Answers that came since the rows were put in this order. */
  newAnswers: number;
  failure: Failure | null;
}

type Window = RowWindow<TriageRow> & { answered: number };

export function useTriageCounts(id: number): TriageCounts | null {
  return useOperation('triage.counts', { id }).data ?? null;
}

/**
 * The visible rows in their current state. In the order of the text rows come to a filter as they get their answers;
 * any other order holds until the person renews it.
 */
export function useTriageWindows(
  { id, task }: Pick<Job, 'id' | 'task'>,
  { filter, sort, round }: TriagePlace,
  counts: TriageCounts | null,
): TriageWindows {
  const bridge = useBridge();
  const isHeld = sort.by !== 'position';
  const isFiltered = filter.states.length + filter.severities.length > 0 || filter.find.trim() !== '';
  const answered = counts === null ? 0 : answeredOf(counts);
  const live = isFiltered ? [answered, counts?.states.vault ?? 0, counts?.states.known ?? 0].join(' ') : '';
  const moment = isHeld ? `sorted ${round}` : `text ${live}`;
  const question = useMemo((): TriageQuestion => ({ id, filter, sort, moment }), [id, filter, sort, moment]);
  const source = useMemo(
    (): RowSource<Window> => ({
      name: 'triage.rows',
      question,
      read: (offset, limit) => bridge.call('triage.rows', { ...question, offset, limit }),
    }),
    [bridge, question],
  );
  const { total, rowAt, onRange, newest, isAnswered, failure } = useRowWindows(source);
  const positionsBetween = useCallback(
    (first: number, last: number) => readPositions(bridge, question, first, last),
    [bridge, question],
  );
  const newAnswers =
    isHeld && isAnswered && newest !== null && task.kind === 'triage' ? Math.max(0, answered - newest.answered) : 0;
  return useMemo(
    () => ({ question, total, rowAt, onRange, positionsBetween, newAnswers, failure }),
    [question, total, rowAt, onRange, positionsBetween, newAnswers, failure],
  );
}

const atOnce = 1000;

async function readPositions(
  bridge: Bridge<File>,
  question: TriageQuestion,
  first: number,
  last: number,
): Promise<number[]> {
  const positions: number[] = [];
  for (let offset = first; offset <= last; offset += atOnce) {
    const limit = Math.min(atOnce, last - offset + 1);
    const answer = await bridge.call('triage.rows', { ...question, offset, limit });
    if (!answer.ok) break;
    positions.push(...answer.value.rows.map(({ position }) => position));
  }
  return positions;
}

export const ticksOf = ({ kind, keys }: RowSelection<number>): TriageTicks => ({
  isExcept: kind === 'all-except',
  positions: [...keys],
});

/** All ticked rows, in the order of the table. */
export async function readTicked(
  bridge: Bridge<File>,
  question: TriageQuestion,
  selection: RowSelection<number>,
): Promise<Result<TriageRow[]>> {
  const rows: TriageRow[] = [];
  const only = ticksOf(selection);
  const moment = crypto.randomUUID();
  for (let total = 1; rows.length < total;) {
    const answer = await bridge.call('triage.rows', { ...question, moment, only, offset: rows.length, limit: atOnce });
    if (!answer.ok) return answer;
    total = answer.value.rows.length === 0 ? 0 : answer.value.total;
    rows.push(...answer.value.rows);
  }
  return success(rows);
}
