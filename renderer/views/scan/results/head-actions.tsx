import { VolumeX } from 'lucide-react';
import { useState } from 'react';
import { isFinalJob, type Job } from '../../../../shared/domain/job.ts';
import { Button } from '../../../components/button.tsx';
import { JobActions, type JobActs } from '../../../features/jobs/job-actions.tsx';
import { MuteDialog } from '../../../features/mutes/mute-dialogs.tsx';
import { filterOf, useScanPlace } from '../../../features/scans/scan-places.tsx';
import type { CopySource } from './copied-results.ts';
import { CopyResults } from './copy-results.tsx';
import { ExportResults } from './export-results.tsx';
import { ScanAgain } from './scan-again.tsx';
import { TagSamples } from './tag-samples.tsx';
import { text } from './text.ts';
import { type ShownFile, useShownFile, useShownPosition } from './use-shown-file.ts';

/** What can be done with what is shown: at the right of the head of the view. */
export function ScanHeadActions({ job, acts }: { job: Job; acts: JobActs }) {
  const [place] = useScanPlace(job.id);
  const position = useShownPosition(job);
  const { shown } = useShownFile(job.id, place.by === 'file' ? position : null);
  const listed = filterOf(place, place.find);
  const rule =
    place.by === 'rule' ? (place.group?.by === 'rule' ? place.group.rule : null) : (shown?.hit?.rule ?? null);
  const mute = shown?.hit?.mute ?? null;
  return (
    <>
      {!isFinalJob(job) && <JobActions job={job} acts={acts} />}
      <CopyResults source={sourceOf(shown, rule)} />
      <TagSamples jobId={job.id} filter={listed} one={shown?.file ?? null} isSingle={job.items === 1} />
      <MuteRule job={job} rule={mute === null ? rule : null} sample={shown?.file.sha256 ?? null} />
      <ExportResults jobId={job.id} filter={listed} />
      {isFinalJob(job) && <ScanAgain job={job} filter={listed} file={shown?.file ?? null} />}
    </>
  );
}

const sourceOf = (shown: ShownFile | null, rule: string | null): CopySource =>
  shown === null ? { file: null, rule, hit: null, matches: [], match: -1 } : { ...shown, rule };

/** `rule`: null where none can be muted. */
function MuteRule({ job: { workspaceId }, rule, sample }: { job: Job; rule: string | null; sample: string | null }) {
  const [muting, setMuting] = useState<string | null>(null);
  return (
    <>
      <Button letter="M" isDisabled={rule === null || workspaceId === null} onPress={() => setMuting(rule)}>
        <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.muteRule}
      </Button>
      {muting !== null && workspaceId !== null && (
        <MuteDialog workspaceId={workspaceId} rule={muting} sample={sample} onClose={() => setMuting(null)} />
      )}
    </>
  );
}
