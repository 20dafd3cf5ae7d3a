import { Download, FolderOpen, ListX } from 'lucide-react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useBulkDesk } from '../../app/bulk-desk.tsx';
import { JobActions } from '../../app/job-actions.tsx';
import type { JobActs } from '../../app/use-job-actions.ts';
import { Button } from '../../components/button.tsx';
import { secondWords } from '../../components/utc-time.ts';
import styles from './bulk-download.module.css';
import { text } from './text.ts';
import { useStart } from './use-start.ts';

export function BulkHead({ acts }: { acts: JobActs }) {
  const { job, list, newList } = useBulkDesk();
  return (
    <div className={styles.head} data-pane>
      <h1 className={styles.title}>{text.title}</h1>
      {job && <p className={styles.state} data-figures>{text.jobLine(job.id, job.started === null ? null : secondWords(new Date(job.started)).slice(11))}</p>}
      <span className={styles.push} />
      {(job || list.kind !== 'none') && (
        <Button look="quiet" onPress={newList}>
          <ListX size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.newList}
        </Button>
      )}
      {job ? <JobActions job={job} acts={acts} /> : <BeforeTheJob />}
    </div>
  );
}

function BeforeTheJob() {
  const { openFile } = useBulkDesk();
  const { count, canStart, start } = useStart();
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
        <Download size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.download(count)}
      </Button>
    </>
  );
}
