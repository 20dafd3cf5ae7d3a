import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { text } from './text.ts';

export interface TypedForm {
  /** Put it around the form. */
  onInput(): void;
  /** Goes on at once where nothing was typed; else when the form is given up. */
  leave(goOn: () => void): void;
  /** Asks whether it is given up; false: nobody wants to leave. */
  question: ReactNode;
}

/** Whatever leads away from a form that is open asks before it throws away what was typed. */
export function useTypedForm(isOpen: boolean): TypedForm {
  const [isTyped, setTyped] = useState(false);
  const [asked, ask] = useState<{ goOn(): void } | null>(null);
  if (!isOpen && isTyped) setTyped(false);
  const giveUp = (): void => {
    ask(null);
    asked?.goOn();
  };
  return {
    onInput: () => setTyped(isOpen),
    leave: (goOn) => (isTyped ? ask({ goOn }) : goOn()),
    question: asked !== null && <LeaveForm onStay={() => ask(null)} onLeave={giveUp} />,
  };
}

function LeaveForm({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
  return (
    <Dialog
      title={text.leaveTitle}
      role="alertdialog"
      isOpen
      onClose={onStay}
      actions={<><Button onPress={onStay} takesFocus>{text.leaveStay}</Button><Button look="danger" onPress={onLeave}>{text.leaveDo}</Button></>}
    >
      <p>{text.leaveSentence}</p>
    </Dialog>
  );
}
