import { filterOf, useScanPlace } from '../../../features/scans/scan-places.tsx';
import { useRestedFind } from '../../../state/pacing.ts';
import { type GroupWindows, useScanGroups } from './use-scan-groups.ts';

/** What is listed now. */
export function useListedGroups(jobId: number): GroupWindows {
  const [place] = useScanPlace(jobId);
  return useScanGroups(jobId, place.by, filterOf(place, useRestedFind(place.find)));
}
