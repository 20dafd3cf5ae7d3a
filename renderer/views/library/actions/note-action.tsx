import { NotebookPen } from 'lucide-react';
import { useState } from 'react';
import { type LibraryRow, longestNote } from '../../../../shared/domain/library.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { success } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { shownName } from '../shown-name.ts';
import { text } from '../text.ts';
import { changeSamples, noChange } from './change-samples.ts';
import type { MeantSamples } from './meant-samples.ts';
import { useChangeNews } from './use-changing.ts';

const rows = 6;

export interface NoteActionProps {
  meant: MeantSamples;
  /** The sample that alone is meant; null where there are several, or none. */
  one: LibraryRow | null;
}

export function NoteAction({ meant, one }: NoteActionProps) {
  // As it was when the dialog opened.
  const [asked, ask] = useState<NoteActionProps | null>(null);
  return (
    <>
      <Button isDisabled={meant.count === 0} onPress={() => ask({ meant, one })}><NotebookPen size={14} strokeWidth={1.6} aria-hidden="true" />{text.note}</Button>
      {asked !== null && <NoteDialog {...asked} onClose={() => ask(null)} />}
    </>
  );
}

/** A note is added and never put in the place of another one, so nothing is lost by it. */
function NoteDialog({ meant, one, onClose }: NoteActionProps & { onClose(): void }) {
  const bridge = useBridge();
  const tell = useChangeNews();
  const [note, setNote] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isTooLong = note.length > longestNote;
  const add = async (): Promise<void> => {
    setBusy(true);
    const done = await changeSamples(bridge, meant, { ...noChange, note });
    setBusy(false);
    if (!done.ok) return setFailure(done.failure);
    tell(success({ ...done.value, undo: [] }), { done: text.noted, nothing: text.leftOut(done.value.leftOut) });
    onClose();
  };
  return (
    <Dialog
      title={text.noteTitle(meant.count, one === null ? null : shownName(one))}
      isOpen
      onClose={onClose}
      actions={<><Button onPress={onClose}>{text.cancel}</Button><Button look="primary" isDisabled={isBusy || isTooLong || note.trim() === ''} onPress={() => void add()}>{text.noteAdd}</Button></>}
    >
      <TextField label={text.noteField} value={note} onChange={setNote} rows={rows} hint={text.noteSentence} problem={isTooLong ? text.noteTooLong(longestNote) : null} takesFocus />
      {failure !== null && <FailureNotice failure={failure} />}
    </Dialog>
  );
}
