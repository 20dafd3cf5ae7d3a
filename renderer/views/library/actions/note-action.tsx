import { NotebookPen } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { type LibraryRow, longestNote } from '../../../../shared/domain/library.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { success } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { describeFailure } from '../../../components/failure-format.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { useAppDialog } from '../../../state/app-dialogs.tsx';
import { useIsMounted } from '../../../state/presence.ts';
import { text } from '../strings.ts';
import { type ActionTarget, shownName } from '../../../features/library/action-target.ts';
import { addNote, type Noted } from '../../../features/library/add-note.ts';
import { useChangeNews } from '../../../features/library/change-samples.ts';

interface NoteActionProps {
  target: ActionTarget;
  /** The sample that alone is meant; null where there are several, or none. */
  one: LibraryRow | null;
}

export function NoteAction({ target, one }: NoteActionProps) {
  // As it was when the dialog opened.
  const [asked, ask] = useState<NoteActionProps | null>(null);
  return (
    <>
      <Button isDisabled={target.count === 0} why={text.noneChosen} onPress={() => ask({ target, one })}>
        <NotebookPen size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.note}
      </Button>
      {asked !== null && <NoteDialog {...asked} begun="" onClose={() => ask((now) => (now === asked ? null : now))} />}
    </>
  );
}

const rows = 6;

interface NoteDialogProps {
  target: Noted;
  /** The sample that alone is meant; null where there are several. */
  one: LibraryRow | null;
  /** The initial text of the field. */
  begun: string;
  onClose(): void;
}

/** A note is added and never put in the place of another one, so nothing is lost by it. */
function NoteDialog({ target, one, begun, onClose }: NoteDialogProps) {
  const bridge = useBridge();
  const report = useChangeNews();
  const reportNotAdded = useNotAddedNews(target, one);
  const isHere = useIsMounted();
  const [note, setNote] = useState(begun);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const write = (next: string): void => {
    setRefused(next.length > longestNote);
    if (next.length <= longestNote) setNote(next);
  };
  /** Refused before it is in the field: a text of megabytes blocks the page for seconds. */
  const refuse = (event: ClipboardEvent<HTMLElement> | DragEvent<HTMLElement>, inserted: string): void => {
    const chosen =
      event.target instanceof HTMLTextAreaElement ? event.target.selectionEnd - event.target.selectionStart : 0;
    const isFine = note.length - chosen + inserted.length <= longestNote;
    setRefused(!isFine);
    if (!isFine) event.preventDefault();
  };
  const add = async (): Promise<void> => {
    setBusy(true);
    const done = await addNote(bridge, target, note);
    setBusy(false);
    if (!done.ok) return isHere() ? setFailure(done.failure) : reportNotAdded(done.failure, note);
    report(success({ ...done.value, undo: [] }), {
      done: text.noted,
      nothing: text.notNoted(done.value.leftOut),
      leftOut: text.notNoted,
    });
    onClose();
  };
  return (
    <Dialog
      title={text.noteTitle(target.count, one === null ? null : shownName(one))}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look="primary" isDisabled={isBusy || note.trim() === ''} onPress={() => void add()}>
            {text.noteAdd(target.count)}
          </Button>
        </>
      }
    >
      <div
        onPasteCapture={(event) => refuse(event, event.clipboardData.getData('text/plain'))}
        onDropCapture={(event) => refuse(event, event.dataTransfer.getData('text/plain'))}
      >
        <TextField
          label={text.noteField}
          value={note}
          onChange={write}
          rows={rows}
          hint={text.noteSentence}
          problem={isRefused ? text.noteTooLong(longestNote) : null}
          takesFocus
        />
      </div>
      {failure !== null && <FailureNotice failure={failure} />}
    </Dialog>
  );
}

/** What was written is not lost with its dialog. */
function useNotAddedNews(target: Noted, one: LibraryRow | null): (failure: Failure, note: string) => void {
  const toast = useToast();
  const ask = useAppDialog();
  return (failure, note) =>
    toast({
      meaning: 'bad',
      text: text.noteNotAdded(target.count, one === null ? null : shownName(one), describeFailure(failure).what),
      failure,
      action: {
        text: text.noteOpen,
        act: () => ask((close) => <NoteDialog target={target} one={one} begun={note} onClose={close} />),
      },
    });
}
