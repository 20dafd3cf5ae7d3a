import { X } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { KeyCap } from '../../components/key-cap.tsx';
import { text } from './text.ts';

/** `asks`: more than one is meant, and that is a question first. */
export function RemoveTicked({ count, asks, onAsk, onClose, onRemove }: { count: number; asks: boolean; onAsk(): void; onClose(): void; onRemove(): void }) {
  return (
    <>
      <Button look="quiet" isDisabled={count === 0} onPress={onAsk}>
        <X size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.remove}
        <KeyCap>{text.removeKey}</KeyCap>
      </Button>
      {asks && (
        <Dialog
          title={text.removeTitle(count)}
          isOpen
          onClose={onClose}
          actions={<><Button onPress={onClose} takesFocus>{text.keepFiles}</Button><Button look="danger" onPress={onRemove}>{text.removeFiles(count)}</Button></>}
        >
          <p>{text.removeThen}</p>
        </Dialog>
      )}
    </>
  );
}
