import { useMemo, useState } from 'react';
import type { OperationOutput } from '../../../../shared/contract.ts';
import type { DifferenceCounts, DifferenceRow } from '../../../../shared/domain/publication.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { usePublicationsPlace } from '../../../app/publications/publications-place.tsx';
import { type RowSource, type RowWindows, useRowWindows, windowRows } from '../../../app/use-row-windows.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useOperation } from '../../../bridge/use-operation.ts';

export type DifferenceWindow = OperationOutput<'publications.difference'>;

/** The difference between two packages, as far as it is loaded, and the line of it that is shown. */
export interface Comparison {
  workspaceId: string;
  /** null: nothing was there before. */
  from: string | null;
  to: string;
  /** null until it is known. */
  counts: DifferenceCounts | null;
  /** The first window: broken ones come first. */
  firstRows: readonly DifferenceRow[];
  /** Names of muted rules that would be other ones, or none. */
  muted: readonly string[];
  windows: RowWindows<DifferenceWindow>;
  failure: Failure | null;
  total: number;
  /** Of the line that is shown; -1: there is none. */
  index: number;
  /** undefined while it is not loaded. */
  row: DifferenceRow | undefined;
  show(index: number): void;
}

export function useComparison(workspaceId: string, from: string | null, to: string): Comparison {
  const bridge = useBridge();
  const [{ change }, note] = usePublicationsPlace(workspaceId);
  const source = useMemo((): RowSource<DifferenceWindow> => ({
    name: 'publications.difference',
    question: { workspaceId, from, to },
    read: (offset, limit) => bridge.call('publications.difference', { workspaceId, from, to, offset, limit }),
  }), [bridge, workspaceId, from, to]);
  const windows = useRowWindows(source);
  // The same question as that of the first window, and remembered under it.
  const first = useOperation('publications.difference', { workspaceId, from, to, offset: 0, limit: windowRows });
  const total = first.data?.total ?? 0;
  const noted = change !== null && change.from === from && change.to === to ? change.index : null;
  const index = Math.min(noted ?? firstShown(first.data), total - 1);
  const row = useKeptRow(index, windows.rowAt(index) ?? first.data?.rows[index]);
  return {
    workspaceId, from, to, windows, total, index,
    counts: first.data?.counts ?? null,
    firstRows: first.data?.rows ?? [],
    muted: first.data?.muted ?? [],
    failure: first.error ?? windows.failure,
    row,
    show: (next) => note({ change: { from, to, index: next } }),
  };
}

/** The line that is shown stays, wherever the list is scrolled to and its window let go of. */
function useKeptRow(index: number, loaded: DifferenceRow | undefined): DifferenceRow | undefined {
  const [kept, keep] = useState({ index, row: loaded });
  if (loaded !== undefined && (kept.index !== index || kept.row !== loaded)) keep({ index, row: loaded });
  return loaded ?? (kept.index === index ? kept.row : undefined);
}

/** The first line that is no broken one: those are told above it. */
function firstShown(data: DifferenceWindow | undefined): number {
  if (data === undefined) return -1;
  return data.counts.broken < data.total ? data.counts.broken : 0;
}
