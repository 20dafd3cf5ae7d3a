import type { Job, JobTask } from '../../../shared/domain/job.ts';
import { TagChip } from '../../components/service-text.tsx';
import { TlpLabel } from '../../components/tlp-select.tsx';
import styles from './job-items.module.css';
import { text } from './text.ts';

type ChangeTask = Extract<JobTask, { kind: 'library-change' }>;

/** What is done to each sample of a change, of which there may be a million: they are counted, and not listed. */
export function ChangeTold({ job: { task } }: { job: Job }) {
  if (task.kind !== 'library-change') return null;
  return (
    <>
      {task.what === 'change' ? (
        <ChangeLines task={task} />
      ) : (
        <p className={styles.result}>{text.forgets[task.what]}</p>
      )}
      <p className={styles.result}>{text.countedOnly}</p>
    </>
  );
}

function ChangeLines({ task: { add, remove, tlp, addsNote } }: { task: ChangeTask }) {
  return (
    <>
      <TagLine label={text.gives} tags={add} />
      <TagLine label={text.takes} tags={remove} />
      {tlp !== undefined && (
        <p className={styles.result}>
          <span>{text.setsTlp}</span>
          {tlp === null ? <span>{text.noTlp}</span> : <TlpLabel level={tlp} />}
        </p>
      )}
      {addsNote && <p className={styles.result}>{text.addsNote}</p>}
    </>
  );
}

function TagLine({ label, tags }: { label: string; tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <div className={styles.tags}>
      <span>{label}</span>
      {tags.map((tag) => (
        <TagChip key={tag} tag={tag} />
      ))}
    </div>
  );
}
