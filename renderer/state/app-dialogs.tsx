import { createContext, Fragment, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { useToast } from '../components/toasts.tsx';
import { isTyping } from '../keyboard/view-keys.ts';
import { usePlace } from './presence.ts';
import { text } from './strings.ts';

/** The dialog of a question, closed by what it is given. */
type DrawDialog = (close: () => void) => ReactNode;

const AppDialogsContext = createContext<((draw: DrawDialog) => void) | null>(null);

/**
 * Asks wherever one is, whatever became of the view that the question comes from; several are asked one after the
 * other.
 */
export function useAppDialog(): (draw: DrawDialog) => void {
  const ask = useContext(AppDialogsContext);
  if (ask === null) throw new TypeError('an app dialog outside of AppDialogsProvider');
  return ask;
}

export function AppDialogsProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<readonly { draw: DrawDialog; number: number }[]>([]);
  const ask = useCallback(
    (draw: DrawDialog) => setAsked((before) => [...before, { draw, number: (before.at(-1)?.number ?? 0) + 1 }]),
    [],
  );
  const [first] = asked;
  const question = useMemo(
    () => first?.draw(() => setAsked((before) => before.filter((each) => each !== first))),
    [first],
  );
  return (
    <AppDialogsContext value={ask}>
      {children}
      {first !== undefined && <Fragment key={first.number}>{question}</Fragment>}
    </AppDialogsContext>
  );
}

export interface AppDialog {
  draw: DrawDialog;
  /** Shown after the person moved on, with a button of this text. */
  words: string;
  verb: string;
}

/** Announces a question, and opens it on request: this is the only access to what was prepared meanwhile. */
export function useOfferedDialog(): (question: AppDialog) => void {
  const askAnywhere = useAppDialog();
  const toast = useToast();
  return ({ draw, words, verb }) =>
    toast({ meaning: 'info', text: words, stays: true, action: { text: verb, act: () => askAnywhere(draw) } });
}

/**
 * For what has to be read before it can be asked. Call it when the reading begins: what it gives asks at once where one
 * still waits for it.
 */
export function useDialogWhenReady(): () => (question: AppDialog) => void {
  const askAnywhere = useAppDialog();
  const offer = useOfferedDialog();
  const place = usePlace();
  return () => {
    const [begunAt, hadFocus] = [place(), document.activeElement];
    return (question) => {
      const isWriting = document.activeElement !== hadFocus && isTyping({ target: document.activeElement });
      if (begunAt !== null && place() === begunAt && !isWriting) askAnywhere(question.draw);
      else offer(question);
    };
  };
}

export interface DiscardQuestion {
  /** Continues at once if nothing was typed; else when the person gives that up. */
  leave(goOn: () => void): void;
  /** The question whether to discard it; false: no one wants to leave. */
  question: ReactNode;
}

/**
 * Asks before leaving a form would discard what was typed; `lost` names what that is. The form's own button needs no
 * question.
 */
export function useDiscardQuestion(isTyped: boolean, lost: string): DiscardQuestion {
  const [asked, ask] = useState<{ goOn(): void } | null>(null);
  const giveUp = (): void => {
    ask(null);
    asked?.goOn();
  };
  return {
    leave: (goOn) => (isTyped ? ask({ goOn }) : goOn()),
    question: asked !== null && <DiscardDialog lost={lost} onStay={() => ask(null)} onLeave={giveUp} />,
  };
}

function DiscardDialog({ lost, onStay, onLeave }: { lost: string; onStay(): void; onLeave(): void }) {
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
