import { type SubmitEvent, useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextField } from '../../../components/text-field.tsx';
import typography from '../../../styles/typography.module.css';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates-desk.tsx';

const longestVersion = 200;

/** For a file that does not say which version it is. */
export function OpenFileAs({ onClose }: { onClose(): void }) {
  const { pick } = useUpdatesDesk();
  const [version, setVersion] = useState('');
  const form = useId();
  const choose = (event: SubmitEvent): void => {
    event.preventDefault();
    onClose();
    pick('files', version.trim() === '' ? null : version.trim());
  };
  return (
    <Dialog
      title={text.openAsTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={form}>
            {text.chooseFile}
          </Button>
        </>
      }
    >
      <p className={typography.sentence}>{text.openAsSentence}</p>
      <form id={form} onSubmit={choose}>
        <TextField
          label={text.version}
          value={version}
          onChange={setVersion}
          hint={text.versionHint}
          maxLength={longestVersion}
          autoComplete="off"
          takesFocus
          mono
        />
      </form>
    </Dialog>
  );
}
