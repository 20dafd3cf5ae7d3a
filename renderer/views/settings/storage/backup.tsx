import { isFinalJob, type Job } from '../../../../shared/domain/job.ts';
import type { LastBackup, StorageState } from '../../../../shared/domain/storage.ts';
import { useJobs, useNoteJob, useWatchedJob } from '../../../app/jobs.tsx';
import { useNavigation } from '../../../app/navigation.tsx';
import { useAction } from '../../../bridge/use-action.ts';
import { Button } from '../../../components/button.tsx';
import { sizeWords } from '../../../components/byte-words.ts';
import { CopyIcon } from '../../../components/copy-button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import settings from '../settings.module.css';
import { restoreCommand } from './restore-command.ts';
import { RunningJob } from './running-job.tsx';
import styles from './storage.module.css';
import { text } from './text.ts';

export interface BackupProps extends Pick<StorageState, 'lastBackup' | 'backupFolder'> {
  /** Whether the host asks for the folder. */
  asksForFolder: boolean;
  /** Whether the program is started by its own name, and not from a folder of sources. */
  isPackaged: boolean;
}

/** A copy of all that this desk keeps: the one that is being made, the last one, and how it is put back. */
export function Backup({ lastBackup, backupFolder, asksForFolder, isPackaged }: BackupProps) {
  const made = useJobs().filter((job) => job.task.kind === 'backup');
  const running = made.find((job) => !isFinalJob(job)) ?? null;
  useWatchedJob(running?.id ?? null);
  return (
    <section className={classNames(layout.stack8, settings.group)} aria-labelledby="backup">
      <h3 id="backup" className={settings.groupTitle}>
        {text.backup}
      </h3>
      <p className={typography.sentence}>
        {text.backupSentence} {text.backupTokens}
      </p>
      {(running === null || (running.state === 'paused' && lastBackup !== null)) && <Last lastBackup={lastBackup} />}
      {running === null ? <NotWhole job={newestOf(made)} /> : <RunningJob job={running} label={text.showBackup} />}
      {asksForFolder || backupFolder !== null ? (
        <BackUpNow running={running} folder={backupFolder === lastBackup?.path ? null : backupFolder} />
      ) : (
        <p className={typography.sentence}>{text.noBackupFolder}</p>
      )}
      {lastBackup !== null && <HowToRestore path={lastBackup.path} isPackaged={isPackaged} />}
    </section>
  );
}

const newestOf = (jobs: readonly Job[]): Job | null =>
  jobs.reduce<Job | null>((newest, job) => (newest === null || job.id > newest.id ? job : newest), null);

/** It is over, and samples are not in it, or what came after its last file was refused. */
function NotWhole({ job }: { job: Job | null }) {
  const { openJob } = useNavigation();
  if (job?.state !== 'done') return null;
  if (job.failure !== null) return <FailureNotice failure={job.failure} />;
  if (job.counts.failed === 0) return null;
  return (
    <Notice
      meaning="warn"
      title={text.missed(job.counts.failed)}
      actions={
        <Button size="small" onPress={() => openJob(job.id)}>
          {text.showBackup}
        </Button>
      }
    >
      {text.missedThen}
    </Notice>
  );
}

/** `folder`: where to, when that is not said yet. One that halted makes place for the next. */
function BackUpNow({ running, folder }: { running: Job | null; folder: string | null }) {
  const note = useNoteJob();
  const { mutate, isPending, error } = useAction('storage.backUp');
  const begin = (input: { beginAnew?: boolean }): void =>
    mutate(input, {
      onSuccess: ({ job }) => {
        if (job !== null) note(job);
      },
    });
  const start = (): void => begin({});
  const isGone = error?.kind === 'backup-refused' && error.reason === 'no-backup';
  const isGoing = running !== null && running.state !== 'paused';
  return (
    <>
      <div className={classNames(layout.wrapRow, typography.sentence)}>
        <Button isPending={isPending || isGoing} onPress={start}>
          {text.backUpNow}
        </Button>
        {folder !== null && (
          <span className={styles.into}>
            {text.into} <bdi>{folder}</bdi>
          </span>
        )}
      </div>
      {error && (
        <FailureNotice
          failure={error}
          retry={{ name: 'storage.backUp', input: {} }}
          onRetry={start}
          action={
            isGone && (
              <Button size="small" onPress={() => begin({ beginAnew: true })}>
                {text.beginAnew}
              </Button>
            )
          }
        />
      )}
    </>
  );
}

function Last({ lastBackup }: { lastBackup: LastBackup | null }) {
  if (lastBackup === null)
    return (
      <p className={classNames(layout.wrapRow, typography.sentence)} role="status">
        {text.noBackup}
      </p>
    );
  const { path, ended, files, bytes } = lastBackup;
  return (
    <div role="status">
      <dl className={classNames(layout.stack, typography.body, settings.facts)}>
        <div>
          <dt>{text.lastBackup}</dt>
          <dd>
            <TimeText sent={ended} />
          </dd>
        </div>
        <div>
          <dt>{text.size}</dt>
          <dd>{text.sizeOfMove(sizeWords(bytes), files)}</dd>
        </div>
        <div>
          <dt>{text.directory}</dt>
          <dd className={settings.path}>
            <bdi>{path}</bdi>
          </dd>
        </div>
      </dl>
    </div>
  );
}

function HowToRestore({ path, isPackaged }: Pick<LastBackup, 'path'> & Pick<BackupProps, 'isPackaged'>) {
  const command = restoreCommand(path, { isPackaged });
  return (
    <>
      <p className={typography.sentence}>{text.restoreSentence}</p>
      <div className={classNames(layout.spreadRow, styles.command)}>
        <code>{command}</code>
        <CopyIcon text={command} label={text.copyCommand} />
      </div>
    </>
  );
}
