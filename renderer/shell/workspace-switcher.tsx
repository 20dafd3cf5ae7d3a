import { Building2, ChevronsUpDown, FlaskConical, Plus } from 'lucide-react';
import { memo } from 'react';
import { Button } from 'react-aria-components/Button';
import { visibleText } from '../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../shared/domain/workspace.ts';
import { Menu, type MenuChoice } from '../components/menu.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { text } from '../state/strings.ts';
import { useLatest } from '../state/use-latest.ts';
import { useSwitchWorkspace } from '../state/use-switch-workspace.ts';
import { useWorkspaces } from '../state/workspaces.ts';
import styles from './command-bar.module.css';

const manage = '+';

export function WorkspaceSwitcher() {
  const { workspaces, current } = useWorkspaces();
  const switchTo = useSwitchWorkspace();
  const { openSettings } = useNavigation();
  const choose = useLatest((id: string): void => {
    if (id === manage) return openSettings('workspaces');
    if (id === current?.id) return undefined;
    return switchTo(id);
  });
  return <WorkspaceMenu workspaces={workspaces} current={current} onChoose={choose} />;
}

interface WorkspaceMenuProps {
  workspaces: readonly WorkspaceView[];
  current: WorkspaceView | null;
  onChoose(id: string): void;
}

/** Going from room to room draws it no more. */
const WorkspaceMenu = memo(function WorkspaceMenu({ workspaces, current, onChoose }: WorkspaceMenuProps) {
  const name = current === null ? text.product : visibleText(current.name);
  const choices: MenuChoice[] = workspaces.map((workspace) => ({
    id: workspace.id,
    text: visibleText(workspace.name),
    icon: workspace.builtIn ? <FlaskConical size={16} strokeWidth={1.6} /> : <Building2 size={16} strokeWidth={1.6} />,
    ...(workspace.id === current?.id ? { aside: text.current } : {}),
  }));
  const Mark = current?.builtIn === false ? Building2 : FlaskConical;
  return (
    <Menu
      label={text.switchTo}
      choices={[...choices, { id: manage, text: text.manageWorkspaces, icon: <Plus size={16} strokeWidth={1.6} /> }]}
      onChoose={onChoose}
      trigger={
        <Button className={styles.switcher ?? ''} aria-label={`${text.workspace}: ${name}`}>
          <Mark className={styles.mark} size={16} strokeWidth={1.6} aria-hidden="true" />
          <span className={styles.name}>
            <bdi>{name}</bdi>
          </span>
          <ChevronsUpDown size={14} strokeWidth={1.6} aria-hidden="true" />
        </Button>
      }
    />
  );
});
