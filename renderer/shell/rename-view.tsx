import { type FormEvent, useId, useState } from 'react';
import { longestViewName, type SavedView } from '../../shared/domain/library.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { FailureNotice } from '../components/failure-notice.tsx';
import { TextField } from '../components/text-field.tsx';
import { text } from '../features/library/strings.ts';
import { useToldAction } from '../state/reported-action.ts';

export interface RenameViewProps {
  view: SavedView;
  /** Names that other views have. */
  taken: readonly string[];
  onClose(): void;
}

export function RenameView({ view, taken, onClose }: RenameViewProps) {
  const { mutate, error, isPending } = useToldAction('views.rename', {
    lost: (why) => text.notRenamed(visibleText(view.name), why),
    onClose,
  });
  const [name, setName] = useState(view.name);
  const form = useId();
  const trimmed = name.trim();
  const problem = trimmed === '' ? text.nameMissing : taken.includes(trimmed) ? text.nameTaken : null;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (problem === null && !isPending) mutate({ id: view.id, name: trimmed });
  };
  return (
    <Dialog
      title={text.renameTitle(visibleText(view.name))}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={form} isDisabled={problem !== null || isPending}>
            {text.rename}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={save}>
        <TextField
          label={text.name}
          value={name}
          onChange={setName}
          problem={problem}
          maxLength={longestViewName}
          autoComplete="off"
          takesFocus
        />
      </form>
      {error !== null && <FailureNotice failure={error} />}
    </Dialog>
  );
}
