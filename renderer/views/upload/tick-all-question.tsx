import type { UploadDraft, UploadTarget } from '../../../shared/domain/upload.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { text } from './text.ts';

/**
 * The draft as it was when the question came up: its numbers stay while more comes in, and the answer is about nothing
 * newer. `held` is at least one.
 */
export type TickAllAsked = Pick<UploadDraft, 'files' | 'held' | 'newest'>;

export interface TickAllQuestionProps {
  asked: TickAllAsked;
  onTick(target: UploadTarget): void;
  onClose(): void;
}

/** A tick of all files would be one of each that came by itself, too: whether that is meant. */
export function TickAllQuestion({ asked: { files, held, newest }, onTick, onClose }: TickAllQuestionProps) {
  const tick = (target: UploadTarget): void => {
    onClose();
    onTick(target);
  };
  const others = files - held;
  return (
    <Dialog
      title={text.tickHeldTitle(held)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => (others > 0 ? tick({ kind: 'not-held' }) : onClose())} takesFocus>
            {others > 0 ? text.tickOthers(others) : text.tickNone}
          </Button>
          <Button onPress={() => tick({ kind: 'all', upTo: newest })}>{text.tickAll(files)}</Button>
        </>
      }
    >
      <p>{text.tickHeldThen}</p>
    </Dialog>
  );
}
