import { useState } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useToldAction } from '../../app/use-told-action.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useToast } from '../../components/toasts.tsx';
import typography from '../../styles/typography.module.css';
import { text } from './text.ts';

export function RemoveDialog({ workspace, onClose }: { workspace: { id: string; name: string }; onClose(): void }) {
  const [forgetLibrary, setForgetLibrary] = useState(false);
  const toast = useToast();
  const name = visibleText(workspace.name);
  const tell = (): void => toast({ meaning: 'ok', text: text.removed(name) });
  const { mutate, isPending, error } = useToldAction('workspaces.remove', {
    tell,
    lost: (why) => text.notRemoved(name, why),
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
