import { filterOf, useScanPlace } from '../../../app/scans/scan-places.tsx';
import { useRested } from '../../../app/use-rested.ts';
import { type GroupWindows, useScanGroups } from './use-scan-groups.ts';

/** A search begins when the typing rests. */
const findRestMs = 200;

/** What is listed now. */
export function useListedGroups(jobId: number): GroupWindows {
  const [place] = useScanPlace(jobId);
  return useScanGroups(jobId, place.by, filterOf(place, useRested(place.find, findRestMs)));
}
