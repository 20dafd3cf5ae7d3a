import { useState } from 'react';
import type { SecretsState } from '../../../shared/domain/host.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { LabFailure } from '../../app/lab-failure.tsx';
import { useAction } from '../../bridge/use-action.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useToast } from '../../components/toasts.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { ConnectionTests } from './connection-tests.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

export interface WorkspaceCardProps {
  workspace: WorkspaceView;
  isCurrent: boolean;
  /** Its form was left: who was in it goes on here. */
  takesFocus: boolean;
  onEdit(): void;
}

export function WorkspaceCard({ workspace, isCurrent, takesFocus, onEdit }: WorkspaceCardProps) {
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
      {testing.data && <ConnectionTests tests={testing.data.tests} />}
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
    <dl className={classNames(layout.stack, typography.body, styles.facts)}>
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
