import { useId, useState } from 'react';
import type { PublicationsState } from '../../../shared/domain/publication.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { OptionsForm, useOptionsForm } from '../../features/publications/options-form.tsx';
import { text as optionsText } from '../../features/publications/strings.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text } from './strings.ts';

/** What each workspace does about packages; one at a time is changed. */
export function RulesSection() {
  const { workspaces } = useWorkspaces();
  const [changed, setChanged] = useState<string | null>(null);
  return (
    <>
      <p className={typography.sentence}>{text.rulesSentence}</p>
      <ul className={styles.workspaces}>
        {workspaces.map((workspace) => (
          <li key={workspace.id}>
            <WorkspaceRules
              workspace={workspace}
              isChanged={changed === workspace.id}
              onChange={(isChanged) => setChanged(isChanged ? workspace.id : null)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface WorkspaceRulesProps {
  workspace: WorkspaceView;
  isChanged: boolean;
  onChange(isChanged: boolean): void;
}

function WorkspaceRules({ workspace: { id, name: stored }, isChanged, onChange }: WorkspaceRulesProps) {
  const { data: state, error, refetch } = useOperation('publications.state', { workspaceId: id });
  const name = visibleText(stored);
  return (
    <section className={classNames(layout.stack8, styles.workspace)} aria-label={text.rulesOf(name)}>
      <h3 className={typography.anywhere}>
        <bdi>{name}</bdi>
      </h3>
      {error && (
        <FailureNotice
          failure={error}
          retry={{ name: 'publications.state', input: { workspaceId: id } }}
          onRetry={() => void refetch()}
        />
      )}
      {state &&
        (isChanged ? (
          <ChangedOptions state={state} onDone={() => onChange(false)} />
        ) : (
          <Options state={state} onChange={() => onChange(true)} />
        ))}
    </section>
  );
}

function Options({ state: { options }, onChange }: { state: PublicationsState; onChange(): void }) {
  return (
    <>
      <dl className={classNames(layout.stack, typography.body, typography.facts, styles.facts)}>
        <div>
          <dt>{text.rulesPolicy}</dt>
          <dd>{text.rulesPolicies[options.policy]}</dd>
        </div>
        <div>
          <dt>{text.rulesCheck}</dt>
          <dd>{text.rulesChecks(options.checkHours)}</dd>
        </div>
        <div>
          <dt>{text.rulesGroups}</dt>
          <dd>{text.rulesGroup(options.includeTest)}</dd>
        </div>
        <div>
          <dt>{text.rulesKept}</dt>
          <dd>{text.rulesKeptCount(options.keep)}</dd>
        </div>
        {options.variables.length > 0 && (
          <div>
            <dt>{text.rulesVariables}</dt>
            <dd>{options.variables.map(({ name }) => name).join(', ')}</dd>
          </div>
        )}
      </dl>
      <div>
        <Button size="small" onPress={onChange}>
          {text.changeRules}
        </Button>
      </div>
    </>
  );
}

function ChangedOptions({ state, onDone }: { state: PublicationsState; onDone(): void }) {
  const form = useOptionsForm(state, onDone);
  const id = useId();
  return (
    <>
      <OptionsForm id={id} form={form} />
      <div className={layout.wrap8}>
        <Button type="submit" look="primary" form={id} isDisabled={!form.canBeSaved}>
          {optionsText.save}
        </Button>
        <Button look="quiet" onPress={onDone}>
          {text.cancel}
        </Button>
      </div>
    </>
  );
}
