import { ExportSelectionDialog } from '../../../app/export/export-selection-dialog.tsx';
import { useLibraryPlace, useLibraryPlaces } from '../../../app/library/library-place.tsx';
import { NoteDialog } from './note-dialog.tsx';

/** What could not be asked, or was not done, when one had gone on. */
export function LeftQuestion() {
  const places = useLibraryPlaces();
  const [{ questions: [question] }] = useLibraryPlace();
  if (question === undefined) return null;
  const close = (): void => places.answered(question);
  return question.kind === 'export'
    ? <ExportSelectionDialog key={question.id} selection={question.selection} count={question.count} onClose={close} />
    : <NoteDialog key={question.id} meant={question.meant} one={question.one} begun={question.text} onClose={close} />;
}
