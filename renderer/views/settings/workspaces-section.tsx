import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { SecretsState } from '../../../shared/domain/host.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { useAction, useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { useToast } from '../../components/toasts.tsx';
import { LabFailure } from '../../state/failure-remedy.tsx';
import { useReportedAction } from '../../state/reported-action.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { ConnectionTests } from './connection-tests.tsx';
import { InWorkspaceForm, useSoughtInForm } from './settings-find.tsx';
import styles from './settings.module.css';
import { text } from './strings.ts';
import { KeepTokens } from './tokens-section.tsx';
import { type BegunForm, useBegunForm } from './workspace-form-place.tsx';
import { WorkspaceForm } from './workspace-form.tsx';

/**
 * What the section shows: the list, or the form over a new workspace (`id` null) or a stored one, as it was begun
 * before. `from`: the workspace whose form was left, or null for that of a new one; the button that opened it gets the
 * focus.
 */
type Shown = { kind: 'list'; from?: string | null } | { kind: 'form'; id: string | null; begun: BegunForm | null };

export function WorkspacesSection() {
  const { workspaces, current, damaged, failure } = useWorkspaces();
  const [begun, note] = useBegunForm();
  const [shown, setShown] = useState<Shown>(begun ? { kind: 'form', id: begun.id, begun } : { kind: 'list' });
  const sought = useSoughtInForm();
  const [opened, setOpened] = useState<typeof sought>(null);
  // Once a request, as soon as it is known whose form it is: that of the lab cannot be edited.
  if (sought !== null && sought !== opened && current !== null) {
    setOpened(sought);
    if (shown.kind === 'list' && !current.builtIn) setShown({ kind: 'form', id: current.id, begun: null });
  }
  const stored = shown.kind === 'form' ? workspaces.find(({ id }) => id === shown.id) : undefined;
  const showList = (saved: WorkspaceView | null): void => {
    note(null);
    setShown({ kind: 'list', from: (saved ?? stored)?.id ?? null });
  };
  const from = shown.kind === 'list' ? shown.from : undefined;
  // One that was removed meanwhile has no form.
  if (shown.kind === 'form' && (shown.id === null || stored))
    return <WorkspaceForm stored={stored ?? null} begun={shown.begun} onChange={note} onDone={showList} />;
  return (
    <>
      <p className={typography.sentence}>{text.workspacesSentence}</p>
      {failure && <FailureNotice failure={failure} />}
      <KeepTokens />
      <InWorkspaceForm />
      {damaged.map((id) => (
        <DamagedWorkspace key={id} id={id} />
      ))}
      <ul className={styles.workspaces}>
        {workspaces.map((workspace) => (
          <li key={workspace.id}>
            <WorkspaceCard
              workspace={workspace}
              isCurrent={workspace.id === current?.id}
              takesFocus={workspace.id === from}
              onEdit={() => setShown({ kind: 'form', id: workspace.id, begun: null })}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button
          look="primary"
          takesFocus={from === null}
          onPress={() => setShown({ kind: 'form', id: null, begun: null })}
        >
          <Plus size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.add}
        </Button>
      </div>
    </>
  );
}

/** What it held cannot be read, so its tokens and its row can only be taken away. */
function DamagedWorkspace({ id }: { id: string }) {
  const [removes, setRemoves] = useState(false);
  const name = visibleText(id);
  return (
    <>
      <Notice
        meaning="bad"
        title={text.damaged(name)}
        actions={
          <Button size="small" look="danger" onPress={() => setRemoves(true)}>
            {text.remove}
          </Button>
        }
      >
        {text.damagedThen}
      </Notice>
      {removes && <RemoveDialog workspace={{ id, name }} onClose={() => setRemoves(false)} />}
    </>
  );
}

interface WorkspaceCardProps {
  workspace: WorkspaceView;
  isCurrent: boolean;
  /** Its form was left: the focus returns here. */
  takesFocus: boolean;
  onEdit(): void;
}

function WorkspaceCard({ workspace, isCurrent, takesFocus, onEdit }: WorkspaceCardProps) {
  const switching = useAction('workspaces.switch');
  const testing = useAction('workspaces.test');
  const [removes, setRemoves] = useState(false);
  const toast = useToast();
  const name = visibleText(workspace.name);
  const switchTo = (): void =>
    switching.mutate({ id: workspace.id }, { onSuccess: () => toast({ meaning: 'ok', text: text.switched(name) }) });
  const test = (): void => testing.mutate({ id: workspace.id, draft: null });
  return (
    <section className={classNames(layout.stack8, styles.workspace)} aria-label={name}>
      <div className={classNames(layout.baselineWrap, styles.workspaceHead)}>
        <h3 className={typography.anywhere}>
          <bdi>{name}</bdi>
        </h3>
        {workspace.builtIn && <span className={classNames(typography.hint, styles.aside)}>{text.builtIn}</span>}
        {isCurrent && <span className={classNames(typography.label, typography.accent)}>{text.current}</span>}
      </div>
      {workspace.builtIn ? (
        <p className={typography.sentence}>{text.labSentence}</p>
      ) : (
        <Services workspace={workspace} />
      )}
      {workspace.builtIn && <LabFailure />}
      <div className={layout.wrap8}>
        {!isCurrent && (
          <Button size="small" onPress={switchTo}>
            {text.switchTo}
          </Button>
        )}
        <Button size="small" isPending={testing.isPending} onPress={test}>
          {testing.isPending ? text.testing : text.test}
        </Button>
        {!workspace.builtIn && (
          <Button size="small" onPress={onEdit} takesFocus={takesFocus}>
            {text.edit}
          </Button>
        )}
        {!workspace.builtIn && (
          <Button size="small" look="danger" onPress={() => setRemoves(true)}>
            {text.remove}
          </Button>
        )}
      </div>
      {testing.data && <ConnectionTests tests={testing.data.tests} mayUse={workspace.options.optionalActions} />}
      {testing.error && (
        <FailureNotice
          failure={testing.error}
          retry={{ name: 'workspaces.test', input: { id: workspace.id, draft: null } }}
          onRetry={test}
        />
      )}
      {switching.error && <FailureNotice failure={switching.error} />}
      {removes && <RemoveDialog workspace={workspace} onClose={() => setRemoves(false)} />}
    </section>
  );
}

function Services({ workspace: { repository, ruleEditor } }: { workspace: WorkspaceView }) {
  const { data: host } = useOperation('host.describe', {});
  const stored = host === undefined ? text.tokenStored : tokenPlace(host.secrets);
  return (
    <dl className={classNames(layout.stack, typography.body, typography.facts, styles.facts)}>
      {(
        [
          ['repository', repository],
          ['rule-editor', ruleEditor],
        ] as const
      ).map(([service, view]) => (
        <div key={service}>
          <dt>{text.services[service]}</dt>
          <dd>
            {view === null ? (
              text.noService
            ) : (
              <>
                <bdi>{view.baseUrl}</bdi>
                <span className={classNames(typography.hint, styles.aside)}>
                  {view.hasToken ? stored : text.noToken}
                </span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function tokenPlace({ state, store }: SecretsState): string {
  if (state === 'open') return text.tokenPlaces[store];
  return state === 'locked' ? text.tokenLocked : text.tokenDamaged;
}

function RemoveDialog({ workspace, onClose }: { workspace: { id: string; name: string }; onClose(): void }) {
  const [forgetLibrary, setForgetLibrary] = useState(false);
  const toast = useToast();
  const name = visibleText(workspace.name);
  const report = (): void => toast({ meaning: 'ok', text: text.removed(name) });
  const { mutate, isPending, error } = useReportedAction('workspaces.remove', {
    report,
    failureText: (why) => text.notRemoved(name, why),
    onClose,
  });
  const remove = (): void => mutate({ id: workspace.id, forgetLibrary });
  return (
    <Dialog
      title={text.removeTitle(name)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.keep}
          </Button>
          <Button look="danger" isDisabled={isPending} onPress={remove}>
            {text.removeVerb}
          </Button>
        </>
      }
    >
      <p className={typography.sentence}>{text.removeSentence}</p>
      <Checkbox isSelected={forgetLibrary} onChange={setForgetLibrary}>
        {text.forget}
      </Checkbox>
      {error && <FailureNotice failure={error} />}
    </Dialog>
  );
}
