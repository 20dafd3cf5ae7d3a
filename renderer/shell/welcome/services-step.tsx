import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { useSwitchWorkspace } from '../../state/use-switch-workspace.ts';
import { useWorkspaces } from '../../state/workspaces.ts';
import { WorkspaceForm } from '../../views/settings/workspace-form.tsx';
import { text } from './text.ts';
import styles from './welcome.module.css';

export interface ServicesStepProps {
  /** The form is open. */
  connects: boolean;
  onConnect(connects: boolean): void;
  onUseLab(): void;
}

/** The services of the team, or the lab for now. */
export function ServicesStep({ connects, onConnect, onUseLab }: ServicesStepProps) {
  if (connects) return <WorkspaceForm stored={null} onDone={() => onConnect(false)} />;
  return (
    <>
      <p className={styles.sentence}>{text.servicesSentence}</p>
      <WorkspaceChoice />
      <div className={styles.buttons}>
        <Button onPress={() => onConnect(true)}>{text.connect}</Button>
        <Button look="quiet" onPress={onUseLab}>
          {text.withLab}
        </Button>
      </div>
    </>
  );
}

/** Once there is more than the lab. */
function WorkspaceChoice() {
  const { workspaces, current } = useWorkspaces();
  const switchTo = useSwitchWorkspace();
  if (current === null || workspaces.length < 2) return null;
  const options = workspaces.map(({ id, name }) => ({ value: id, text: <bdi>{visibleText(name)}</bdi> }));
  return <RadioChoice label={text.workspace} value={current.id} options={options} onChange={switchTo} />;
}
