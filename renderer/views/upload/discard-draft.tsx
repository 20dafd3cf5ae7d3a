import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import type { Draft } from './draft-desk.tsx';
import { text } from './text.ts';

/** What was reviewed cannot be brought back, so it asks. */
export function DiscardDraft({ draft: { workspace, writes, comment }, files }: { draft: Draft; files: number }) {
  const [asks, setAsks] = useState(false);
  const close = (): void => setAsks(false);
  const discard = (): void => {
    close();
    void writes.remove({ kind: 'all' });
    void writes.send('uploads.comment', { workspaceId: workspace.id, text: '' });
    comment.forget();
  };
  return (
    <>
      <Button look="quiet" onPress={() => setAsks(true)}>{text.discard}</Button>
      {asks && (
        <Dialog
          title={text.discardTitle(files)}
          isOpen
          onClose={close}
          actions={<><Button onPress={close} takesFocus>{text.keepDraft}</Button><Button look="danger" onPress={discard}>{text.discardDraft}</Button></>}
        >
          <p>{text.discardThen}</p>
        </Dialog>
      )}
    </>
  );
}
