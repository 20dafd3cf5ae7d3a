import { Plus } from 'lucide-react';
import { useState } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { type BegunForm, useBegunForm } from '../../app/workspace-form-place.tsx';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import typography from '../../styles/typography.module.css';
import { RemoveDialog } from './remove-dialog.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';
import { WorkspaceCard } from './workspace-card.tsx';
import { WorkspaceForm } from './workspace-form.tsx';

/**
 * What the section shows: the list, or the form over a new workspace (`id` null) or a stored one, as it was begun
 * before. `from`: the workspace whose form was left, or null for that of a new one; who was in it goes on there.
 */
type Shown = { kind: 'list'; from?: string | null } | { kind: 'form'; id: string | null; begun: BegunForm | null };

export function WorkspacesSection() {
  const { workspaces, current, damaged, failure } = useWorkspaces();
  const [begun, note] = useBegunForm();
  const [shown, setShown] = useState<Shown>(begun ? { kind: 'form', id: begun.id, begun } : { kind: 'list' });
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
