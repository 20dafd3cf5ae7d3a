import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Job } from '../../../../shared/domain/job.ts';
import {
  answeredOf,
  type TriageCounts,
  type TriageFilter,
  type TriageRow,
  type TriageSort,
  type TriageTicked,
  type TriageTicks,
} from '../../../../shared/domain/triage.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { failed, type Result, success } from '../../../../shared/failure.ts';
import { mostTickedRows } from '../../../../shared/operations/samples.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useEvent, useOperation } from '../../../bridge/operations.ts';
import { paced } from '../../../bridge/paced.ts';
import type { RowSelection } from '../../../components/data-grid/row-selection.ts';
import { newMoment, type TriagePlace } from '../../../features/lookup/triage-store.tsx';
import { useLatest } from '../../../state/presence.ts';
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
  /** The rows or their order would be others by now, for another reason. */
  isStale: boolean;
  failure: Failure | null;
}

type Window = RowWindow<TriageRow> & { answered: number; isStale: boolean };

export function useTriageCounts(id: number): TriageCounts | null {
  return useOperation('triage.counts', { id }).data ?? null;
}

/**
 * The visible rows in their current state. In the order of the text rows come to a filter as they get their answers;
 * any other order holds until the person renews it.
 */
export function useTriageWindows(
  { id, task }: Pick<Job, 'id' | 'task'>,
  { filter, sort, moment: sortedAt }: TriagePlace,
  counts: TriageCounts | null,
): TriageWindows {
  const bridge = useBridge();
  const isHeld = sort.by !== 'position';
  const isFiltered = filter.states.length + filter.severities.length > 0 || filter.find.trim() !== '';
  const live = useLiveMoment(id, sortedAt, isFiltered && !isHeld);
  const moment = isHeld ? sortedAt : live;
  const question = useMemo((): TriageQuestion => ({ id, filter, sort, moment }), [id, filter, sort, moment]);
  const source = useMemo(
    (): RowSource<Window> => ({
      name: 'triage.rows',
      question,
      list: JSON.stringify([question.id, question.filter, question.sort]),
      read: (offset, limit) => bridge.call('triage.rows', { ...question, offset, limit }),
    }),
    [bridge, question],
  );
  const { total, rowAt, onRange, newest, isAnswered, failure } = useRowWindows(source);
  const positionsBetween = useCallback(
    (first: number, last: number) => readPositions(bridge, question, first, last),
    [bridge, question],
  );
  const sorted = isHeld && isAnswered && counts !== null && task.kind === 'triage' ? newest : null;
  const newAnswers = sorted === null || counts === null ? 0 : Math.max(0, answeredOf(counts) - sorted.answered);
  const isStale = sorted?.isStale === true;
  return useMemo(
    () => ({ question, total, rowAt, onRange, positionsBetween, newAnswers, isStale, failure }),
    [question, total, rowAt, onRange, positionsBetween, newAnswers, isStale, failure],
  );
}

const renewedEveryMs = 500;

/** Another one whenever the rows of a triage may have changed, where they are to follow that; and from `base` on. */
function useLiveMoment(id: number, base: string, follows: boolean): string {
  const [live, setLive] = useState(() => ({ base, moment: newMoment() }));
  const show = useLatest(() => setLive({ base, moment: newMoment() }));
  const renew = useMemo(() => paced(renewedEveryMs, show), [show]);
  const note = (): void => {
    if (follows) renew();
  };
  useEvent('library.changed', note);
  useEvent('job.changed', (job) => {
    if (job.id === id) note();
  });
  return live.base === base ? live.moment : base;
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

/** Reads all ticked rows, in the order of the table. Fails with `cancelled` when it is given up. */
export type ReadTicked = () => Promise<Result<TriageTicked[]>>;

/** A later reading gives up the one before, and so does leaving the table. */
export function useReadTicked(question: TriageQuestion, selection: RowSelection<number>): ReadTicked {
  const bridge = useBridge();
  const under = useRef<AbortController | null>(null);
  useEffect(() => () => under.current?.abort(), []);
  return useCallback(() => {
    under.current?.abort();
    under.current = new AbortController();
    return readTicked(bridge, { question, selection, signal: under.current.signal });
  }, [bridge, question, selection]);
}

interface TickedReading {
  question: TriageQuestion;
  selection: RowSelection<number>;
  signal: AbortSignal;
}

export async function readTicked(
  bridge: Bridge<File>,
  { question, selection, signal }: TickedReading,
): Promise<Result<TriageTicked[]>> {
  const rows: TriageTicked[] = [];
  const only = ticksOf(selection);
  for (let total = 1; rows.length < total;) {
    const window = { offset: rows.length, limit: mostTickedRows };
    const answer = await bridge.call('triage.ticked', { ...question, only, ...window });
    if (signal.aborted) return failed({ kind: 'cancelled' });
    if (!answer.ok) return answer;
    total = answer.value.rows.length === 0 ? 0 : answer.value.total;
    rows.push(...answer.value.rows);
  }
  return success(rows);
}

/** What the library knows them by, each sample once. */
export const knownSamples = (rows: readonly TriageTicked[]): string[] => [
  ...new Set(rows.flatMap(({ sample }) => sample ?? [])),
];

/** A report may list several hashes of one sample: its first row, as `samples` of `TriageSelected` counts them. */
export const oneOfEachSample = (rows: readonly TriageTicked[]): TriageTicked[] =>
  [
    ...new Map(rows.map((row) => [row.sample ?? row.toDownload ?? row.hash, row] as const).toReversed()).values(),
  ].toReversed();

export const shortHash = 12;
