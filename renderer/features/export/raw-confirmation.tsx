import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { text } from './text.ts';

export interface RawConfirmationProps {
  count: number;
  isPending: boolean;
  onConfirm(): void;
  onBack(): void;
  onClose(): void;
  /** Where they go, and what went wrong. */
  children: ReactNode;
}

/** Live malware leaves only when this was read: the word is typed, and the way back has the focus. */
export function RawConfirmation({ count, isPending, onConfirm, onBack, onClose, children }: RawConfirmationProps) {
  const [word, setWord] = useState('');
  return (
    <Dialog
      title={text.rawTitle(count)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onBack} takesFocus>
            {text.back}
          </Button>
          <Button look="danger" isDisabled={isPending || word.trim() !== text.rawWord} onPress={onConfirm}>
            {isPending ? text.exporting : text.exportRaw}
          </Button>
        </>
      }
    >
      <Notice meaning="warn" title={text.rawWhat}>
        {text.rawThen}
      </Notice>
      <TextField label={text.rawType} value={word} onChange={setWord} maxLength={16} autoComplete="off" mono />
      {children}
    </Dialog>
  );
}
