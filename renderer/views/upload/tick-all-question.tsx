import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { text } from './text.ts';

export interface TickAllQuestionProps {
  /** How many came by themselves and are not ticked; at least one. */
  held: number;
  files: number;
  onTick(kind: 'all' | 'not-held'): void;
  onClose(): void;
}

/** A tick of all files would be one of each that came by itself, too: whether that is meant. */
export function TickAllQuestion({ held, files, onTick, onClose }: TickAllQuestionProps) {
  const tick = (kind: 'all' | 'not-held'): void => {
    onClose();
    onTick(kind);
  };
  const others = files - held;
  return (
    <Dialog
      title={text.tickHeldTitle(held)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => (others > 0 ? tick('not-held') : onClose())} takesFocus>{others > 0 ? text.tickOthers(others) : text.tickNone}</Button>
          <Button onPress={() => tick('all')}>{text.tickAll(files)}</Button>
        </>
      }
    >
      <p>{text.tickHeldThen}</p>
    </Dialog>
  );
}
