import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';
import { WorkspaceCard } from './workspace-card.tsx';
import { WorkspaceForm } from './workspace-form.tsx';

/** What the section shows: the list, or the form over a new or a stored workspace. */
type Shown = { kind: 'list' } | { kind: 'add' } | { kind: 'edit'; workspace: WorkspaceView };

export function WorkspacesSection() {
  const { workspaces, current, failure } = useWorkspaces();
  const [shown, setShown] = useState<Shown>({ kind: 'list' });
  const showList = (): void => setShown({ kind: 'list' });
  if (shown.kind !== 'list') return <WorkspaceForm stored={shown.kind === 'edit' ? shown.workspace : null} onDone={showList} />;
  return (
    <>
      <p className={styles.sentence}>{text.workspacesSentence}</p>
      {failure && <FailureNotice failure={failure} />}
      <ul className={styles.workspaces}>
        {workspaces.map((workspace) => (
          <li key={workspace.id}>
            <WorkspaceCard workspace={workspace} isCurrent={workspace.id === current?.id} onEdit={() => setShown({ kind: 'edit', workspace })} />
          </li>
        ))}
      </ul>
      <div>
        <Button look="primary" onPress={() => setShown({ kind: 'add' })}>
          <Plus size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.add}
        </Button>
      </div>
    </>
  );
}
