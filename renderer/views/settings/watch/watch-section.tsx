import { ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { WatchedFile, WatchState } from '../../../../shared/domain/watch.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { useAction, useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import { ChoiceMenu } from '../../../components/choice-menu.tsx';
import { describeFailure } from '../../../components/failure-format.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatNumber, formatSize } from '../../../components/format.ts';
import { SampleName, TimeText } from '../../../components/service-text.tsx';
import { SmallTable } from '../../../components/small-table.tsx';
import { useWatchState } from '../../../features/watch/watched-folder.ts';
import { useNavigation } from '../../../state/navigation.tsx';
import { useWorkspaces } from '../../../state/workspaces.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { FolderDialog } from '../folder-dialog.tsx';
import settings from '../settings.module.css';
import { text } from './strings.ts';
import styles from './watch.module.css';

/** A folder whose new files are drafted and scanned, and never sent by themselves. */
export function WatchSection() {
  const { data: state, error, refetch } = useWatchState();
  if (error)
    return <FailureNotice failure={error} retry={{ name: 'watch.state', input: {} }} onRetry={() => void refetch()} />;
  return (
    <>
      <p className={typography.sentence}>
        {text.sentence} {text.nothingSent}
      </p>
      <p className={typography.sentence}>{text.reach}</p>
      {state === undefined ? (
        <p className={typography.sentence} role="status">
          {text.reading}
        </p>
      ) : (
        <Watched state={state} />
      )}
    </>
  );
}

function Watched({ state }: { state: WatchState }) {
  const { workspaces, current } = useWorkspaces();
  const { mutate, isPending, error } = useAction('watch.turn');
  const workspaceId = workspaces.some(({ id }) => id === state.workspaceId) ? state.workspaceId : (current?.id ?? null);
  const choosing = useChoosing();
  const turn = (isOn: boolean, id: string): void => mutate({ isOn, workspaceId: id });
  return (
    <>
      <dl className={classNames(layout.stack, typography.body, typography.facts, settings.facts, styles.facts)}>
        <div>
          <dt>{text.folder}</dt>
          <dd>
            <bdi dir="ltr" className={state.folder === null ? undefined : typography.mono}>
              {state.folder === null ? text.none : visibleText(state.folder)}
            </bdi>
            <Button
              look={state.folder === null ? 'primary' : 'default'}
              size="small"
              isPending={choosing.isPending}
              onPress={choosing.choose}
            >
              {state.folder === null ? text.choose : text.chooseAnother}
            </Button>
          </dd>
        </div>
        {state.folder !== null && workspaceId !== null && (
          <Receiver workspaceId={workspaceId} onChange={(id) => turn(state.isOn, id)} />
        )}
      </dl>
      {choosing.dialog}
      {choosing.failure && (
        <FailureNotice
          failure={choosing.failure}
          retry={{ name: 'watch.chooseFolder', input: {} }}
          onRetry={choosing.choose}
        />
      )}
      {state.folder !== null && workspaceId !== null && (
        <div className={classNames(layout.stack4, styles.switch)}>
          <Checkbox isSelected={state.isOn} isReadOnly={isPending} onChange={(isOn) => turn(isOn, workspaceId)}>
            {text.turnOn}
          </Checkbox>
          <p className={typography.sentence} role="status" data-figures>
            {state.isOn ? text.isOn(state.leftAlone) : text.isOff}
          </p>
        </div>
      )}
      {error && <FailureNotice failure={error} />}
      {state.failure !== null && <FailureNotice failure={state.failure} meaning="warn" />}
      <WatchedFiles state={state} />
    </>
  );
}

interface Choosing {
  choose(): void;
  isPending: boolean;
  /** Of the host’s own picker; the dialog shows its own. */
  failure: Failure | null;
  dialog: ReactNode;
}

/** The host asks for it, or lists folders for the dialog where it cannot ask: no path comes from the page. */
function useChoosing(): Choosing {
  const { data: host } = useOperation('host.describe', {});
  const { mutate, isPending, error, reset } = useAction('watch.chooseFolder');
  const places = useAction('host.folders');
  const close = (): void => {
    places.reset();
    reset();
  };
  const choose = (): void => (host?.capabilities.chooseFolder === false ? places.mutate({ folder: null }) : mutate({}));
  return {
    choose,
    isPending: places.isPending || (isPending && places.data === undefined),
    failure: places.error ?? (places.data === undefined ? error : null),
    dialog: places.data !== undefined && (
      <FolderDialog
        title={text.chooseTitle}
        verb={text.take}
        places={places.data}
        onChoose={(folder) => mutate({ folder }, { onSuccess: close })}
        isPending={isPending}
        failure={error}
        onClose={close}
      />
    ),
  };
}

function Receiver({ workspaceId, onChange }: { workspaceId: string; onChange(id: string): void }) {
  const { workspaces } = useWorkspaces();
  const choices = workspaces.map(({ id, name }) => ({ id, text: visibleText(name) }));
  const name = choices.find(({ id }) => id === workspaceId)?.text ?? text.noWorkspace;
  const choose = ([id]: readonly string[]): void => {
    if (id !== undefined && id !== workspaceId) onChange(id);
  };
  return (
    <div>
      <dt>{text.workspace}</dt>
      <dd>
        <ChoiceMenu
          of="one"
          label={text.workspaces}
          choices={choices}
          chosen={[workspaceId]}
          onChange={choose}
          trigger={
            <Button size="small" aria-label={text.workspaceOf(name)}>
              <bdi>{name}</bdi>
              <ChevronsUpDown size={14} strokeWidth={1.6} aria-hidden="true" />
            </Button>
          }
        />
      </dd>
    </div>
  );
}

/** The newest files that came, and what became of them. */
function WatchedFiles({ state: { found, files, isOn } }: { state: WatchState }) {
  if (found === 0 && !isOn) return null;
  return (
    <section className={classNames(layout.stack8, settings.group)} aria-labelledby="watched-files">
      <div className={layout.spreadRow}>
        <h3 id="watched-files" className={settings.groupTitle}>
          {text.found}
        </h3>
        {found > 0 && (
          <span className={typography.hint} data-figures>
            {text.newest(files.length, found)}
          </span>
        )}
      </div>
      {found === 0 ? <p className={typography.sentence}>{text.nothingYet}</p> : <Listed files={files} />}
    </section>
  );
}

function Listed({ files }: { files: readonly WatchedFile[] }) {
  const { openView } = useNavigation();
  const { mutate, isPending, error } = useAction('watch.clear');
  return (
    <>
      <SmallTable className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{text.file}</th>
            <th scope="col" className={styles.number}>
              {text.size}
            </th>
            <th scope="col" className={styles.state}>
              {text.state}
            </th>
            <th scope="col" className={styles.hits}>
              {text.hits}
            </th>
            <th scope="col" className={styles.time}>
              {text.time}
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <Row key={file.path} file={file} />
          ))}
        </tbody>
      </SmallTable>
      <div className={layout.wrap8}>
        <Button onPress={() => openView('upload')}>{text.openUpload}</Button>
        <Button isPending={isPending} onPress={() => mutate({})}>
          {text.clear}
        </Button>
      </div>
      {error && <FailureNotice failure={error} />}
    </>
  );
}

function Row({ file: { path, sizeBytes, state, hits, failure, found } }: { file: WatchedFile }) {
  return (
    <tr data-figures>
      <th scope="row">
        <span className={styles.name}>
          <SampleName name={path} />
        </span>
      </th>
      <td className={styles.number}>{formatSize(sizeBytes)}</td>
      <td className={styles.state}>
        {stateWord(state, failure)}
        {failure !== null && <bdi className={styles.why}>{visibleText(describeFailure(failure).what)}</bdi>}
      </td>
      <td className={styles.hits}>
        {hits !== null && <span className={hits > 0 ? typography.strong : undefined}>{formatNumber(hits)}</span>}
      </td>
      <td className={styles.time}>
        <TimeText sent={found} />
      </td>
    </tr>
  );
}

function stateWord(state: WatchedFile['state'], failure: Failure | null): string {
  if (failure !== null && state === 'drafted') return text.notScanned;
  return failure !== null && state === 'waiting' ? text.triedAgain : text.states[state];
}
