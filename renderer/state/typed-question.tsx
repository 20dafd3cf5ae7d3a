import { type ReactNode, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { text } from './strings.ts';

export interface TypedQuestion {
  /** Goes on at once where nothing was typed; else when that is given up. */
  leave(goOn: () => void): void;
  /** Asks whether it is given up; false: nobody wants to leave. */
  question: ReactNode;
}

/**
 * What leads away from a form asks before it throws away what was typed; `lost` says what that is. Its own button needs
 * not be asked about.
 */
export function useTypedQuestion(isTyped: boolean, lost: string): TypedQuestion {
  const [asked, ask] = useState<{ goOn(): void } | null>(null);
  const giveUp = (): void => {
    ask(null);
    asked?.goOn();
  };
  return {
    leave: (goOn) => (isTyped ? ask({ goOn }) : goOn()),
    question: asked !== null && <LeaveForm lost={lost} onStay={() => ask(null)} onLeave={giveUp} />,
  };
}

function LeaveForm({ lost, onStay, onLeave }: { lost: string; onStay(): void; onLeave(): void }) {
  return (
    <Dialog
      title={text.leaveForm.title}
      role="alertdialog"
      isOpen
      onClose={onStay}
      actions={
        <>
          <Button onPress={onStay} takesFocus>
            {text.leaveForm.stay}
          </Button>
          <Button look="danger" onPress={onLeave}>
            {text.leaveForm.leave}
          </Button>
        </>
      }
    >
      <p>{lost}</p>
    </Dialog>
  );
}
