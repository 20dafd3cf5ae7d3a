import { Building2, ChevronsUpDown, FlaskConical, Plus } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { useAction } from '../bridge/use-action.ts';
import { Menu, type MenuChoice } from '../components/menu.tsx';
import { useToast } from '../components/toasts.tsx';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import styles from './command-bar.module.css';
import { useNavigation } from './navigation.tsx';
import { text } from './text.ts';
import { useWorkspaces } from './use-workspaces.ts';

const manage = '+';

export function WorkspaceSwitcher() {
  const { workspaces, current } = useWorkspaces();
  const { mutate } = useAction('workspaces.switch');
  const { openSettings } = useNavigation();
  const toast = useToast();
  const name = current === null ? text.product : visibleText(current.name);

  const choose = (id: string): void => {
    if (id === manage) return openSettings('workspaces');
    if (id === current?.id) return undefined;
    const chosen = workspaces.find((workspace) => workspace.id === id);
    return mutate({ id }, {
      onSuccess: () => toast({ meaning: 'ok', text: text.switched(visibleText(chosen?.name ?? id)) }),
      onError: (failure) => toast({ meaning: 'bad', text: sentenceFor(failure).what }),
    });
  };
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
      onChoose={choose}
      trigger={
        <Button className={styles.switcher ?? ''} aria-label={`${text.workspace}: ${name}`}>
          <Mark className={styles.mark} size={16} strokeWidth={1.6} aria-hidden="true" />
          <span className={styles.name}><bdi>{name}</bdi></span>
          <ChevronsUpDown size={14} strokeWidth={1.6} aria-hidden="true" />
        </Button>
      }
    />
  );
}
