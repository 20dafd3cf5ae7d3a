import type { Job } from '../../../../shared/domain/job.ts';
import { useScanPlace } from '../../../features/scans/scan-places.tsx';
import { GroupSummary } from './group-summary.tsx';
import { narrowTo } from './results-list.tsx';
import { useListedGroups } from './use-listed-groups.ts';
import { latestOf } from './use-scan-groups.ts';

/** The rule or the family that the list stands at, as it counts now. */
export function GroupBody({ job, toList }: { job: Job; toList(): void }) {
  const [{ by, group }, note] = useScanPlace(job.id);
  const windows = useListedGroups(job.id);
  if (group === null || group.by !== by) return null;
  const showFiles = (): void => {
    narrowTo(group, note);
    toList();
  };
  return <GroupSummary group={latestOf(windows, group)} workspaceId={job.workspaceId} onShowFiles={showFiles} />;
}
