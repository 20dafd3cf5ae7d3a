import { X } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { KeyCap } from '../../components/key-cap.tsx';
import { text } from './text.ts';
import type { Removal } from './use-removal.ts';

/** More than one is a question first. */
export function RemoveTicked({
  isNone,
  removal: { asked, ask, close, remove },
}: {
  isNone: boolean;
  removal: Removal;
}) {
  return (
    <>
      <Button look="quiet" isDisabled={isNone} onPress={ask}>
        <X size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.remove}
        <KeyCap>{text.removeKey}</KeyCap>
      </Button>
      {asked !== null && (
        <Dialog
          title={text.removeTitle(asked.files)}
          isOpen
          onClose={close}
          actions={
            <>
              <Button onPress={close} takesFocus>
                {text.keepFiles}
              </Button>
              <Button look="danger" onPress={() => remove(asked)}>
                {text.removeFiles(asked.files)}
              </Button>
            </>
          }
        >
          <p>{text.removeThen}</p>
        </Dialog>
      )}
    </>
  );
}
