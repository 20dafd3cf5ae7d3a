import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useAppDialog } from '../../state/app-dialogs.tsx';
import { text } from './strings.ts';
import { type ActionTarget, mostNamed } from './action-target.ts';

/** A change of more samples than this asks first: it cannot be undone, as nothing remembers how they all were. */
const mostUnasked = mostNamed;

/** What a change does, for the title, the sentence and the button of the question. */
interface ManyWords {
  title(count: number): string;
  verb(count: number): string;
}

/** Does it at once for a few samples. For many it asks first, with their number and what is changed. */
export function useManyQuestion(): (target: ActionTarget, words: ManyWords, change: () => void) => void {
  const ask = useAppDialog();
  return ({ count }, words, change) => {
    if (count <= mostUnasked) return change();
    const draw = (close: () => void) => (
      <ManyQuestion
        count={count}
        words={words}
        onClose={close}
        onConfirm={() => {
          close();
          change();
        }}
      />
    );
    return ask(draw);
  };
}

interface ManyQuestionProps {
  count: number;
  words: ManyWords;
  onConfirm(): void;
  onClose(): void;
}

function ManyQuestion({ count, words, onConfirm, onClose }: ManyQuestionProps) {
  return (
    <Dialog
      title={words.title(count)}
      role="alertdialog"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {text.cancel}
          </Button>
          <Button look="primary" onPress={onConfirm}>
            {words.verb(count)}
          </Button>
        </>
      }
    >
      <p>{text.manySentence}</p>
    </Dialog>
  );
}
