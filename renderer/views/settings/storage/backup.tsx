import { isFinalJob, type Job } from '../../../../shared/domain/job.ts';
import type { LastBackup, StorageState } from '../../../../shared/domain/storage.ts';
import { useAction } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { CopyIcon } from '../../../components/copy-button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatSize } from '../../../components/format.ts';
import { JobProgress } from '../../../components/jobs/job-progress.tsx';
import { Notice } from '../../../components/notice.tsx';
import { TimeText } from '../../../components/service-text.tsx';
import { useJobs, useNoteJob, useWatchedJob } from '../../../state/jobs.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { FolderDialog } from '../folder-dialog.tsx';
import settings from '../settings.module.css';
import styles from './storage.module.css';
import { text } from './strings.ts';

interface BackupProps extends Pick<StorageState, 'lastBackup' | 'backupFolder'> {
  /** Whether the host asks for the folder. */
  asksForFolder: boolean;
  /** Whether the program is started by its own name, and not from a folder of sources. */
  isPackaged: boolean;
}

/** A copy of all local data: the one that is being made, the last one, and how to restore it. */
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
      <BackUpNow
        running={running}
        folder={backupFolder === lastBackup?.path ? null : backupFolder}
        goesByItself={asksForFolder || backupFolder !== null}
        choosesHere={!asksForFolder}
      />
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

interface BackUpNowProps {
  running: Job | null;
  /** Where to, when that is not said yet. */
  folder: string | null;
  /** It can begin without a choice here: the host asks, or has a folder. */
  goesByItself: boolean;
  /** Another folder is chosen in the page. */
  choosesHere: boolean;
}

/** One that halted makes place for the next. */
function BackUpNow({ running, folder, goesByItself, choosesHere }: BackUpNowProps) {
  const note = useNoteJob();
  const { mutate, isPending, error } = useAction('storage.backUp');
  const begin = (input: { startOver?: boolean }): void =>
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
        {goesByItself && (
          <Button isPending={isPending || isGoing} onPress={start}>
            {text.backUpNow}
          </Button>
        )}
        {choosesHere && <BackUpElsewhere isFirst={!goesByItself} isGoing={isGoing} />}
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
              <Button size="small" onPress={() => begin({ startOver: true })}>
                {text.startOver}
              </Button>
            )
          }
        />
      )}
    </>
  );
}

/** Backs up to a folder that is chosen in the page; the next backup goes there by itself. */
function BackUpElsewhere({ isFirst, isGoing }: { isFirst: boolean; isGoing: boolean }) {
  const note = useNoteJob();
  const places = useAction('host.folders');
  const { mutate, isPending, error, reset } = useAction('storage.backUp');
  const close = (): void => {
    places.reset();
    reset();
  };
  const begin = (folder: string): void =>
    mutate(
      { folder },
      {
        onSuccess: ({ job }) => {
          if (job !== null) note(job);
          close();
        },
      },
    );
  return (
    <>
      <Button isDisabled={isGoing} isPending={places.isPending} onPress={() => places.mutate({ folder: null })}>
        {isFirst ? text.backUpTo : text.otherBackupFolder}
      </Button>
      {places.error && <FailureNotice failure={places.error} />}
      {places.data !== undefined && (
        <FolderDialog
          title={text.backupFolderTitle}
          verb={text.backUpHere}
          places={places.data}
          onChoose={begin}
          isPending={isPending}
          failure={error}
          onClose={close}
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
      <dl className={classNames(layout.stack, typography.body, typography.facts, settings.facts)}>
        <div>
          <dt>{text.lastBackup}</dt>
          <dd>
            <TimeText sent={ended} />
          </dd>
        </div>
        <div>
          <dt>{text.size}</dt>
          <dd>{text.sizeOfMove(formatSize(bytes), files)}</dd>
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

/**
 * What a person puts into a terminal to have a backup restored; the place of the new folder is theirs to fill in. A
 * packaged desktop is started with it; where it runs from its sources, that is in their folder.
 */
export function restoreCommand(backup: string, { isPackaged }: { isPackaged: boolean }): string {
  return isPackaged
    ? `vitrine --restore ${quoted(backup)} --data NEW_FOLDER`
    : `npm run -s vitrine -- restore ${quoted(backup)} --data NEW_FOLDER`;
}

/** As the shells of the system take it whose path it is. */
const quoted = (path: string): string =>
  /^(?:[A-Za-z]:|\\\\)/.test(path) ? quotedOnWindows(path) : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/**
 * A Windows path contains no double quotation mark. A path in which PowerShell would expand something between double
 * quotes is put in single ones; else the double quotes suit the command prompt too, where a backslash at the end would
 * escape the closing quote.
 */
function quotedOnWindows(path: string): string {
  return /[$`\u201c-\u201e]/.test(path)
    ? `'${path.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`
    : `"${path.replace(/\\+$/, '$&$&')}"`;
}

/** The check that runs, and what the last one found. */
export function VaultCheck({ lastCheck, isEmpty }: { lastCheck: StorageState['lastCheck']; isEmpty: boolean }) {
  const note = useNoteJob();
  // Those that are not over come first, then the newest.
  const latest = useJobs().find((job) => job.task.kind === 'vault-check') ?? null;
  const running = latest !== null && !isFinalJob(latest) ? latest : null;
  const { mutate, isPending, error } = useAction('storage.check');
  const start = (): void => mutate({}, { onSuccess: note });
  useWatchedJob(running?.id ?? null);
  return (
    <section className={classNames(layout.stack8, settings.group)} aria-labelledby="vault-check">
      <h3 id="vault-check" className={settings.groupTitle}>
        {text.check}
      </h3>
      <p className={typography.sentence}>{text.checkSentence}</p>
      {running === null ? (
        <LastCheck lastCheck={lastCheck} job={latest} />
      ) : (
        <RunningJob job={running} label={text.showJob} />
      )}
      <div>
        <Button isDisabled={isEmpty} isPending={isPending || running !== null} onPress={start}>
          {text.startCheck}
        </Button>
      </div>
      {error && <FailureNotice failure={error} retry={{ name: 'storage.check', input: {} }} onRetry={start} />}
    </section>
  );
}

function LastCheck({ lastCheck, job }: { lastCheck: StorageState['lastCheck']; job: Job | null }) {
  const { openJob } = useNavigation();
  if (lastCheck === null)
    return (
      <p className={classNames(layout.wrapRow, typography.sentence)} role="status">
        {text.noCheck}
      </p>
    );
  const { ended, samples, missing, altered } = lastCheck;
  const isSound = missing + altered === 0;
  return (
    <div className={classNames(layout.wrapRow, typography.sentence)} role="status">
      <span>
        {text.lastCheck} <TimeText sent={ended} />:{' '}
        {isSound ? text.allSound(samples) : <strong>{text.notSound(missing, altered)}</strong>}
      </span>
      {!isSound && job !== null && (
        <Button size="small" onPress={() => openJob(job.id)}>
          {text.showDamaged}
        </Button>
      )}
    </div>
  );
}

/** A job that this section began, how far it is, and the way to it. */
function RunningJob({ job, label }: { job: Job; label: string }) {
  const { openJob } = useNavigation();
  return (
    <>
      <JobProgress job={job} />
      {job.failure && <FailureNotice failure={job.failure} />}
      <div>
        <Button size="small" look="quiet" onPress={() => openJob(job.id)}>
          {label}
        </Button>
      </div>
    </>
  );
}
