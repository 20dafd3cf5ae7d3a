import { ChevronsUpDown } from 'lucide-react';
import type { WatchState } from '../../../../shared/domain/watch.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useWatchState } from '../../../app/watch/use-watch-state.ts';
import { useWorkspaces } from '../../../app/use-workspaces.ts';
import { useAction } from '../../../bridge/use-action.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import { ChoiceMenu } from '../../../components/choice-menu.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import settings from '../settings.module.css';
import { text } from './text.ts';
import styles from './watch.module.css';
import { WatchedFiles } from './watched-files.tsx';

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
      <dl className={classNames(layout.stack, typography.body, settings.facts, styles.facts)}>
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
      <ChoosingNews hasOne={state.folder !== null} choosing={choosing} />
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
  /** It was asked for, and there was none. */
  isNone: boolean;
  failure: Failure | null;
}

/** The host asks for it: no path comes from the page. */
function useChoosing(): Choosing {
  const { mutate, data, isPending, error } = useAction('watch.chooseFolder');
  const choose = (): void => mutate({});
  return { choose, isPending, isNone: data?.isChosen === false, failure: error };
}

function ChoosingNews({ hasOne, choosing: { choose, isNone, failure } }: { hasOne: boolean; choosing: Choosing }) {
  const { data: host } = useOperation('host.describe', {});
  const isNamedAtStart = host?.capabilities.chooseFolder === false;
  return (
    <>
      {isNamedAtStart && (!hasOne || isNone) && (
        <p className={typography.sentence} role="status">
          {isNone && text.notNamed} {text.startOption}
        </p>
      )}
      {failure && (
        <FailureNotice failure={failure} retry={{ name: 'watch.chooseFolder', input: {} }} onRetry={choose} />
      )}
    </>
  );
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
