import { useQueryClient } from '@tanstack/react-query';
import type { HostDescription } from '../../../../shared/domain/host.ts';
import { isFinalJob, type JobKind } from '../../../../shared/domain/job.ts';
import type { StorageMove, StoragePlace, StorageState } from '../../../../shared/domain/storage.ts';
import { useAction, useEvent, useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatNumber, formatSize } from '../../../components/format.ts';
import { SmallTable } from '../../../components/small-table.tsx';
import { useJobs } from '../../../state/jobs.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { Setting } from '../setting.tsx';
import settings from '../settings.module.css';
import { Backup, VaultCheck } from './backup.tsx';
import { OldCopy } from './old-copy.tsx';
import storage from './storage.module.css';
import { text } from './strings.ts';

/** Where local data is stored, how much disk space it uses, and whether it is intact. */
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

/** A check that ended is the last one, whatever started it; a backup too. */
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
      <dl className={classNames(layout.stack, typography.body, typography.facts, settings.facts)}>
        <div>
          <dt>{text.directory}</dt>
          <dd className={settings.path}>
            <bdi>{state.directory}</bdi>
          </dd>
        </div>
        <div>
          <dt>{text.samples}</dt>
          <dd>{text.samplesKept(state.samples)}</dd>
        </div>
        <div>
          <dt>{text.free}</dt>
          <dd>{state.freeBytes === null ? text.notSaid : formatSize(state.freeBytes)}</dd>
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
        <Setting place="backup">
          <Backup
            lastBackup={state.lastBackup}
            backupFolder={state.backupFolder}
            asksForFolder={host.capabilities.chooseFolder}
            isPackaged={host.isPackaged}
          />
        </Setting>
      )}
      <Setting place="vaultCheck">
        <VaultCheck lastCheck={state.lastCheck} isEmpty={state.samples === 0} />
      </Setting>
      <Setting place="cleanUp">
        <CleanUp unusedBytes={state.unusedBytes} />
      </Setting>
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

/** Largest first, each with its part of the bar. The table has all the information of the bar. */
function StoragePlaces({ places }: { places: StorageState['places'] }) {
  const shown = places.toSorted((one, other) => other.bytes - one.bytes);
  const bytes = places.reduce((sum, place) => sum + place.bytes, 0);
  const files = places.reduce((sum, place) => sum + place.files, 0);
  return (
    <section className={classNames(layout.stack8, settings.group)} aria-labelledby="places">
      <h3 id="places" className={settings.groupTitle}>
        {text.places}
      </h3>
      <div className={storage.bar} aria-hidden="true">
        {shown
          .filter((place) => place.bytes > 0)
          .map(({ place, bytes: part }) => (
            <span key={place} className={storage[place]} style={{ flexGrow: part }} />
          ))}
      </div>
      <SmallTable className={storage.table}>
        <thead>
          <tr>
            <th scope="col">{text.place}</th>
            <th scope="col" className={storage.number}>
              {text.size}
            </th>
            <th scope="col" className={storage.number}>
              {text.files}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((place) => (
            <PlaceRow key={place.place} {...place} />
          ))}
        </tbody>
        <tfoot>
          <tr data-figures>
            <th scope="row">{text.total}</th>
            <td className={storage.number}>{formatSize(bytes)}</td>
            <td className={storage.number}>{formatNumber(files)}</td>
          </tr>
        </tfoot>
      </SmallTable>
    </section>
  );
}

function PlaceRow({ place, bytes, files }: { place: StoragePlace; bytes: number; files: number }) {
  return (
    <tr data-figures>
      <th scope="row">
        <span className={`${storage.mark} ${storage[place]}`} aria-hidden="true" />
        {text.placeNames[place]}
      </th>
      <td className={storage.number}>{formatSize(bytes)}</td>
      <td className={storage.number}>{formatNumber(files)}</td>
    </tr>
  );
}

/** Has all of it moved: the host asks for the folder, and the page for the second word. */
function MoveData() {
  const { mutate, data, reset, isPending, error } = useAction('storage.planMove');
  const plan = data?.plan ?? null;
  const choose = (): void => mutate({});
  return (
    <>
      <Button isPending={isPending} onPress={choose}>
        {text.move}
      </Button>
      {error && (
        <div className={storage.ownLine}>
          <FailureNotice failure={error} retry={{ name: 'storage.planMove', input: {} }} onRetry={choose} />
        </div>
      )}
      {plan !== null && <MoveDialog plan={plan} onClose={reset} />}
    </>
  );
}

function MoveDialog({ plan, onClose }: { plan: StorageMove; onClose(): void }) {
  const running = useJobs().filter((job) => !isFinalJob(job)).length;
  const { mutate, isPending, isSuccess, error } = useAction('storage.move');
  // The host ends on this request: there is no way back from here.
  const isEnding = isPending || isSuccess;
  return (
    <Dialog
      title={text.moveTitle}
      isOpen
      wide
      onClose={() => isEnding || onClose()}
      actions={
        <>
          <Button isDisabled={isEnding} onPress={onClose} takesFocus>
            {text.stay}
          </Button>
          <Button look="primary" isPending={isEnding} onPress={() => mutate({})}>
            {isEnding ? text.restarting : text.restartAndMove}
          </Button>
        </>
      }
    >
      <dl className={classNames(layout.stack, typography.body, typography.facts, settings.facts)}>
        <div>
          <dt>{text.from}</dt>
          <dd className={settings.path}>
            <bdi>{plan.from}</bdi>
          </dd>
        </div>
        <div>
          <dt>{text.to}</dt>
          <dd className={settings.path}>
            <bdi>{plan.to}</bdi>
          </dd>
        </div>
        <div>
          <dt>{text.size}</dt>
          <dd>{text.sizeOfMove(formatSize(plan.bytes), plan.files)}</dd>
        </div>
      </dl>
      <p className={typography.sentence}>{text.moveSentence}</p>
      <p className={typography.sentence}>{text.jobsGoOn(running)}</p>
      {error && <FailureNotice failure={error} />}
    </Dialog>
  );
}

/** Deletes unused files, and shows how much disk space that freed. */
function CleanUp({ unusedBytes }: { unusedBytes: number }) {
  const client = useQueryClient();
  const { mutate, isPending, data, error } = useAction('storage.cleanUp');
  const clean = (): void =>
    mutate({}, { onSuccess: () => void client.invalidateQueries({ queryKey: ['storage.state'] }) });
  return (
    <section className={classNames(layout.stack8, settings.group)} aria-labelledby="clean-up">
      <h3 id="clean-up" className={settings.groupTitle}>
        {text.cleanUp}
      </h3>
      <p className={typography.sentence}>
        {text.cleanUpSentence} {unusedBytes > 0 ? text.givesBack(formatSize(unusedBytes)) : text.nothingUnused}
      </p>
      <div>
        <Button isPending={isPending} onPress={clean}>
          {isPending ? text.cleaning : text.cleanUp}
        </Button>
      </div>
      {data !== undefined && (
        <p className={classNames(layout.wrapRow, typography.sentence)} role="status">
          {data.freedBytes > 0 ? text.gaveBack(formatSize(data.freedBytes)) : text.gaveNothing}
        </p>
      )}
      {error && <FailureNotice failure={error} retry={{ name: 'storage.cleanUp', input: {} }} onRetry={clean} />}
    </section>
  );
}
