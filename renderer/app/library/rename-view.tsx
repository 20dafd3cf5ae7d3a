import { type FormEvent, useId, useState } from 'react';
import { longestViewName, type SavedView } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { text } from './text.ts';

export function RenameView({ view, onRename, onClose }: { view: SavedView; onRename(name: string): void; onClose(): void }) {
  const [name, setName] = useState(view.name);
  const form = useId();
  const isEmpty = name.trim() === '';
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (isEmpty) return;
    onRename(name.trim());
    onClose();
  };
  return (
    <Dialog
      title={text.renameTitle(visibleText(view.name))}
      isOpen
      onClose={onClose}
      actions={<><Button onPress={onClose}>{text.cancel}</Button><Button look="primary" type="submit" form={form} isDisabled={isEmpty}>{text.rename}</Button></>}
    >
      <form id={form} onSubmit={save}>
        <TextField label={text.name} value={name} onChange={setName} problem={isEmpty ? text.nameMissing : null} maxLength={longestViewName} autoComplete="off" takesFocus />
      </form>
    </Dialog>
  );
}
