import { useMemo } from 'react';
import type { ScanFilter, ScanGroup } from '../../../../shared/domain/scan.ts';
import { success } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { type FilesGroup, filterOf, type GroupBy, useScanPlace } from '../../../features/scans/scan-places.tsx';
import { useRestedFind } from '../../../state/pacing.ts';
import { type RowSource, type RowWindow, type RowWindows, useRowWindows } from '../../../state/row-windows.ts';

export interface GroupWindows extends RowWindows<RowWindow<ScanGroup>> {
  /** The filter of the rows; null while the rows are those of an earlier question. */
  filter: ScanFilter | null;
}

/** The visible results, as they are now. */
function useScanGroups(jobId: number, by: GroupBy, filter: ScanFilter): GroupWindows {
  const bridge = useBridge();
  const { find, show, rule, family } = filter;
  const source = useMemo((): RowSource<RowWindow<ScanGroup>> => {
    const question = { jobId, by, filter: { find, show, rule, family } };
    return {
      name: 'scans.groups',
      question,
      read: async (offset, limit) => {
        const answer = await bridge.call('scans.groups', { ...question, offset, limit });
        return answer.ok ? success({ rows: answer.value.groups, total: answer.value.total }) : answer;
      },
    };
  }, [bridge, jobId, by, find, show, rule, family]);
  const windows = useRowWindows(source);
  return { ...windows, filter: windows.isAnswered ? { find, show, rule, family } : null };
}

/** Distinguishes one row from another, whatever its current counts. */
export function keyOfGroup(group: ScanGroup): string {
  switch (group.by) {
    case 'file':
      return String(group.position);
    case 'rule':
      return group.rule;
    default:
      return group.family ?? '';
  }
}

const searched = 300;

/** The row with that key, where it is among those loaded. */
export function loadedGroup(windows: GroupWindows, by: GroupBy, key: string): ScanGroup | null {
  for (let index = 0; index < Math.min(windows.total ?? 0, searched); index += 1) {
    const row = windows.rowAt(index);
    if (row !== undefined && row.by === by && keyOfGroup(row) === key) return row;
  }
  return null;
}

/** The row in its current state. */
export function latestOf(windows: GroupWindows, group: FilesGroup): FilesGroup {
  const row = loadedGroup(windows, group.by, keyOfGroup(group));
  return row === null || row.by === 'file' ? group : row;
}

/** What is listed now. */
export function useListedGroups(jobId: number): GroupWindows {
  const [place] = useScanPlace(jobId);
  return useScanGroups(jobId, place.by, filterOf(place, useRestedFind(place.find)));
}
