import { useQueryClient } from '@tanstack/react-query';
import type { HostDescription } from '../../../../shared/domain/host.ts';
import type { StorageState } from '../../../../shared/domain/storage.ts';
import { useAction } from '../../../bridge/use-action.ts';
import { useEvent } from '../../../bridge/use-event.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { Button } from '../../../components/button.tsx';
import { sizeWords } from '../../../components/byte-words.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { isFinalJob, type JobKind } from '../../../../shared/domain/job.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from '../settings.module.css';
import storage from './storage.module.css';
import { Backup } from './backup.tsx';
import { CleanUp } from './clean-up.tsx';
import { MoveData } from './move-data.tsx';
import { OldCopy } from './old-copy.tsx';
import { StoragePlaces } from './storage-places.tsx';
import { text } from './text.ts';
import { VaultCheck } from './vault-check.tsx';

/** Where the desk's things are, how much room they take, and whether they are whole. */
export function StorageSection() {
  const { data: state, error, refetch } = useOperation('storage.state', {});
  const { data: host } = useOperation('host.describe', {});
  useStateAfterJobs();
  if (error)
    return (
      <FailureNotice failure={error} retry={{ name: 'storage.state', input: {} }} onRetry={() => void refetch()} />
    );
  return (
    <>
      <p className={typography.sentence}>
        {text.sentence} {host?.capabilities.restarts === false && text.startOption}
      </p>
      {state === undefined ? (
        <p className={typography.sentence} role="status">
          {text.reading}
        </p>
      ) : (
        <Kept state={state} host={host} />
      )}
    </>
  );
}

const kindsRemembered: ReadonlySet<JobKind> = new Set(['vault-check', 'backup']);

/** A check that ended is the last one, whoever started it; a backup too. */
function useStateAfterJobs(): void {
  const client = useQueryClient();
  useEvent('job.changed', (job) => {
    if (kindsRemembered.has(job.task.kind) && isFinalJob(job))
      void client.invalidateQueries({ queryKey: ['storage.state'] });
  });
}

function Kept({ state, host }: { state: StorageState; host: HostDescription | undefined }) {
  const capabilities = host?.capabilities;
  return (
    <>
      <dl className={classNames(layout.stack, typography.body, styles.facts)}>
        <div>
          <dt>{text.directory}</dt>
          <dd className={styles.path}>
            <bdi>{state.directory}</bdi>
          </dd>
        </div>
        <div>
          <dt>{text.samples}</dt>
          <dd>{text.samplesKept(state.samples)}</dd>
        </div>
        <div>
          <dt>{text.free}</dt>
          <dd>{state.freeBytes === null ? text.notSaid : sizeWords(state.freeBytes)}</dd>
        </div>
      </dl>
      {capabilities !== undefined && (capabilities.openFolders || capabilities.restarts) && (
        <div className={layout.wrap8}>
          {capabilities.openFolders && <OpenFolder />}
          {capabilities.restarts && <MoveData />}
        </div>
      )}
      <OldCopy oldCopy={state.oldCopy} />
      <StoragePlaces places={state.places} />
      {host && (
        <Backup
          lastBackup={state.lastBackup}
          backupFolder={state.backupFolder}
          asksForFolder={host.capabilities.chooseFolder}
          isPackaged={host.isPackaged}
        />
      )}
      <VaultCheck lastCheck={state.lastCheck} isEmpty={state.samples === 0} />
      <CleanUp unusedBytes={state.unusedBytes} />
    </>
  );
}

function OpenFolder() {
  const { mutate, error } = useAction('host.openDataFolder');
  return (
    <>
      <Button onPress={() => mutate({})}>{text.openFolder}</Button>
      {error && (
        <div className={storage.ownLine}>
          <FailureNotice failure={error} />
        </div>
      )}
    </>
  );
}
