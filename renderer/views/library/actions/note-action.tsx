import { NotebookPen } from 'lucide-react';
import { useState } from 'react';
import type { LibraryRow } from '../../../../shared/domain/library.ts';
import { Button } from '../../../components/button.tsx';
import { text } from '../text.ts';
import type { MeantSamples } from './meant-samples.ts';
import { NoteDialog } from './note-dialog.tsx';

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
      <Button isDisabled={meant.count === 0} onPress={() => ask({ meant, one })}>
        <NotebookPen size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.note}
      </Button>
      {asked !== null && <NoteDialog {...asked} begun="" onClose={() => ask((now) => (now === asked ? null : now))} />}
    </>
  );
}
