import { Download, FolderOpen, List, ListX } from 'lucide-react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Button } from '../../components/button.tsx';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { useBulkStore } from '../../features/bulk-download/bulk-store.tsx';
import { JobActions, type JobActs, JobLine } from '../../features/jobs/job-actions.tsx';
import { text } from './text.ts';
import { useStart } from './use-start.ts';

export function BulkHead({ acts }: { acts: JobActs }) {
  const { job, list, newList } = useBulkStore();
  return (
    <ViewHead title={text.title}>
      <ViewLine>{job && <JobLine job={job} />}</ViewLine>
      {job && <JobActions job={job} acts={acts} />}
      {/* Behind what changes when the job ends: a press must not land beside it. */}
      {(job || list.kind !== 'none') && (
        <Button look="quiet" onPress={newList}>
          <ListX size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.newList}
        </Button>
      )}
      {!job && <BeforeTheJob />}
    </ViewHead>
  );
}

function BeforeTheJob() {
  const { openFile } = useBulkStore();
  const { count, here, canStart, start } = useStart();
  const isList = count === 0 && here > 0;
  const take = (files: FileList | null): void => {
    const file = files?.item(0);
    if (file) openFile(file);
  };
  return (
    <>
      <FileTrigger onSelect={take}>
        <Button>
          <FolderOpen size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.openFile}
        </Button>
      </FileTrigger>
      <Button look="primary" isDisabled={!canStart} onPress={start}>
        {isList ? (
          <List size={14} strokeWidth={1.6} aria-hidden="true" />
        ) : (
          <Download size={14} strokeWidth={1.6} aria-hidden="true" />
        )}
        {isList ? text.listThem(here) : text.download(count)}
      </Button>
    </>
  );
}
